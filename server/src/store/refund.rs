//! Refunds as they are stored.

use desk::Millis;
use desk::id::{CustomerId, OrderId, PaymentId, RefundId, TicketId};
use desk::money::{Currency, Minor};
use desk::refund::State;
use desk::ticket::Versions;
use policy::Strength;

use super::{Agent, Store, StoreError, Workspace};

/// One refund. No text of strangers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refund {
    /// Its unguessable name.
    pub id: RefundId,
    /// Where it is.
    pub workspace: Workspace,
    /// Its ticket.
    pub ticket: TicketId,
    /// Its order.
    pub order: OrderId,
    /// Whose order it is.
    pub customer: CustomerId,
    /// The payment it comes from.
    pub payment: PaymentId,
    /// In this currency.
    pub currency: Currency,
    /// What the agent asked for.
    pub asked: Minor,
    /// What was or would be paid; a person may have lowered it.
    pub amount: Minor,
    /// Where it stands.
    pub state: State,
    /// Who staged it.
    pub by: Agent,
    /// How many calls wait for it.
    pub callers: u32,
    /// True once a call has received its outcome.
    pub received: bool,
    /// How many people approve.
    pub people: u8,
    /// How strong each approval has to be.
    pub strength: Strength,
    /// The records it was staged on.
    pub staged_on: Versions,
    /// The rules it was staged under.
    pub staged_under: u64,
    /// When it was staged.
    pub staged_at: Millis,
    /// When it expires, if it is still held then.
    pub expires_at: Millis,
    /// When it ended.
    pub ended_at: Option<Millis>,
    /// The provider's reference, once paid.
    pub reference: Option<String>,
    /// The approver's note meant for the customer.
    pub note_to_customer: Option<String>,
    /// The approver's note for the staff. Not for an agent.
    pub note_internal: Option<String>,
}

impl Store {
    /// One refund, of whatever workspace; compare [`Refund::workspace`].
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::Unavailable`].
    pub async fn refund(&self, _: &RefundId) -> Result<Refund, StoreError> {
        Err(StoreError::Unavailable)
    }

    /// The refunds of a ticket since its workspace was made or reset, newest first.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn refunds(&self, _: &Workspace, _: &TicketId) -> Result<Vec<Refund>, StoreError> {
        Err(StoreError::Unavailable)
    }
}
