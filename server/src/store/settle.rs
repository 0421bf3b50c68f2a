//! From a claim to its end.

use desk::Millis;
use desk::id::RefundId;
use desk::refund::State;

use super::change::Change;
use super::held::what;
use super::refund::refund_columns;
use super::row::{Row, stored};
use super::{Actor, Claimed, Refund, Store, StoreError, refund};
use crate::clock::Clock;
use crate::payments::{Answer, Provider};

/// How long a paid refund counts in the sums of a day, in seconds.
const DAY: u64 = 86_400;

impl Store {
    /// Asks the provider to pay and settles what it answers. `clock` tells when the answer came. Run it in a task of its
    /// own: a request that goes away must not take it along.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`]: the refund stays `paying` until [`Store::recover`].
    pub async fn pay(
        &self,
        provider: &dyn Provider,
        claimed: Claimed,
        clock: &dyn Clock,
    ) -> Result<Refund, StoreError> {
        let id = claimed.refund().clone();
        let answer = provider.refund(claimed).await;
        self.settle(&id, answer, clock.now()).await
    }

    /// Settles a refund that is being paid or whose outcome is unknown, and answers it as it is then. An answer that
    /// comes again changes nothing.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::Unavailable`].
    pub async fn settle(&self, id: &RefundId, answer: Answer, now: Millis) -> Result<Refund, StoreError> {
        let (mut change, refund) = self.change_of(id, now).await?;
        let settled = match &answer {
            Answer::Paid(reference) => change.paid(id, reference).await?,
            Answer::Refused => change.refused(id).await?,
            Answer::Lost => change.lost(id).await?,
        };
        let Some(settled) = settled else {
            let contradiction = match answer {
                Answer::Paid(_) => refund.state != State::Paid && refund.state != State::Returned,
                Answer::Refused => refund.state != State::Failed,
                Answer::Lost => false,
            };
            if contradiction {
                tracing::error!(refund = %id, state = refund.state.as_str(), "the provider contradicts itself");
            }
            return Ok(refund);
        };
        change.refund_event(&Actor::Desk, what(settled.state), &settled, None).await?;
        change.commit().await?;
        Ok(settled)
    }
}

impl Change {
    /// What was reserved has gone back. It is a record that decides: every order of the customer counts one refund more.
    async fn paid(&mut self, id: &RefundId, reference: &str) -> Result<Option<Refund>, StoreError> {
        let now = self.now;
        let row = sqlx::query(concat!(
            "UPDATE refund SET state = 'paid', ended_at = $2, counts_until = $3, reference = $4 \
             WHERE id = $1 AND state IN ('paying', 'unknown') RETURNING ",
            refund_columns!("")
        ))
        .bind(id.as_str())
        .bind(now.0)
        .bind(now.plus_seconds(DAY).0)
        .bind(reference)
        .fetch_optional(self.connection())
        .await?;
        let Some(row) = row else {
            return Ok(None);
        };
        let paid = refund::read(&Row(&row))?;
        if paid.epoch == self.epoch {
            sqlx::query(
                "UPDATE payment SET reserved = reserved - $3, refunded = refunded + $3 \
                 WHERE workspace = $1 AND id = $2 AND reserved >= $3 RETURNING refunded",
            )
            .bind(paid.workspace.as_str())
            .bind(paid.payment.as_str())
            .bind(stored(paid.amount.0))
            .fetch_optional(self.connection())
            .await?
            .ok_or(StoreError::Unavailable)?;
            sqlx::query(
                "UPDATE orders SET prior_refunds = prior_refunds + 1, version = version + 1 \
                 WHERE workspace = $1 AND customer = $2",
            )
            .bind(paid.workspace.as_str())
            .bind(paid.customer.as_str())
            .execute(self.connection())
            .await?;
        }
        Ok(Some(paid))
    }

    async fn refused(&mut self, id: &RefundId) -> Result<Option<Refund>, StoreError> {
        let now = self.now;
        let row = sqlx::query(concat!(
            "UPDATE refund SET state = 'failed', ended_at = $2, counts_until = 0 \
             WHERE id = $1 AND state IN ('paying', 'unknown') RETURNING ",
            refund_columns!("")
        ))
        .bind(id.as_str())
        .bind(now.0)
        .fetch_optional(self.connection())
        .await?;
        let Some(row) = row else {
            return Ok(None);
        };
        let failed = refund::read(&Row(&row))?;
        self.release(&failed, failed.amount.0).await?;
        Ok(Some(failed))
    }

    /// Its amount stays reserved until the provider says what happened.
    async fn lost(&mut self, id: &RefundId) -> Result<Option<Refund>, StoreError> {
        let row = sqlx::query(concat!(
            "UPDATE refund SET state = 'unknown' WHERE id = $1 AND state = 'paying' RETURNING ",
            refund_columns!("")
        ))
        .bind(id.as_str())
        .fetch_optional(self.connection())
        .await?;
        row.map(|row| refund::read(&Row(&row))).transpose()
    }
}
