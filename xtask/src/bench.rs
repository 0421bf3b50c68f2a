//! `cargo xtask bench`: every measured figure beside its reference of the same run.

use crate::Outcome;

pub(crate) fn run(_names: &[&str]) -> Outcome {
    Err("nothing can be measured yet.".to_owned())
}
