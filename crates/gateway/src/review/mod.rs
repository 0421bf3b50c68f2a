//! Showing what a server offers to somebody who has to decide: findings, differences, hidden characters made visible.

mod answer;
mod diff;
mod sarif;
mod scan;
mod text;

pub(crate) use answer::review_answer;
pub(crate) use diff::{Change, changes};
pub(crate) use sarif::{Scanned, sarif};
pub(crate) use scan::{peers_of, report_of, report_of_item, verdict_word};
pub(crate) use text::fields;
