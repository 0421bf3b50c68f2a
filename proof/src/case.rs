//! The cases, as `proof/cases/*.toml` tells them.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;

/// What kind of claim a case checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Group {
    /// What should be possible is possible.
    Availability,
    /// The records say no.
    ActWouldBeWrong,
    /// It holds whatever the rules say about an order.
    Independent,
}

impl Group {
    /// Every group, in the order in which they are shown.
    pub const ALL: [Group; 3] = [Group::Availability, Group::ActWouldBeWrong, Group::Independent];

    /// The group as it is written.
    pub const fn as_str(self) -> &'static str {
        match self {
            Group::Availability => "availability",
            Group::ActWouldBeWrong => "act-would-be-wrong",
            Group::Independent => "independent",
        }
    }

    /// What it is about, for a person.
    pub const fn title(self) -> &'static str {
        match self {
            Group::Availability => "What should be possible is possible",
            Group::ActWouldBeWrong => "Acting would be wrong",
            Group::Independent => "Independent of the rules",
        }
    }
}

/// One case.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Its name, unique.
    pub id: String,
    /// Its kind.
    pub group: Group,
    /// The ticket it is about.
    pub ticket: String,
    /// Why the expected answer is the right one, in one sentence.
    pub why: String,
    /// What is done, in order.
    pub steps: Vec<Step>,
}

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Do {
    /// Looks at the list of tools.
    Tools,
    /// Calls a tool that is in the list.
    Call,
    /// Waits for the answer of the open call.
    Settle,
    /// Sends a request.
    Send,
    /// Sorts the ticket, as the agent.
    Triage,
    /// Asks for a refund by its route, as the agent.
    Stage,
    /// Sorts the ticket and asks for a refund; it must be held then.
    Hold,
    /// Asks how the newest refund stands, as the agent.
    Standing,
    /// Opens the newest refund, as the approver.
    Open,
    /// Sends the decision for what was opened.
    Decide,
    /// Opens and approves the newest refund.
    Approve,
    /// Opens and rejects the newest refund.
    Reject,
    /// Writes a message from a customer, as the person at the page.
    Compose,
    /// Forgets what the agent was told so far.
    Forget,
    /// The agent was never told this text.
    NeverTold,
    /// Tries all that the agent was ever told as a nonce.
    Replay,
    /// Writes many messages about the same order and compares the permits.
    Mutate,
    /// Asks for the permit with many different headers.
    MutateHeaders,
    /// Sorts many tickets about the same order with different summaries and compares the permits.
    MutateTriage,
}

/// Whose credential a request carries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum As {
    /// The agent of the step's ticket.
    #[default]
    Agent,
    /// The person at the page.
    Page,
    /// An approver.
    Approver,
    /// Nobody's.
    Anonymous,
}

/// One number or several.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Status {
    /// Exactly this.
    One(u16),
    /// One of these.
    Any(Vec<u16>),
}

/// One step and what it has to answer. `$name` stands for what an earlier step kept under that name.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// What it does.
    #[serde(rename = "do")]
    pub act: Do,
    /// Whose credential it carries.
    #[serde(rename = "as", default)]
    pub by: As,
    /// The ticket, where it is not the case's own.
    pub ticket: Option<String>,
    /// The tool to call.
    pub tool: Option<String>,
    /// What goes into it.
    #[serde(default)]
    pub input: toml::Table,
    /// The body as it is, instead of `input`.
    pub raw: Option<String>,
    /// The path of a `GET`.
    pub get: Option<String>,
    /// The path of a `POST`.
    pub post: Option<String>,
    /// More headers.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// In major units.
    pub amount: Option<String>,
    /// What must not have been told.
    pub text: Option<String>,

    /// Expected: the status.
    pub status: Option<Status>,
    /// Expected: the whole body.
    pub body: Option<String>,
    /// Expected: a value at each path. `*` at a text's end stands for anything more; a list for any of its values.
    #[serde(default)]
    pub has: toml::Table,
    /// Expected: nothing at these paths.
    #[serde(default)]
    pub none: Vec<String>,
    /// Expected: the body has these texts in it.
    #[serde(default)]
    pub holds: Vec<String>,
    /// Expected: the body has none of these texts in it.
    #[serde(default)]
    pub lacks: Vec<String>,
    /// Expected: exactly these tools.
    pub are: Option<Vec<String>>,
    /// Expected: the call stays open.
    #[serde(default)]
    pub open: bool,

    /// What to keep of the answer: a name and a path.
    #[serde(default)]
    pub keep: BTreeMap<String, String>,
}

impl Case {
    /// True if somebody has to approve for it to run.
    pub fn needs_approver(&self) -> bool {
        self.steps.iter().any(|step| {
            let approves = matches!(step.act, Do::Open | Do::Decide | Do::Approve | Do::Reject);
            approves || step.by == As::Approver
        })
    }
}

/// The files are part of the program.
const FILES: [(&str, &str); 6] = [
    ("handled.toml", include_str!("../cases/handled.toml")),
    ("refused.toml", include_str!("../cases/refused.toml")),
    ("approval.toml", include_str!("../cases/approval.toml")),
    ("agent_routes.toml", include_str!("../cases/agent_routes.toml")),
    ("strangers_text.toml", include_str!("../cases/strangers_text.toml")),
    ("money.toml", include_str!("../cases/money.toml")),
];

/// A file of cases can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The file.
    pub file: &'static str,
    /// What is wrong with it.
    pub why: String,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.file, self.why)
    }
}

impl std::error::Error for Unreadable {}

/// Every case, in the order in which they are shown.
///
/// # Errors
/// If a file is not as [`Case`] describes; a test holds that this does not happen.
pub fn all() -> Result<Vec<Case>, Unreadable> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        case: Vec<Case>,
    }
    let mut cases = Vec::new();
    for (file, text) in FILES {
        let read: File = toml::from_str(text).map_err(|error| Unreadable { file, why: error.to_string() })?;
        cases.extend(read.case);
    }
    Ok(cases)
}
