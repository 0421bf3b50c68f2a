//! `cargo xtask screenshots`: the pictures in docs/screenshots.

use crate::Outcome;
use crate::command::{cargo, run as step};
use crate::programs;

pub(crate) fn run() -> Outcome {
    programs::provide()?;
    step(&mut cargo(["run", "--quiet", "--package", "tests", "--bin", "screenshots"]))
}
