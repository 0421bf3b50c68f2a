//! What a hook is told on stdin. Only what is asked for is read; newer fields may come and go.

use serde::Deserialize;
use serde_json::value::RawValue;

/// One event of an agent's session. Nothing inside a field is looked at before it is asked for, so that a result of
/// many megabytes costs one pass.
#[derive(Debug, Default, Deserialize)]
pub struct Event<'a> {
    #[serde(borrow, default)]
    session_id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    hook_event_name: Option<&'a RawValue>,
    #[serde(borrow, default)]
    tool_name: Option<&'a RawValue>,
    #[serde(borrow, default)]
    tool_use_id: Option<&'a RawValue>,
    /// What the tool was called with.
    #[serde(borrow, default)]
    pub tool_input: Option<&'a RawValue>,
    /// What the tool answered.
    #[serde(borrow, default)]
    pub tool_response: Option<&'a RawValue>,
    /// The calls of a batch.
    #[serde(borrow, default)]
    pub tool_calls: Option<&'a RawValue>,
    #[serde(borrow, default)]
    reason: Option<&'a RawValue>,
}

/// The text is no event: not JSON, not an object, or a field given twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoEvent;

impl<'a> Event<'a> {
    /// Reads an event.
    ///
    /// # Errors
    /// The text is not one JSON object with each field once.
    pub fn read(text: &'a str) -> Result<Self, NoEvent> {
        let text = text.trim_start_matches('\u{feff}').trim_start();
        // A list would be taken for the fields in their order.
        if !text.starts_with('{') {
            return Err(NoEvent);
        }
        serde_json::from_str(text).map_err(|_| NoEvent)
    }

    /// The session; empty when not told.
    #[must_use]
    pub fn session(&self) -> String {
        word(self.session_id)
    }

    /// The event's own name; empty when not told.
    #[must_use]
    pub fn name(&self) -> String {
        word(self.hook_event_name)
    }

    /// The tool; empty when not told.
    #[must_use]
    pub fn tool(&self) -> String {
        word(self.tool_name)
    }

    /// The call's identifier; empty when not told.
    #[must_use]
    pub fn call(&self) -> String {
        word(self.tool_use_id)
    }

    /// Why a session ended; empty when not told.
    #[must_use]
    pub fn reason(&self) -> String {
        word(self.reason)
    }
}

fn word(raw: Option<&RawValue>) -> String {
    raw.and_then(|raw| serde_json::from_str::<String>(raw.get()).ok()).unwrap_or_default()
}

/// The parts of a tool's input that say where its result comes from.
#[derive(Debug, Default, Deserialize)]
pub struct Where<'a> {
    #[serde(borrow, default)]
    url: Option<&'a RawValue>,
    #[serde(borrow, default)]
    file_path: Option<&'a RawValue>,
    #[serde(borrow, default)]
    path: Option<&'a RawValue>,
    #[serde(borrow, default)]
    command: Option<&'a RawValue>,
    #[serde(borrow, default)]
    server: Option<&'a RawValue>,
}

impl<'a> Where<'a> {
    /// Reads a tool's input; one that is no object says nothing.
    #[must_use]
    pub fn read(input: Option<&'a RawValue>) -> Self {
        input
            .filter(|raw| raw.get().starts_with('{'))
            .and_then(|raw| serde_json::from_str(raw.get()).ok())
            .unwrap_or_default()
    }

    /// The address; empty when there is none.
    #[must_use]
    pub fn url(&self) -> String {
        word(self.url)
    }

    /// The file, under either name that tools give it; empty when there is none.
    #[must_use]
    pub fn file(&self) -> String {
        let path = word(self.file_path);
        if path.is_empty() { word(self.path) } else { path }
    }

    /// The command line; empty when there is none.
    #[must_use]
    pub fn command(&self) -> String {
        word(self.command)
    }

    /// The MCP server whose resource is read; empty when there is none.
    #[must_use]
    pub fn server(&self) -> String {
        word(self.server)
    }
}
