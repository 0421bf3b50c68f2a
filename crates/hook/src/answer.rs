//! What a hook says on stdout: one JSON object, or nothing.

use serde_json::{Value, json};

/// The answer to one event.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answer(Option<Value>);

impl Answer {
    /// Says nothing; the session goes on as it would.
    #[must_use]
    pub fn nothing() -> Self {
        Self(None)
    }

    /// Adds words to what the agent reads next, beside the event named.
    #[must_use]
    pub fn context(event: &str, text: &str) -> Self {
        Self(Some(json!({"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}})))
    }

    /// The line for stdout; empty when there is nothing to say.
    #[must_use]
    pub fn line(&self) -> String {
        self.0.as_ref().map(Value::to_string).unwrap_or_default()
    }
}
