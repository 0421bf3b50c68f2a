//! `cargo xtask bench`: every measured figure beside its reference of the same run.

use crate::Outcome;
use crate::command::{cargo, command, root, run as step};

/// Builds what is measured and what measures, then measures all, or what is named: `policy`, `endpoint`, `start`,
/// `held`, `widget`.
pub(crate) fn run(names: &[&str]) -> Outcome {
    let target = root().join("target");
    step(&mut cargo(["build", "--release", "--locked"]))?;
    let manifest = ["--manifest-path", "tests/bench/Cargo.toml"];
    step(cargo(["build", "--release", "--locked"]).args(manifest).env("CARGO_TARGET_DIR", &target))?;
    // Thousands of calls wait at once, each on a connection of its own.
    let mut words = vec!["-c", "ulimit -n 20000 2>/dev/null; exec \"$@\"", "bench", "target/release/bench"];
    words.extend(names);
    step(&mut command("sh", words))
}
