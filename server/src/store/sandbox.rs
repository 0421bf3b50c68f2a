//! Sandboxes: made at the first change, reset, dropped when nobody used them.

use desk::Millis;

use super::{Actor, Store, StoreError, Workspace};

impl Store {
    /// Writes a workspace if it is not written yet, as the pristine demonstration. Every change does this by itself.
    ///
    /// # Errors
    /// [`StoreError::TooManySandboxes`], [`StoreError::Unavailable`].
    pub async fn ensure(&self, _: &Workspace, _: Millis) -> Result<(), StoreError> {
        Err(StoreError::Unavailable)
    }

    /// Makes a workspace as it was at first. Refunds that are held end as `withdrawn`; those being paid go on, and no
    /// longer count here. Its `seq` goes on.
    ///
    /// # Errors
    /// As [`Store::ensure`].
    pub async fn reset(&self, _: &Workspace, _: &Actor, _: Millis) -> Result<(), StoreError> {
        Err(StoreError::Unavailable)
    }

    /// Stops agents in one workspace, or lets them go on. Held refunds stay decidable.
    ///
    /// # Errors
    /// As [`Store::ensure`].
    pub async fn stop(&self, _: &Workspace, _: &Actor, _stopped: bool, _: Millis) -> Result<(), StoreError> {
        Err(StoreError::Unavailable)
    }

    /// Stops agents in every workspace, or lets them go on where they are not stopped by their own.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn stop_everywhere(&self, _: &Actor, _stopped: bool, _: Millis) -> Result<(), StoreError> {
        Err(StoreError::Unavailable)
    }
}
