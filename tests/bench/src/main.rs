//! `cargo xtask bench`: every measured figure beside its reference of the same run, as a ratio. Times depend on the
//! machine and what else runs on it; ratios do much less. Nothing here is a test.

mod figure;
mod policy;

const ALL: [(&str, fn()); 1] = [("policy", policy::run)];

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    for (name, run) in ALL {
        if wanted.is_empty() || wanted.iter().any(|word| word == name) {
            run();
        }
    }
}
