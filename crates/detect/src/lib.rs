//! Signals in untrusted text: pure, deterministic, offline, in time linear in the text.

#![deny(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

mod finding;
mod peers;

use serde_json::Value;

pub use finding::{Finding, Report, Tier, Verdict};
pub use peers::{Context, Peers};

/// Reads any untrusted text: a message, a page, a tool's result, server instructions. Paths are `$`.
#[must_use]
pub fn scan_text(_text: &str) -> Vec<Finding> {
    Vec::new()
}

/// Reads each string of a JSON value by itself, member names too.
#[must_use]
pub fn scan_strings(_value: &Value) -> Vec<Finding> {
    Vec::new()
}

/// Reads a tool as `tools/list` gives it: every string by itself, then what they come to together with its name,
/// its parameters and the other servers' tools.
#[must_use]
pub fn scan_tool(_tool: &Value, _context: &Context<'_>) -> Report {
    Report::new(Vec::new())
}

/// Reads a prompt, a resource or a resource template as `prompts/list` and `resources/list` give them.
#[must_use]
pub fn scan_entry(_entry: &Value, _context: &Context<'_>) -> Report {
    Report::new(Vec::new())
}

/// Reads a server's instructions.
#[must_use]
pub fn scan_instructions(_text: &str, _context: &Context<'_>) -> Report {
    Report::new(Vec::new())
}

/// The text with every character that can't be seen, or that changes how others are shown, written as `⟨U+200B⟩`;
/// what belongs to an emoji or to the writing of a language stays.
#[must_use]
pub fn visible(text: &str) -> String {
    text.to_owned()
}
