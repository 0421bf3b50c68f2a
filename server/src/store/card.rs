//! What an approver sees.

use desk::Millis;
use desk::card::{Digest, Terms};
use desk::id::{RefundId, TicketId};
use desk::order::Order;
use desk::ticket::Ticket;
use policy::Strength;

use super::{ActiveRules, Refund, Store, StoreError, Workspace};

/// A refund with the records it stands on as they are now, and the agent's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// The refund.
    pub refund: Refund,
    /// The order's record now.
    pub order: Order,
    /// The ticket's record now.
    pub ticket: Ticket,
    /// What an approval is bound to now.
    pub terms: Terms,
    /// The digest of the terms.
    pub digest: Digest,
    /// How many people approve, by the stricter of then and now.
    pub people: u8,
    /// How strong each approval has to be, by the stricter of then and now.
    pub strength: Strength,
    /// How many people have approved these terms.
    pub approved_by: u8,
    /// True if the customer wrote after it was staged.
    pub newer_message: bool,
    /// The agent's words, as they were sent: untrusted. At most five.
    pub words: Vec<String>,
}

impl Store {
    /// What an approver sees of one refund.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::OtherRules`], [`StoreError::Unavailable`].
    pub async fn card(&self, _: &RefundId, _: &ActiveRules, _: Millis) -> Result<Card, StoreError> {
        Err(StoreError::Unavailable)
    }

    /// What waits in one workspace, or on one of its tickets; oldest first.
    ///
    /// # Errors
    /// As [`Store::card`].
    pub async fn cards(
        &self,
        _: &Workspace,
        _: Option<&TicketId>,
        _: &ActiveRules,
        _: Millis,
    ) -> Result<Vec<Card>, StoreError> {
        Err(StoreError::Unavailable)
    }

    /// What waits in every workspace but `demo`; oldest first, at most `limit`.
    ///
    /// # Errors
    /// As [`Store::card`].
    pub async fn cards_everywhere(
        &self,
        _: &ActiveRules,
        _: Millis,
        _limit: u32,
    ) -> Result<Vec<Card>, StoreError> {
        Err(StoreError::Unavailable)
    }
}
