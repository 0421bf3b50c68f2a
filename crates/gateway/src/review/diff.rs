//! What changed between what was approved and what is there now, field by field.

use std::time::Duration;

use serde::Serialize;
use similar::{ChangeTag, TextDiff};

use super::text::fields;

/// A stretch of text that stayed, went, or came.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Piece {
    /// `same`, `removed` or `added`.
    pub(crate) what: &'static str,
    pub(crate) text: String,
}

/// A field that is not as it was.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Change {
    pub(crate) field: String,
    /// Only hosts read it; it does not hold the item back.
    pub(crate) soft: bool,
    pub(crate) pieces: Vec<Piece>,
}

/// The fields that differ, each with its difference by lines and, within them, by words.
pub(crate) fn changes(before: &str, after: &str) -> Vec<Change> {
    let (old, new) = (fields(before), fields(after));
    let mut names: Vec<(&str, bool)> = Vec::new();
    for field in old.iter().chain(&new) {
        if !names.iter().any(|(name, _)| *name == field.name) {
            names.push((&field.name, field.soft));
        }
    }
    let text_of = |fields: &[super::text::Field], name: &str| {
        fields.iter().find(|field| field.name == name).map(|field| field.text.clone()).unwrap_or_default()
    };
    names
        .into_iter()
        .filter_map(|(name, soft)| {
            let (old, new) = (text_of(&old, name), text_of(&new, name));
            (old != new).then(|| Change { field: name.to_owned(), soft, pieces: pieces(&old, &new) })
        })
        .collect()
}

fn pieces(old: &str, new: &str) -> Vec<Piece> {
    // Text of strangers: a difference that would take too long is told coarsely.
    let patience = Duration::from_millis(300);
    let diff = if old.len() + new.len() > 100_000 {
        TextDiff::configure().timeout(patience).diff_lines(old, new)
    } else {
        TextDiff::configure().timeout(patience).diff_words(old, new)
    };
    let mut pieces: Vec<Piece> = Vec::new();
    for change in diff.iter_all_changes() {
        let what = match change.tag() {
            ChangeTag::Equal => "same",
            ChangeTag::Delete => "removed",
            ChangeTag::Insert => "added",
        };
        match pieces.last_mut() {
            Some(last) if last.what == what => last.text.push_str(change.value()),
            _ => pieces.push(Piece { what, text: change.value().to_owned() }),
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_in_any_field_shows_with_its_words() {
        let before = r#"{"name":"add","description":"Adds two numbers.","inputSchema":{"a":1}}"#;
        let after =
            r#"{"name":"add","description":"Adds three numbers.","inputSchema":{"a":2},"outputSchema":{}}"#;
        let changes = changes(before, after);
        let names: Vec<&str> = changes.iter().map(|change| change.field.as_str()).collect();
        assert_eq!(names, ["description", "inputSchema", "outputSchema"]);
        let removed: String =
            changes[0].pieces.iter().filter(|p| p.what == "removed").map(|p| &*p.text).collect();
        let added: String =
            changes[0].pieces.iter().filter(|p| p.what == "added").map(|p| &*p.text).collect();
        assert_eq!((removed.as_str(), added.as_str()), ("two", "three"));
    }
}
