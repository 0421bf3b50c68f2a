//! `cargo xtask detect-report`: how well `detect` finds what it looks for, per set and tier.

use crate::{Outcome, command};

/// Runs the report. `--errors` lists what was missed and what was told wrongly; a set's name after it narrows the list.
pub(crate) fn run(arguments: &[&str]) -> Outcome {
    let mut line =
        vec!["run", "--quiet", "--release", "--package", "detect", "--example", "detect-report", "--"];
    line.extend(arguments);
    command::run(&mut command::cargo(line))
}
