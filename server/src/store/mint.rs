//! What comes before a press: a nonce, and a smaller amount.

use desk::Millis;
use desk::id::RefundId;
use desk::money::Minor;
use desk::refund::State;

use super::card::card;
use super::change::Change;
use super::refund::refund_columns;
use super::row::stored;
use super::terms::changed_since;
use super::{ActiveRules, Actor, Approver, Card, Store, StoreError};

/// A nonce that is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Mint<'a> {
    /// For this refund.
    pub refund: &'a RefundId,
    /// For this approver.
    pub approver: &'a Approver,
    /// The digest of the card that is shown.
    pub digest: &'a str,
    /// The hash of the nonce; the nonce itself is never stored.
    pub nonce_hash: &'a str,
    /// Until then.
    pub expires_at: Millis,
}

impl Store {
    /// Stores the hash of a nonce for this approver, this refund and what the digest stands for.
    ///
    /// # Errors
    /// [`StoreError::NotFound`]; [`StoreError::NotPayable`] in `demo`; [`StoreError::AlreadyDecided`];
    /// [`StoreError::NotStrongEnough`]; [`StoreError::TermsChanged`] if the digest is stale;
    /// [`StoreError::OtherRules`], [`StoreError::Unavailable`].
    pub async fn mint(&self, mint: Mint<'_>, rules: &ActiveRules, now: Millis) -> Result<(), StoreError> {
        let (mut change, card) = self.waiting(mint.refund, mint.approver, rules, now).await?;
        if card.digest.as_str() != mint.digest {
            let changed = changed_since(change.connection(), &card, mint.digest).await?;
            return Err(StoreError::TermsChanged { changed, ended: false });
        }
        sqlx::query(
            "INSERT INTO nonce (hash, refund, approver, digest, expires_at) VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(mint.nonce_hash)
        .bind(mint.refund.as_str())
        .bind(mint.approver.id.as_str())
        .bind(mint.digest)
        .bind(mint.expires_at.0)
        .execute(change.connection())
        .await?;
        change.refund_event(&Actor::Approver, "approval opened", &card.refund, None).await?;
        change.commit().await
    }

    /// Lowers what would be paid, and releases the rest. The new card has a new digest.
    ///
    /// # Errors
    /// As [`Store::mint`], and [`StoreError::AmountInvalid`] unless it is more than zero and less than before.
    pub async fn lower(
        &self,
        id: &RefundId,
        approver: &Approver,
        amount: Minor,
        rules: &ActiveRules,
        now: Millis,
    ) -> Result<Card, StoreError> {
        let (mut change, before) = self.waiting(id, approver, rules, now).await?;
        let less = before.refund.amount.0.checked_sub(amount.0).filter(|less| *less > 0 && amount.0 > 0);
        let less = less.ok_or(StoreError::AmountInvalid)?;
        change.release(&before.refund, less).await?;
        let lowered = change
            .one(
                sqlx::query(concat!(
                    "UPDATE refund SET amount = $2 WHERE id = $1 AND state = 'held' RETURNING ",
                    refund_columns!("")
                ))
                .bind(id.as_str())
                .bind(stored(amount.0)),
            )
            .await?;
        change.refund_event(&Actor::Approver, "amount lowered", &lowered, None).await?;
        let after = card(change.connection(), id, rules, now).await?;
        change.commit().await?;
        Ok(after)
    }

    /// Begins a change about a refund that waits and that this approver may decide.
    async fn waiting(
        &self,
        id: &RefundId,
        approver: &Approver,
        rules: &ActiveRules,
        now: Millis,
    ) -> Result<(Change, Card), StoreError> {
        let (mut change, refund) = self.change_of(id, now).await?;
        if !refund.workspace.payable() {
            return Err(StoreError::NotPayable);
        }
        if refund.state != State::Held || refund.expires_at <= now {
            return Err(StoreError::AlreadyDecided);
        }
        let card = card(change.connection(), id, rules, now).await?;
        if approver.strength < card.strength {
            return Err(StoreError::NotStrongEnough);
        }
        Ok((change, card))
    }
}
