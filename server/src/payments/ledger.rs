//! The embedded provider: books of its own in the store's database. No money moves.

use desk::id::RefundId;
use desk::money::code;
use rand::RngExt as _;

use super::{Answer, Asked, Found, Provider};
use crate::store::{Claimed, Store, StoreError};

/// Letters and digits that can't be mistaken for each other, read aloud or on paper.
const ALPHABET: &[u8; 31] = b"23456789ABCDEFGHJKMNPQRSTUVWXYZ";

/// Pays by writing a line. It keeps what it paid from each payment by its own sum, so that it would refuse to pay more
/// than was captured even if the desk asked for it; the refund's id is the key of its line, so that it pays once.
#[derive(Clone, Debug)]
pub struct Ledger {
    store: Store,
}

impl Ledger {
    /// The ledger in this store's database.
    pub fn new(store: Store) -> Ledger {
        Ledger { store }
    }

    async fn pay(&self, claimed: &Claimed) -> Result<Answer, StoreError> {
        // A reference that is taken already is the only reason to try again.
        for _ in 0..8 {
            if let Found::Answered(answer) = self.look_up(claimed.refund()).await? {
                return Ok(answer);
            }
            if let Some(answer) = self.write(claimed, &reference()).await? {
                return Ok(answer);
            }
        }
        Err(StoreError::Unavailable)
    }

    /// Writes a line; none if another one stands in its place.
    async fn write(&self, claimed: &Claimed, reference: &str) -> Result<Option<Answer>, StoreError> {
        let mut transaction = self.store.pools().write().await?;
        let amount = minor(claimed.amount().0)?;
        sqlx::query(
            "INSERT INTO ledger_account (account, currency, captured, paid) VALUES ($1, $2, $3, 0) \
             ON CONFLICT (account) DO NOTHING",
        )
        .bind(claimed.account())
        .bind(code(claimed.currency()))
        .bind(minor(claimed.captured().0)?)
        .execute(&mut *transaction)
        .await?;
        let booked = sqlx::query(
            "UPDATE ledger_account SET paid = paid + $3 WHERE account = $1 AND currency = $2 \
             AND paid + $3 <= captured RETURNING paid",
        )
        .bind(claimed.account())
        .bind(code(claimed.currency()))
        .bind(amount)
        .fetch_optional(&mut *transaction)
        .await?;
        let reference = booked.map(|_| reference);
        let line = sqlx::query(
            "INSERT INTO ledger (refund, account, amount, reference) VALUES ($1, $2, $3, $4) \
             ON CONFLICT DO NOTHING RETURNING refund",
        )
        .bind(claimed.refund().as_str())
        .bind(claimed.account())
        .bind(amount)
        .bind(reference)
        .fetch_optional(&mut *transaction)
        .await?;
        if line.is_none() {
            return Ok(None);
        }
        transaction.commit().await?;
        Ok(Some(answer(reference.map(str::to_owned))))
    }

    async fn look_up(&self, refund: &RefundId) -> Result<Found, StoreError> {
        let row: Option<(Option<String>,)> = sqlx::query_as("SELECT reference FROM ledger WHERE refund = $1")
            .bind(refund.as_str())
            .fetch_optional(self.store.pools().read())
            .await?;
        Ok(row.map_or(Found::Never, |(reference,)| Found::Answered(answer(reference))))
    }
}

impl Provider for Ledger {
    fn refund(&self, claimed: Claimed) -> Asked<'_, Answer> {
        Box::pin(async move { self.pay(&claimed).await.unwrap_or(Answer::Lost) })
    }

    fn find<'a>(&'a self, refund: &'a RefundId) -> Asked<'a, Found> {
        Box::pin(async move { self.look_up(refund).await.unwrap_or(Found::Answered(Answer::Lost)) })
    }
}

/// A line without a reference is a refusal.
fn answer(reference: Option<String>) -> Answer {
    reference.map_or(Answer::Refused, Answer::Paid)
}

fn minor(amount: u64) -> Result<i64, StoreError> {
    i64::try_from(amount).map_err(|_| StoreError::Unavailable)
}

fn reference() -> String {
    let mut random = rand::rng();
    let sign = || char::from(*ALPHABET.get(random.random_range(0..ALPHABET.len())).unwrap_or(&b'2'));
    format!("RF-{}", std::iter::repeat_with(sign).take(6).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_has_six_signs_that_cannot_be_mistaken() {
        for _ in 0..1_000 {
            let reference = reference();
            let signs = reference.strip_prefix("RF-").unwrap();
            assert_eq!(signs.len(), 6);
            assert!(signs.bytes().all(|sign| ALPHABET.contains(&sign)), "{reference}");
            assert!(!signs.contains(['0', 'O', '1', 'I', 'L']), "{reference}");
        }
    }
}
