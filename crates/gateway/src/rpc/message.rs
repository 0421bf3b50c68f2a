//! The envelope of one message.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::pin::json::quoted;

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    jsonrpc: Option<Cow<'a, str>>,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

/// One message; every part is the text that was sent.
#[derive(Debug)]
pub(crate) enum Message<'a> {
    Request { id: &'a str, method: Cow<'a, str>, params: Option<&'a str> },
    Notification { method: Cow<'a, str>, params: Option<&'a str> },
    Response { id: &'a str, body: Body<&'a str> },
}

/// How a request ended: the text of its `result` or of its `error`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Body<T> {
    Result(T),
    Error(T),
}

impl<'a> Message<'a> {
    /// Reads a message. `None` if it isn't one: not JSON, a batch, a member twice, an id that is neither a string nor
    /// a number, neither a method nor an outcome.
    pub(crate) fn read(text: &'a str) -> Option<Message<'a>> {
        let envelope: Envelope<'a> = serde_json::from_str(text).ok()?;
        if envelope.jsonrpc.as_deref() != Some("2.0") {
            return None;
        }
        let id = match envelope.id.map(RawValue::get) {
            Some(id) if id.starts_with(['"', '-']) || id.starts_with(|c: char| c.is_ascii_digit()) => {
                Some(id)
            }
            Some(_) => return None,
            None => None,
        };
        let params = envelope.params.map(RawValue::get);
        match (envelope.method, id) {
            (Some(method), Some(id)) => Some(Message::Request { id, method, params }),
            (Some(method), None) => Some(Message::Notification { method, params }),
            (None, Some(id)) => {
                let body = match (envelope.result, envelope.error) {
                    (None, Some(error)) => Body::Error(error.get()),
                    (Some(result), None) => Body::Result(result.get()),
                    // `null` reads as absent; a result of null is one.
                    (None, None) => Body::Result("null"),
                    (Some(_), Some(_)) => return None,
                };
                Some(Message::Response { id, body })
            }
            (None, None) => None,
        }
    }
}

fn with_params(mut text: String, params: Option<&str>) -> String {
    if let Some(params) = params {
        text.push_str(",\"params\":");
        text.push_str(params);
    }
    text.push('}');
    text
}

/// A request's text.
pub(crate) fn request(id: &str, method: &str, params: Option<&str>) -> String {
    with_params(format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":{}", quoted(method)), params)
}

/// A notification's text.
pub(crate) fn notification(method: &str, params: Option<&str>) -> String {
    with_params(format!("{{\"jsonrpc\":\"2.0\",\"method\":{}", quoted(method)), params)
}

/// An answer's text.
pub(crate) fn response(id: &str, body: &Body<String>) -> String {
    match body {
        Body::Result(result) => format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}"),
        Body::Error(error) => format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"error\":{error}}}"),
    }
}

/// An error of ours: a code and a sentence.
pub(crate) fn error(code: i64, says: &str) -> Body<String> {
    Body::Error(format!("{{\"code\":{code},\"message\":{}}}", quoted(says)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_carried_is_what_was_sent() {
        let text = r#"{"jsonrpc":"2.0","id":"a b","method":"tools/call","params":{ "x" : 1.50 }}"#;
        let Some(Message::Request { id, method, params }) = Message::read(text) else { panic!("a request") };
        assert_eq!(request(id, &method, params), text);
    }

    #[test]
    fn what_is_no_message_is_none() {
        for text in [
            "",
            "{",
            "[]",
            "null",
            r#"{"jsonrpc":"2.0"}"#,
            r#"{"jsonrpc":"1.0","method":"x"}"#,
            r#"{"jsonrpc":"2.0","id":{},"method":"x"}"#,
            r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"x"}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":1,"error":{}}"#,
            r#"[{"jsonrpc":"2.0","id":1,"method":"x"}]"#,
        ] {
            assert!(Message::read(text).is_none(), "{text}");
        }
    }

    #[test]
    fn a_null_result_is_a_result() {
        let Some(Message::Response { body, .. }) = Message::read(r#"{"jsonrpc":"2.0","id":1,"result":null}"#)
        else {
            panic!("a response")
        };
        assert_eq!(body, Body::Result("null"));
    }
}
