//! What a hook says on stdout: one JSON object, or nothing.

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

/// The answer to one event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer(Option<String>);

impl Answer {
    /// Says nothing; the session goes on as it would.
    #[must_use]
    pub fn nothing() -> Self {
        Self(None)
    }

    /// Adds words to what the agent reads next, beside the event named.
    #[must_use]
    pub fn context(event: &str, text: &str) -> Self {
        Self::specific(event, json!({"additionalContext": text}))
    }

    /// Puts something in the place of a tool's result. `mcp` adds the member that older harnesses read for MCP tools.
    #[must_use]
    pub fn rewrite(output: &Value, mcp: bool) -> Self {
        let inside = if mcp {
            json!({"updatedToolOutput": output, "updatedMCPToolOutput": output})
        } else {
            json!({"updatedToolOutput": output})
        };
        Self::specific("PostToolUse", inside)
    }

    /// The tool is not called; the agent reads why.
    #[must_use]
    pub fn deny(says: &str) -> Self {
        Self::specific("PreToolUse", json!({"permissionDecision": "deny", "permissionDecisionReason": says}))
    }

    /// The tool is called with this whole input if a person agrees. The input's numbers stay as they were written.
    #[must_use]
    pub fn ask(input: &RawValue, says: &str) -> Self {
        let says = Value::from(says);
        Self(Some(format!(
            "{{\"hookSpecificOutput\":{{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"ask\",\
             \"permissionDecisionReason\":{says},\"updatedInput\":{}}}}}",
            input.get()
        )))
    }

    /// The session stops before the model is called again.
    #[must_use]
    pub fn stop(says: &str) -> Self {
        let stop = json!({"continue": false, "stopReason": says, "decision": "block", "reason": says});
        Self(Some(stop.to_string()))
    }

    fn specific(event: &str, inside: Value) -> Self {
        let mut whole = Map::new();
        whole.insert("hookEventName".into(), event.into());
        if let Value::Object(inside) = inside {
            whole.extend(inside);
        }
        Self(Some(json!({"hookSpecificOutput": whole}).to_string()))
    }

    /// The line for stdout; empty when there is nothing to say.
    #[must_use]
    pub fn line(&self) -> &str {
        self.0.as_deref().unwrap_or_default()
    }
}
