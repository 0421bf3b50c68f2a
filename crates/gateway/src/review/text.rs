//! A definition as a person reads it: the fields in order, each with its hidden characters made visible.

use serde_json::Value;

use crate::pin::json;

/// One field of a definition.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Field {
    pub(crate) name: String,
    /// Its text; for anything but a text, indented JSON.
    pub(crate) text: String,
    /// Only hosts read it.
    pub(crate) soft: bool,
}

/// The fields of a definition, in the order the server wrote them.
pub(crate) fn fields(raw: &str) -> Vec<Field> {
    if let Some(text) = json::text(raw) {
        return vec![Field { name: "text".to_owned(), text: detect::visible(&text), soft: false }];
    }
    let Some(all) = json::members(raw) else {
        return vec![Field { name: "unreadable".to_owned(), text: detect::visible(raw), soft: false }];
    };
    let shown = |value: &str| match json::text(value) {
        Some(text) => detect::visible(&text),
        None => {
            let value: Value = serde_json::from_str(value).unwrap_or_default();
            detect::visible(&serde_json::to_string_pretty(&value).unwrap_or_default())
        }
    };
    all.0
        .iter()
        .map(|(name, value)| Field {
            name: detect::visible(name),
            text: shown(value.get()),
            soft: matches!(name.as_ref(), "annotations" | "icons" | "_meta"),
        })
        .collect()
}
