//! Sign-ins of the console: one-use codes, and sessions. Only hashes are kept.

use desk::Millis;
use desk::id::RefundId;

use super::{Approver, Refund, Store, StoreError};

impl Store {
    /// Stores the hash of a one-use code.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn add_console_code(&self, _hash: &str, _expires: Millis) -> Result<(), StoreError> {
        Err(StoreError::Unavailable)
    }

    /// Uses up a code and begins a session. False if there is no such code, or it was used or has expired.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn begin_console_session(
        &self,
        _code: &str,
        _session: &str,
        _approver: &str,
        _expires: Millis,
        _now: Millis,
    ) -> Result<bool, StoreError> {
        Err(StoreError::Unavailable)
    }

    /// The approver of a session.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn console_session(&self, _hash: &str, _now: Millis) -> Result<Option<String>, StoreError> {
        Err(StoreError::Unavailable)
    }

    /// Ends a session.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn end_console_session(&self, _hash: &str) -> Result<(), StoreError> {
        Err(StoreError::Unavailable)
    }

    /// The refund that an unused nonce is for.
    ///
    /// # Errors
    /// [`StoreError::BadNonce`], [`StoreError::Unavailable`].
    pub async fn pressed(&self, _nonce: &str, _: &Approver, _: Millis) -> Result<Refund, StoreError> {
        Err(StoreError::Unavailable)
    }

    /// Refunds that are held for a page.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn held_by_pages(&self) -> Result<Vec<Refund>, StoreError> {
        let _: Option<RefundId> = None;
        Err(StoreError::Unavailable)
    }
}
