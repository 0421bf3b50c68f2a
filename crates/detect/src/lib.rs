//! Signals in untrusted text: pure, deterministic, offline, in time linear in the text.

#![deny(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

mod chunk;
mod concept;
mod excerpt;
mod finding;
mod fold;
mod hidden;
mod payload;
mod peers;
mod rules;
mod scan;
mod secret;
mod token;
mod tool;
mod walk;
mod words;

use serde_json::Value;

pub use excerpt::visible;
pub use finding::{Finding, Report, Tier, Verdict};
pub use peers::{Context, Peers};

use rules::Place;
use scan::Scanner;

/// Reads any untrusted text: a message, a page, a tool's result. Paths are `$`.
#[must_use]
pub fn scan_text(text: &str) -> Vec<Finding> {
    let mut scanner = Scanner::default();
    scanner.string(text, "$", Place::Text);
    tool::report(scanner).findings
}

/// Reads each string of a JSON value by itself, member names too.
#[must_use]
pub fn scan_strings(value: &Value) -> Vec<Finding> {
    let mut scanner = Scanner::default();
    tool::strings(value, &mut scanner);
    tool::report(scanner).findings
}

/// Reads a tool as `tools/list` gives it: every string by itself, then what they come to together with its name,
/// its parameters and the other servers' tools.
#[must_use]
pub fn scan_tool(tool: &Value, context: &Context<'_>) -> Report {
    let mut scanner = Scanner::default();
    tool::scan(tool, context, &mut scanner);
    tool::report(scanner)
}

/// Reads a prompt, a resource or a resource template as `prompts/list` and `resources/list` give them.
#[must_use]
pub fn scan_entry(entry: &Value, context: &Context<'_>) -> Report {
    scan_tool(entry, context)
}

/// Reads a server's instructions. Orders are their nature, so only orders that no honest server gives are told.
#[must_use]
pub fn scan_instructions(text: &str, _context: &Context<'_>) -> Report {
    let mut scanner = Scanner::default();
    scanner.string(text, "$", Place::Schema);
    tool::report(scanner)
}

/// Steps taken to read a text: the measure of work, about one for each character looked at. For tests that hold that
/// it grows with the text and no faster.
#[doc(hidden)]
#[must_use]
pub fn steps(text: &str) -> u64 {
    let mut scanner = Scanner::default();
    scanner.string(text, "$", Place::Tool);
    scanner.steps.get()
}
