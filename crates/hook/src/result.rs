//! What a tool answered, in whichever shape it comes: a text, content blocks, an object with `structuredContent`, or a
//! built-in tool's own object.

use serde_json::Value;
use serde_json::value::RawValue;

/// A result as one text to read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outcome {
    /// Everything in it that is text.
    pub text: String,
    /// The structured value, where it has one: `structuredContent`, or a text that is JSON.
    pub value: Option<Value>,
    /// The server says that this is an error.
    pub is_error: bool,
}

impl Outcome {
    /// Reads a result. `None` when it is no JSON that can be decoded.
    #[must_use]
    pub fn read(raw: Option<&RawValue>) -> Option<Self> {
        let Some(raw) = raw else { return Some(Self::default()) };
        Some(match serde_json::from_str(raw.get()).ok()? {
            Value::Null => Self::default(),
            Value::String(text) => Self::of_text(text),
            Value::Array(blocks) => Self::of_blocks(blocks),
            Value::Object(object) => {
                let is_error = object.get("isError").is_some_and(|value| *value == Value::Bool(true));
                let structured = object.get("structuredContent").filter(|value| !value.is_null());
                let content = object.get("content").and_then(Value::as_array);
                let found = match (structured, content) {
                    (Some(value), _) => {
                        Self { text: value.to_string(), value: Some(value.clone()), is_error }
                    }
                    (None, Some(blocks)) => Self::of_blocks(blocks.clone()),
                    (None, None) => Self::of_value(Value::Object(object)),
                };
                Self { is_error, ..found }
            }
            other => Self::of_value(other),
        })
    }

    fn of_text(text: String) -> Self {
        let value =
            serde_json::from_str(&text).ok().filter(|value: &Value| value.is_object() || value.is_array());
        Self { text, value, is_error: false }
    }

    fn of_value(value: Value) -> Self {
        Self { text: value.to_string(), value: Some(value), is_error: false }
    }

    /// Blocks of text, and resources that are text; pictures, sounds and bytes stay out. A list that is no list of
    /// blocks is a value.
    fn of_blocks(blocks: Vec<Value>) -> Self {
        if !blocks.iter().all(|block| block.get("type").is_some_and(Value::is_string)) {
            return Self::of_value(Value::Array(blocks));
        }
        let text = |block: &Value| {
            let text =
                block.get("text").or_else(|| block.get("resource").and_then(|inside| inside.get("text")));
            text.and_then(Value::as_str).map(str::to_owned)
        };
        let texts: Vec<String> = blocks.iter().filter_map(text).collect();
        Self::of_text(texts.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Outcome;

    fn read(value: &serde_json::Value) -> Outcome {
        let raw = serde_json::value::to_raw_value(value).unwrap();
        Outcome::read(Some(&raw)).unwrap()
    }

    #[test]
    fn every_shape_becomes_a_text() {
        let ticket = json!({"id": 1});
        let blocks = json!([{"type": "text", "text": ticket.to_string()}]);
        for shape in [json!(ticket.to_string()), blocks.clone(), json!({"content": blocks}), ticket.clone()] {
            assert_eq!(read(&shape).value, Some(ticket.clone()), "{shape}");
        }
        let both = json!({"content": [{"type": "text", "text": "see below"}], "structuredContent": ticket});
        assert_eq!(read(&both).text, ticket.to_string());
        assert!(read(&json!({"content": [], "isError": true})).is_error);
        assert_eq!(read(&json!([{"type": "image", "data": "aaaa"}])).text, "");
        let resource = json!([{"type": "resource", "resource": {"uri": "x", "text": "words"}}]);
        assert_eq!(read(&resource).text, "words");
        assert_eq!(read(&json!([1, 2])).text, "[1,2]");
    }
}
