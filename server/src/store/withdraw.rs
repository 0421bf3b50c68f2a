//! How a wait ends without a decision.

use desk::Millis;
use desk::id::RefundId;

use super::{Actor, Agent, Refund, Store, StoreError};

impl Store {
    /// A caller takes its call back: the last one withdraws what is held, earlier ones only leave. A refund that is
    /// past being held stays as it is. It counts as having received the outcome.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], also if another credential staged it; [`StoreError::Unavailable`].
    pub async fn withdraw(&self, _: &RefundId, _: &Agent, _: Millis) -> Result<Refund, StoreError> {
        Err(StoreError::Unavailable)
    }

    /// Whoever waited is gone: what is held ends as `withdrawn`, and no call has received that.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::Unavailable`].
    pub async fn gone(&self, _: &RefundId, _: &Actor, _: Millis) -> Result<Refund, StoreError> {
        Err(StoreError::Unavailable)
    }

    /// A call has received the outcome. Without effect before the refund ended, or for another credential.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::Unavailable`].
    pub async fn receive(&self, _: &RefundId, _: &Agent, _: Millis) -> Result<(), StoreError> {
        Err(StoreError::Unavailable)
    }

    /// Ends what has expired, drops sandboxes that nobody used for 7 days, and events, nonces older than they are
    /// kept. Answers the refunds that expired.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn sweep(&self, _: Millis) -> Result<Vec<Refund>, StoreError> {
        Err(StoreError::Unavailable)
    }
}
