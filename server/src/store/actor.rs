//! Who does something, told by the credential and never by a body.

use policy::Strength;

/// Who does something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Actor {
    /// An agent with its token, or without any credential.
    Agent(Agent),
    /// A person at the desk's page.
    Person,
    /// A person who approves.
    Approver,
    /// The desk itself: expiry, recovery, a command.
    Desk,
}

/// An agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// What kind of credential it is.
    pub kind: AgentKind,
    /// Names the credential; not the token itself.
    pub credential: String,
}

/// What kind of credential an agent has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AgentKind {
    /// None.
    Anonymous,
    /// A token in a page; its holds live as long as the page's stream.
    Tab,
    /// As [`AgentKind::Tab`], used by a person who plays the agent.
    Played,
    /// A token over HTTP; its holds outlive its requests.
    Direct,
}

/// Who approves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approver {
    /// Names the person or the page's session.
    pub id: String,
    /// How strong an approval of this session is.
    pub strength: Strength,
}

impl Actor {
    /// The word on the record.
    pub fn who(&self) -> &'static str {
        match self {
            Actor::Agent(Agent { kind: AgentKind::Played, .. }) => "person playing the agent",
            Actor::Agent(_) => "agent",
            Actor::Person => "person",
            Actor::Approver => "approver",
            Actor::Desk => "desk",
        }
    }

    /// True if what exists for agents is what it may do.
    pub fn is_agent(&self) -> bool {
        matches!(self, Actor::Agent(_))
    }
}

impl AgentKind {
    /// The word it is stored as.
    pub const fn as_str(self) -> &'static str {
        match self {
            AgentKind::Anonymous => "anonymous",
            AgentKind::Tab => "tab",
            AgentKind::Played => "played",
            AgentKind::Direct => "direct",
        }
    }

    /// The kind stored as this word.
    pub fn parse(word: &str) -> Option<AgentKind> {
        [AgentKind::Anonymous, AgentKind::Tab, AgentKind::Played, AgentKind::Direct]
            .into_iter()
            .find(|kind| kind.as_str() == word)
    }
}
