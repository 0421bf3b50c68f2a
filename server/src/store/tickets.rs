//! What people and agents do to tickets.

use desk::Millis;
use desk::id::{OrderId, TicketId};
use desk::ticket::Ticket;
use wire::ticket::Category;

use super::{ActiveRules, Actor, Store, StoreError, Workspace};

/// A message from a customer, never facts of an order.
#[derive(Clone, Copy, Debug)]
pub struct Compose<'a> {
    /// The subject line.
    pub subject: &'a str,
    /// The name the customer gives.
    pub customer: &'a str,
    /// The message.
    pub message: &'a str,
    /// An order on record.
    pub order: Option<&'a OrderId>,
}

/// What triage says of a ticket.
#[derive(Clone, Copy, Debug)]
pub struct Triage<'a> {
    /// What it is about.
    pub category: Category,
    /// One sentence for the desk.
    pub summary: Option<&'a str>,
}

impl Store {
    /// All tickets of a workspace, in the order of their names.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn tickets(&self, _: &Workspace) -> Result<Vec<Ticket>, StoreError> {
        Err(StoreError::Unavailable)
    }

    /// Makes a ticket out of a message. Its name is the next free one.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if the order is not on record, [`StoreError::TooManySandboxes`],
    /// [`StoreError::Unavailable`].
    pub async fn compose(
        &self,
        _: &Workspace,
        _: &Actor,
        _: Compose<'_>,
        _: Millis,
    ) -> Result<TicketId, StoreError> {
        Err(StoreError::Unavailable)
    }

    /// Sorts a new ticket.
    ///
    /// # Errors
    /// [`StoreError::NotFound`]; [`StoreError::NotAvailable`] if an agent does not hold the tool, or the ticket is not
    /// new; [`StoreError::OtherRules`], [`StoreError::TooManySandboxes`], [`StoreError::Unavailable`].
    pub async fn triage(
        &self,
        _: &Workspace,
        _: &Actor,
        _: &TicketId,
        _: Triage<'_>,
        _: &ActiveRules,
        _: Millis,
    ) -> Result<Ticket, StoreError> {
        Err(StoreError::Unavailable)
    }

    /// Writes to the customer.
    ///
    /// # Errors
    /// As [`Store::triage`].
    pub async fn reply(
        &self,
        _: &Workspace,
        _: &Actor,
        _: &TicketId,
        _message: &str,
        _: &ActiveRules,
        _: Millis,
    ) -> Result<Ticket, StoreError> {
        Err(StoreError::Unavailable)
    }

    /// Hands a ticket to a person. A refund that is held for it ends as `terms_changed`.
    ///
    /// # Errors
    /// As [`Store::triage`].
    pub async fn escalate(
        &self,
        _: &Workspace,
        _: &Actor,
        _: &TicketId,
        _reason: &str,
        _: &ActiveRules,
        _: Millis,
    ) -> Result<Ticket, StoreError> {
        Err(StoreError::Unavailable)
    }

    /// Closes a ticket. Only for people. A refund that is held for it ends as `terms_changed`.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::NotAvailable`], [`StoreError::TooManySandboxes`],
    /// [`StoreError::Unavailable`].
    pub async fn resolve(&self, _: &Workspace, _: &TicketId, _: Millis) -> Result<Ticket, StoreError> {
        Err(StoreError::Unavailable)
    }

    /// Takes a ticket up again and lifts a rejection. Only for people.
    ///
    /// # Errors
    /// As [`Store::resolve`].
    pub async fn reopen(&self, _: &Workspace, _: &TicketId, _: Millis) -> Result<Ticket, StoreError> {
        Err(StoreError::Unavailable)
    }
}
