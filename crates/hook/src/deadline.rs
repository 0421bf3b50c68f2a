//! A deadline of our own, below the one the harness has: a hook that it cancels leaves the raw result in place.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Why there is no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The time was up.
    Late,
    /// The work broke off.
    Broken,
}

/// Does the work on a thread of its own and waits at most `limit` for it. Reading stdin may block for ever, so the
/// thread that waits does nothing else.
///
/// # Errors
/// The time was up, or the work panicked. The thread that was late ends with the process.
pub fn within<T: Send + 'static>(
    limit: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Ended> {
    let (done, waiting) = channel();
    let spawned = std::thread::Builder::new().stack_size(8 << 20).spawn(move || {
        let _ = done.send(work());
    });
    if spawned.is_err() {
        return Err(Ended::Broken);
    }
    waiting.recv_timeout(limit).map_err(|error| match error {
        RecvTimeoutError::Timeout => Ended::Late,
        RecvTimeoutError::Disconnected => Ended::Broken,
    })
}
