//! After all calls of a step: the second lock. Where the model would read a listed tool's raw result, the session stops
//! before it does.

use std::path::Path;

use reader::Session;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::answer::Answer;
use crate::before::denied;
use crate::event::Event;
use crate::receipt::is_ours;
use crate::registry::Registry;
use crate::tool_name::ToolName;

/// Why a session stops here.
pub const STOPPED: &str = "Quarantine stopped here: the result of a tool that is read behind glass would have reached the \
model as it is. quarantine hook doctor says why.";

/// What the second lock found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// No listed tool was called.
    Nothing,
    /// Every listed tool's result is a rewrite of ours.
    Rewritten,
    /// One is not.
    Raw,
}

/// Looks at a batch as the model would see it. Without a registry every MCP tool counts as listed.
#[must_use]
pub fn look(event: &Event<'_>, registry: Option<&Registry>, state: &Path, gateway: &str) -> Found {
    // Without a list of calls nothing can be said about them.
    let calls: Option<Vec<&RawValue>> = event.tool_calls.and_then(|raw| serde_json::from_str(raw.get()).ok());
    let Some(calls) = calls else { return Found::Raw };
    let session = Session::existing(state, &event.session());
    let key = session.as_ref().and_then(|session| session.key().ok());
    let mut found = Found::Nothing;
    for raw in calls {
        let Ok(call) = Event::read(raw.get()) else { return Found::Raw };
        let tool = ToolName::new(&call.tool(), gateway);
        if !registry.map_or(tool.is_mcp(), |registry| registry.listed(&tool).is_some()) {
            continue;
        }
        let id = call.call();
        let marked = |word: String| session.as_ref().is_some_and(|session| session.is_marked(&word));
        if marked(denied(&id)) || marked(let_through(&id)) {
            continue;
        }
        let ours = key.as_ref().is_some_and(|key| {
            let seen = call.tool_response.and_then(|raw| serde_json::from_str(raw.get()).ok());
            seen.is_some_and(|seen: Value| is_rewrite(&tool, &seen, &|text| is_ours(key, &id, text)))
        });
        if !ours {
            return Found::Raw;
        }
        found = Found::Rewritten;
    }
    found
}

/// The mark of a failed call whose error text the settings let through.
#[must_use]
pub fn let_through(call: &str) -> String {
    format!("failure {call}")
}

/// The answer to what was found.
#[must_use]
pub fn answer(found: Found) -> Answer {
    match found {
        Found::Raw => Answer::stop(STOPPED),
        Found::Nothing | Found::Rewritten => Answer::nothing(),
    }
}

/// Whether a result, in the form the model reads it, is a rewrite and nothing besides.
fn is_rewrite(tool: &ToolName, seen: &Value, ours: &dyn Fn(&str) -> bool) -> bool {
    match seen {
        // A list may come as its JSON text.
        Value::String(text) => {
            ours(text)
                || serde_json::from_str::<Value>(text)
                    .is_ok_and(|inside| !inside.is_string() && is_rewrite(tool, &inside, ours))
        }
        Value::Array(blocks) => match blocks.as_slice() {
            [block] => block.get("text").and_then(Value::as_str).is_some_and(ours),
            _ => false,
        },
        Value::Object(object) => {
            let text = |name: &str| object.get(name).and_then(Value::as_str);
            match tool.as_str() {
                "Bash" => text("stdout").is_some_and(ours) && text("stderr").is_none_or(str::is_empty),
                "WebFetch" => text("result").is_some_and(ours),
                _ => {
                    !object.contains_key("structuredContent")
                        && object.get("content").is_some_and(|content| is_rewrite(tool, content, ours))
                }
            }
        }
        _ => false,
    }
}
