//! How long a test waits before it says that something never came. Not an assertion about speed: it is far longer than
//! anything takes, and only keeps a broken test from waiting for ever.

use std::future::Future;
use std::time::Duration;

/// The longest wait for one thing.
pub const DEADLINE: Duration = Duration::from_secs(60);

/// The same for what takes minutes on a slow machine: a whole proof.
pub const LONG: Duration = Duration::from_secs(600);

/// How often a state that sends no event is looked at.
pub const LOOK: Duration = Duration::from_millis(20);

/// What comes, or a panic that names what did not.
pub async fn within<T>(what: &str, coming: impl Future<Output = T>) -> T {
    match tokio::time::timeout(DEADLINE, coming).await {
        Ok(value) => value,
        Err(_) => panic!("waited {} seconds for {what}", DEADLINE.as_secs()),
    }
}

/// Looks again and again until there is something.
pub async fn until<T, F>(what: &str, mut look: impl FnMut() -> F) -> T
where
    F: Future<Output = Option<T>>,
{
    within(what, async {
        let mut ticks = tokio::time::interval(LOOK);
        loop {
            ticks.tick().await;
            if let Some(found) = look().await {
                return found;
            }
        }
    })
    .await
}
