//! What strangers and agents wrote. It stands in tables of its own and never meets what decides.

use desk::Millis;
use desk::id::TicketId;
use sqlx::AnyConnection;

use super::row::{Row, bytes};
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
    /// Everything written on a ticket, of one moment.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::Unavailable`].
    pub async fn conversation(
        &self,
        workspace: &Workspace,
        ticket: &TicketId,
    ) -> Result<Conversation, StoreError> {
        let mut snapshot = self.pools().snapshot().await?;
        let head = sqlx::query(
            "SELECT workspace, subject, customer, category, summary, escalation FROM conversation \
             WHERE workspace = COALESCE((SELECT id FROM workspace WHERE id = $1), 'pristine') AND ticket = $2",
        )
        .bind(workspace.as_str())
        .bind(ticket.as_str())
        .fetch_optional(&mut *snapshot)
        .await?
        .ok_or(StoreError::NotFound)?;
        let head = Row(&head);
        let messages = sqlx::query(
            "SELECT author, at, text FROM message WHERE workspace = $1 AND ticket = $2 ORDER BY n",
        )
        .bind(head.text("workspace")?)
        .bind(ticket.as_str())
        .fetch_all(&mut *snapshot)
        .await?;
        let message = |row| {
            let row = Row(row);
            Ok(Message { from: row.text("author")?, at: row.time("at")?, text: row.written("text")? })
        };
        Ok(Conversation {
            subject: head.written("subject")?,
            customer: head.written("customer")?,
            messages: messages.iter().map(message).collect::<Result<_, StoreError>>()?,
            category: head.text_or_none("category")?,
            summary: head.written_or_none("summary")?,
            escalation: head.written_or_none("escalation")?,
        })
    }
}

/// Adds a message to a ticket.
pub(super) async fn say(
    connection: &mut AnyConnection,
    workspace: &Workspace,
    ticket: &TicketId,
    author: &str,
    text: &str,
    now: Millis,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO message (workspace, ticket, n, author, at, text) \
         SELECT $1, $2, COALESCE(MAX(n), 0) + 1, $3, $4, $5 FROM message WHERE workspace = $1 AND ticket = $2",
    )
    .bind(workspace.as_str())
    .bind(ticket.as_str())
    .bind(author)
    .bind(now.0)
    .bind(text.as_bytes())
    .execute(connection)
    .await?;
    Ok(())
}

/// Notes what triage called a ticket and said of it.
pub(super) async fn sort(
    connection: &mut AnyConnection,
    workspace: &Workspace,
    ticket: &TicketId,
    category: &str,
    summary: Option<&str>,
) -> Result<(), StoreError> {
    sqlx::query("UPDATE conversation SET category = $3, summary = $4 WHERE workspace = $1 AND ticket = $2")
        .bind(workspace.as_str())
        .bind(ticket.as_str())
        .bind(category)
        .bind(bytes(summary))
        .execute(connection)
        .await?;
    Ok(())
}

/// Notes why a ticket was handed to a person.
pub(super) async fn hand_over(
    connection: &mut AnyConnection,
    workspace: &Workspace,
    ticket: &TicketId,
    reason: &str,
) -> Result<(), StoreError> {
    sqlx::query("UPDATE conversation SET escalation = $3 WHERE workspace = $1 AND ticket = $2")
        .bind(workspace.as_str())
        .bind(ticket.as_str())
        .bind(reason.as_bytes())
        .execute(connection)
        .await?;
    Ok(())
}
