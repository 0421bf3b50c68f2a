//! The one door to money, as a type.

use desk::Millis;
use desk::id::RefundId;
use desk::money::{Currency, Minor};

use super::change::Change;
use super::held::what;
use super::refund::refund_columns;
use super::row::{Row, stored};
use super::{Actor, Refund, Store, StoreError};

/// A refund that enough people approved and that nobody else is paying. Only a claim makes one, and it can't be
/// copied, so a provider can't be asked for what nobody approved.
#[derive(Debug)]
pub struct Claimed {
    refund: RefundId,
    account: String,
    captured: Minor,
    amount: Minor,
    currency: Currency,
}

impl Claimed {
    /// The refund: the provider's idempotency key.
    pub fn refund(&self) -> &RefundId {
        &self.refund
    }

    /// The payment, by a name that no other workspace shares.
    pub fn account(&self) -> &str {
        &self.account
    }

    /// What the payment captured.
    pub fn captured(&self) -> Minor {
        self.captured
    }

    /// What to pay.
    pub fn amount(&self) -> Minor {
        self.amount
    }

    /// In this currency.
    pub fn currency(&self) -> Currency {
        self.currency
    }

    /// Private to this module: the two functions below are all that make one.
    fn new(refund: &Refund, captured: Minor) -> Claimed {
        Claimed {
            refund: refund.id.clone(),
            account: format!("{}/{:x}/{}", refund.workspace, refund.epoch, refund.payment),
            captured,
            amount: refund.amount,
            currency: refund.currency,
        }
    }
}

impl Change {
    /// Takes a refund from held to being paid. Of all who try, one succeeds.
    pub(super) async fn claim(&mut self, held: &Refund, captured: Minor) -> Result<Claimed, StoreError> {
        let now = self.now;
        let claimed = self
            .one(
                sqlx::query(concat!(
                    "UPDATE refund SET state = 'paying', asked_at = $3, captured = $4 \
                     WHERE id = $1 AND state = 'held' AND amount = $2 RETURNING ",
                    refund_columns!("")
                ))
                .bind(held.id.as_str())
                .bind(stored(held.amount.0))
                .bind(now.0)
                .bind(stored(captured.0)),
            )
            .await?;
        self.refund_event(&Actor::Approver, what(claimed.state), &claimed, None).await?;
        Ok(Claimed::new(&claimed, captured))
    }
}

impl Store {
    /// Takes up a payment that was begun and did not end, so that it can be asked for again under the same key. Of all
    /// who try at once, one succeeds; the others get none.
    pub(super) async fn claim_again(
        &self,
        id: &RefundId,
        last_asked: Millis,
        now: Millis,
    ) -> Result<Option<Claimed>, StoreError> {
        let (mut change, _) = self.change_of(id, now).await?;
        let row = sqlx::query(concat!(
            "UPDATE refund SET asked_at = $3 WHERE id = $1 AND state IN ('paying', 'unknown') AND asked_at = $2 \
             RETURNING captured, ",
            refund_columns!("")
        ))
        .bind(id.as_str())
        .bind(last_asked.0)
        .bind(now.0)
        .fetch_optional(change.connection())
        .await?;
        let Some(row) = row else {
            return Ok(None);
        };
        let row = Row(&row);
        let claimed = super::refund::read(&row)?;
        change.refund_event(&Actor::Desk, "payment asked for again", &claimed, None).await?;
        change.commit().await?;
        Ok(Some(Claimed::new(&claimed, row.minor("captured")?)))
    }
}
