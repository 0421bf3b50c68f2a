//! What time ends.

use desk::Millis;
use desk::refund::State;

use super::row::Row;
use super::{Actor, Refund, Store, StoreError};

/// Days without a change after which a sandbox is dropped, and days for which events are kept.
const DAYS: u64 = 7;

const DAY: u64 = 86_400;

/// Sandboxes that nobody changed since `$1` and in which nothing is open.
macro_rules! idle {
    ($what:literal) => {
        concat!(
            $what,
            " FROM workspace WHERE used_at < $1 AND id NOT IN ('demo', 'pristine') AND NOT EXISTS \
             (SELECT r.id FROM refund r WHERE r.workspace = workspace.id \
              AND r.state IN ('held', 'paying', 'unknown'))"
        )
    };
}

impl Store {
    /// Ends what has expired, and answers it. Drops sandboxes without a change for 7 days, but none with an open refund;
    /// events older than 7 days; nonces and sign-ins that have expired. Cheap while there is nothing to do.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn sweep(&self, now: Millis) -> Result<Vec<Refund>, StoreError> {
        let expired = self.expire(now).await?;
        self.tidy(now).await?;
        Ok(expired)
    }

    async fn expire(&self, now: Millis) -> Result<Vec<Refund>, StoreError> {
        let rows = sqlx::query(
            "SELECT id FROM refund WHERE state = 'held' AND expires_at <= $1 ORDER BY expires_at LIMIT 1000",
        )
        .bind(now.0)
        .fetch_all(self.pools().read())
        .await?;
        let mut expired = Vec::new();
        for row in &rows {
            let (mut change, refund) = self.change_of(&Row(row).id("id")?, now).await?;
            // It may have been decided since.
            if refund.state == State::Held && refund.expires_at <= now {
                expired.push(change.end_held(&Actor::Desk, &refund, State::Expired, None).await?);
                change.commit().await?;
            }
        }
        Ok(expired)
    }

    async fn tidy(&self, now: Millis) -> Result<(), StoreError> {
        let old = now.minus_seconds(DAYS * DAY).0;
        for (any, delete, until) in [
            (idle!("SELECT id"), idle!("DELETE"), old),
            ("SELECT seq FROM event WHERE at < $1 LIMIT 1", "DELETE FROM event WHERE at < $1", old),
            (
                "SELECT hash FROM nonce WHERE expires_at <= $1 LIMIT 1",
                "DELETE FROM nonce WHERE expires_at <= $1",
                now.0,
            ),
            (
                "SELECT hash FROM sign_in WHERE expires_at <= $1 LIMIT 1",
                "DELETE FROM sign_in WHERE expires_at <= $1",
                now.0,
            ),
        ] {
            if sqlx::query(any).bind(until).fetch_optional(self.pools().read()).await?.is_some() {
                let mut transaction = self.pools().write().await?;
                sqlx::query(delete).bind(until).execute(&mut *transaction).await?;
                transaction.commit().await?;
            }
        }
        Ok(())
    }
}
