//! Payments that were begun and did not end: a crash, a lost answer.

use desk::Millis;
use desk::id::RefundId;

use super::row::Row;
use super::{Refund, Store, StoreError};
use crate::clock::Clock;
use crate::payments::{Found, Provider};

impl Store {
    /// Asks the provider about every refund it was last asked to pay at least `grace` seconds ago and that has not ended.
    /// What it never heard of is paid again under the same key, so that nothing is paid twice. Answers the refunds that
    /// ended. At start `grace` is 0. One that can't be settled now is left for the next time.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] if what to ask about can't be read.
    pub async fn recover(
        &self,
        provider: &dyn Provider,
        grace: u64,
        clock: &dyn Clock,
    ) -> Result<Vec<Refund>, StoreError> {
        let rows = sqlx::query(
            "SELECT id, asked_at FROM refund WHERE state IN ('paying', 'unknown') AND asked_at <= $1 \
             ORDER BY asked_at",
        )
        .bind(clock.now().minus_seconds(grace).0)
        .fetch_all(self.pools().read())
        .await?;
        let mut ended = Vec::new();
        for row in &rows {
            let (id, asked) = (Row(row).id("id")?, Row(row).time("asked_at")?);
            match self.recover_one(provider, &id, asked, clock).await {
                Ok(Some(refund)) if refund.state.ended() => ended.push(refund),
                Ok(_) => {}
                Err(error) => tracing::warn!(refund = %id, %error, "a payment is still open"),
            }
        }
        Ok(ended)
    }

    async fn recover_one(
        &self,
        provider: &dyn Provider,
        id: &RefundId,
        asked: Millis,
        clock: &dyn Clock,
    ) -> Result<Option<Refund>, StoreError> {
        match provider.find(id).await {
            Found::Answered(answer) => Ok(Some(self.settle(id, answer, clock.now()).await?)),
            Found::Never => match self.claim_again(id, asked, clock.now()).await? {
                Some(claimed) => Ok(Some(self.pay(provider, claimed, clock).await?)),
                None => Ok(None),
            },
        }
    }
}
