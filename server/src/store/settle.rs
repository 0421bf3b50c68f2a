//! From a claim to its end.

use desk::Millis;
use desk::id::RefundId;

use super::{Claimed, Refund, Store, StoreError};
use crate::payments::{Answer, Provider};

impl Store {
    /// Asks the provider to pay and settles what it answers. Run it in a task of its own: a request that goes away
    /// must not take it along.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`]: the refund stays `paying` until [`Store::recover`].
    pub async fn pay(&self, _: &dyn Provider, _: Claimed, _: Millis) -> Result<Refund, StoreError> {
        Err(StoreError::Unavailable)
    }

    /// Settles a refund that is being paid. An answer that comes again changes nothing.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::Unavailable`].
    pub async fn settle(&self, _: &RefundId, _: Answer, _: Millis) -> Result<Refund, StoreError> {
        Err(StoreError::Unavailable)
    }

    /// Asks the provider about every refund whose payment began at least `grace` seconds ago and has not ended; what it
    /// does not know is paid again under the same key. Answers what ended. At start, `grace` is 0.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn recover(&self, _: &dyn Provider, _grace: u64, _: Millis) -> Result<Vec<Refund>, StoreError> {
        Err(StoreError::Unavailable)
    }
}
