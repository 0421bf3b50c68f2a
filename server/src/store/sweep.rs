//! What time ends.

use desk::Millis;
use desk::refund::State;

use super::row::Row;
use super::{Actor, Refund, Store, StoreError};

/// Days without a change after which a sandbox is dropped, and days for which events are kept.
const DAYS: u64 = 7;

const DAY: u64 = 86_400;

impl Store {
    /// Ends what has expired. Answers the refunds that did.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn expire(&self, now: Millis) -> Result<Vec<Refund>, StoreError> {
        let rows = sqlx::query(
            "SELECT id FROM refund WHERE state = 'held' AND expires_at <= $1 ORDER BY expires_at LIMIT 1000",
        )
        .bind(now.0)
        .fetch_all(self.pools().read())
        .await?;
        let mut expired = Vec::new();
        for row in &rows {
            let (mut change, refund) = self.change_of(&Row(row).id("id")?, now).await?;
            if refund.state != State::Held || refund.expires_at > now {
                continue;
            }
            expired.push(change.end_held(&Actor::Desk, &refund, State::Expired, None).await?);
            change.commit().await?;
        }
        Ok(expired)
    }

    /// Drops sandboxes without a change for 7 days, but none with an open refund; events older than 7 days, and nonces
    /// that have expired.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn tidy(&self, now: Millis) -> Result<(), StoreError> {
        let before = now.minus_seconds(DAYS * DAY).0;
        let mut transaction = self.pools().write().await?;
        sqlx::query(
            "DELETE FROM workspace WHERE used_at < $1 AND id NOT IN ('demo', 'pristine') AND NOT EXISTS \
             (SELECT r.id FROM refund r WHERE r.workspace = workspace.id \
              AND r.state IN ('held', 'paying', 'unknown'))",
        )
        .bind(before)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        for (statement, until) in [
            ("DELETE FROM event WHERE at < $1", before),
            ("DELETE FROM nonce WHERE expires_at <= $1", now.0),
            ("DELETE FROM console_code WHERE expires_at < $1", now.0),
            ("DELETE FROM console_session WHERE expires_at < $1", now.0),
        ] {
            let mut transaction = self.pools().write().await?;
            sqlx::query(statement).bind(until).execute(&mut *transaction).await?;
            transaction.commit().await?;
        }
        Ok(())
    }
}
