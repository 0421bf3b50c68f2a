//! Our own settings. An unknown word in them is an error, never a guess.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What happens to items nobody has looked at yet, and to changed ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Trust {
    /// A person decides on each.
    #[default]
    Manual,
    /// What the scan finds clean passes.
    Scan,
    /// Everything passes; it is recorded.
    Auto,
}

impl Trust {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Trust::Manual => "manual",
            Trust::Scan => "scan",
            Trust::Auto => "auto",
        }
    }

    pub(crate) fn read(word: &str) -> Option<Trust> {
        [Trust::Manual, Trust::Scan, Trust::Auto].into_iter().find(|trust| trust.word() == word)
    }
}

/// How a person shows that they are one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Approve {
    /// A code shown on the terminal and typed back, or a press on the page. Does not hold against an agent that
    /// opens a terminal of its own.
    #[default]
    Terminal,
    /// Only a press on the page, by somebody who signed in there.
    Web,
}

/// Bounds on one server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Limits {
    /// Seconds a server may take from its start to the end of its first answer.
    pub(crate) start_seconds: u64,
    /// Seconds a server may take to list what it offers.
    pub(crate) list_seconds: u64,
    /// Seconds a call may take; progress counts as a sign of life.
    pub(crate) call_seconds: u64,
    /// Bytes of one message.
    pub(crate) message_bytes: usize,
    /// Bytes of one definition.
    pub(crate) item_bytes: usize,
    /// Items of each kind.
    pub(crate) items: usize,
    /// Calls that are open at once.
    pub(crate) open_calls: usize,
    /// Messages a second that the server may send without being asked; a second's worth more at once.
    pub(crate) messages_per_second: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            start_seconds: 60,
            list_seconds: 30,
            call_seconds: 600,
            message_bytes: 16 * 1024 * 1024,
            item_bytes: 256 * 1024,
            items: 2000,
            open_calls: 64,
            messages_per_second: 200,
        }
    }
}

/// Settings of one server, under `quarantine.servers.NAME`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ServerSettings {
    /// Asked for; raising it takes effect only once a person has confirmed it.
    pub(crate) trust: Option<String>,
    /// Whether results carry the notice; unset as `notices` says.
    pub(crate) notice: Option<bool>,
    /// Limits of this server; unset as the general ones.
    pub(crate) limits: Option<Limits>,
}

/// The value of `quarantine` in the configuration.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Settings {
    /// How a person shows that they are one.
    pub(crate) approve: Approve,
    /// Whether results carry the notice that they are data.
    pub(crate) notices: bool,
    /// Whether agents get two tools of the gateway's own: to see what waits, and to put in quarantine.
    pub(crate) own_tools: bool,
    /// Whether the answer about something in quarantine shows its description and schema to the agent.
    pub(crate) review_answer: bool,
    /// Where the review page is; shown to people and agents. Unset: `http://gateway.localhost:7412`.
    pub(crate) page: Option<String>,
    /// What an HTTP gateway lets its servers ask of a host: `roots`, `sampling`, `elicitation`.
    pub(crate) forward: Vec<String>,
    /// Seconds after which a list is read again.
    pub(crate) sweep_seconds: u64,
    /// Limits of every server.
    pub(crate) limits: Limits,
    pub(crate) servers: BTreeMap<String, ServerSettings>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            approve: Approve::Terminal,
            notices: true,
            own_tools: false,
            review_answer: true,
            page: None,
            forward: Vec::new(),
            sweep_seconds: 300,
            limits: Limits::default(),
            servers: BTreeMap::new(),
        }
    }
}
