//! Text as it is shown to a person: short, secrets masked, nothing hidden.

use std::{fmt::Write as _, ops::Range};

use crate::{hidden, secret};

/// The longest excerpt, in characters.
const LONGEST: usize = 80;

/// The text with every character that can't be seen, or that changes how others are shown, written as `⟨U+200B⟩`;
/// what belongs to an emoji or to the writing of a language stays. Line ends and tabs stay.
#[must_use]
pub fn visible(text: &str) -> String {
    let mut shown = written_out(text);
    // What is allowed beside a hidden character may no longer be once that one is written out.
    for _ in 0..8 {
        if hidden::find(&shown).is_empty() {
            break;
        }
        shown = written_out(&shown);
    }
    shown
}

fn written_out(text: &str) -> String {
    let runs = hidden::find(text);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for run in runs {
        out.push_str(text.get(at..run.span.start).unwrap_or(""));
        for letter in text.get(run.span.clone()).unwrap_or("").chars() {
            let _ = write!(out, "⟨U+{:04X}⟩", u32::from(letter));
        }
        at = run.span.end;
    }
    out.push_str(text.get(at..).unwrap_or(""));
    out
}

/// What stands at a place, with a little of what is before it, in one line of at most about 80 characters.
pub(crate) fn of(text: &str, span: &Range<usize>) -> String {
    let start = back(text, span.start.min(text.len()), 12);
    let from = text.get(start..).unwrap_or("");
    // A little more than can be shown, so that a secret at the edge is still seen to be one.
    let window = from.get(..boundary(from, LONGEST * 8)).unwrap_or(from);
    let masked = secret::mask(window);
    let shown = visible(&masked);
    let mut out = String::new();
    if start > 0 {
        out.push('…');
    }
    let mut space = false;
    let mut length = 0;
    for letter in shown.chars() {
        if letter.is_whitespace() || letter.is_control() {
            space = true;
            continue;
        }
        if length + usize::from(space && length > 0) >= LONGEST {
            out.push('…');
            break;
        }
        if space && length > 0 {
            out.push(' ');
            length += 1;
        }
        space = false;
        out.push(letter);
        length += 1;
    }
    out
}

/// Some characters back from a place.
fn back(text: &str, at: usize, characters: usize) -> usize {
    let before = text.get(..at).unwrap_or("");
    let mut start = at;
    for (place, letter) in before.char_indices().rev().take(characters) {
        if letter == '\n' {
            break;
        }
        start = place;
    }
    start
}

/// The last character boundary at or before a place.
pub(crate) fn boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
