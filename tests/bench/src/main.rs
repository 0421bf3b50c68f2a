//! `cargo xtask bench`: every measured figure beside its reference of the same run, as a ratio. Times depend on the
//! machine and what else runs on it; ratios do much less. Nothing here is a test.

mod bare;
mod endpoint;
mod figure;
mod held;
mod load;
mod policy;
mod start;
mod widget;

use tokio::runtime::Runtime;

const ALL: [(&str, fn()); 5] = [
    ("policy", policy::run),
    ("endpoint", endpoint::run),
    ("start", start::run),
    ("held", held::run),
    ("widget", widget::run),
];

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    if wanted.iter().any(|word| word == "bare") {
        return bare::serve();
    }
    for (name, run) in ALL {
        if wanted.is_empty() || wanted.iter().any(|word| word == name) {
            run();
        }
    }
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime")
}
