//! What strangers and agents wrote. It stands in tables of its own and never meets what decides.

use desk::Millis;
use desk::id::TicketId;

use super::{Store, StoreError, Workspace};

/// Everything written on a ticket: untrusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conversation {
    /// The customer's subject line.
    pub subject: String,
    /// The name the customer gave.
    pub customer: String,
    /// Oldest first.
    pub messages: Vec<Message>,
    /// What triage called it: a word of `wire::ticket::Category`.
    pub category: Option<String>,
    /// What triage said of it.
    pub summary: Option<String>,
    /// Why it was escalated.
    pub escalation: Option<String>,
}

/// One message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// `customer`, `agent` or `person`.
    pub from: String,
    /// When it was written.
    pub at: Millis,
    /// As it was written.
    pub text: String,
}

impl Store {
    /// Everything written on a ticket.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::Unavailable`].
    pub async fn conversation(&self, _: &Workspace, _: &TicketId) -> Result<Conversation, StoreError> {
        Err(StoreError::Unavailable)
    }
}
