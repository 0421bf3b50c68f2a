//! A person decides.

use desk::Millis;
use desk::id::RefundId;
use desk::refund::State;
use policy::Code;

use super::card::{Card, approvals, card};
use super::change::Change;
use super::refund::refund_columns;
use super::row::{Row, bytes, stored};
use super::terms::changed_since;
use super::{ActiveRules, Actor, Approver, Changed, Claimed, Refund, Store, StoreError, refund};

/// One press of Approve or Reject.
#[derive(Clone, Copy, Debug)]
pub struct Press<'a> {
    /// The hash of the nonce that was sent.
    pub nonce_hash: &'a str,
    /// Who presses.
    pub approver: &'a Approver,
    /// The digest of the card that was shown, if it was sent.
    pub digest: Option<&'a str>,
    /// May reach the customer.
    pub note_to_customer: Option<&'a str>,
    /// Stays with the staff.
    pub note_internal: Option<&'a str>,
}

/// What an approval came to.
#[derive(Debug)]
pub enum Approved {
    /// Enough people approved: hand it to [`Store::pay`].
    Claimed(Claimed),
    /// This many more people have to approve.
    More(u8, Box<Refund>),
}

impl Store {
    /// Approves. The policy is run again on the records as they are now. The nonce is used up, whatever the answer.
    ///
    /// # Errors
    /// [`StoreError::BadNonce`]; [`StoreError::TermsChanged`], which ends the refund if the policy no longer permits
    /// it; [`StoreError::AlreadyDecided`], [`StoreError::NotStrongEnough`], [`StoreError::NotPayable`],
    /// [`StoreError::OtherRules`], [`StoreError::Unavailable`].
    pub async fn approve(
        &self,
        press: Press<'_>,
        rules: &ActiveRules,
        now: Millis,
    ) -> Result<Approved, StoreError> {
        let mut change = self.press(press, now).await?;
        let approved = change.approve(press, rules).await;
        change.answered(approved).await
    }

    /// Rejects: the refund tool is absent until a record that decides changes or a person reopens the ticket.
    ///
    /// # Errors
    /// As [`Store::approve`].
    pub async fn reject(
        &self,
        press: Press<'_>,
        rules: &ActiveRules,
        now: Millis,
    ) -> Result<Refund, StoreError> {
        let mut change = self.press(press, now).await?;
        let rejected = change.reject(press, rules).await;
        change.answered(rejected).await
    }

    /// The refund that an unused nonce of this approver is for. Uses nothing up.
    ///
    /// # Errors
    /// [`StoreError::BadNonce`], [`StoreError::Unavailable`].
    pub async fn pressed(
        &self,
        nonce_hash: &str,
        approver: &Approver,
        now: Millis,
    ) -> Result<Refund, StoreError> {
        let row = sqlx::query(concat!(
            "SELECT ",
            refund_columns!("r."),
            " FROM nonce n JOIN refund r ON r.id = n.refund \
             WHERE n.hash = $1 AND n.approver = $2 AND n.used_at IS NULL AND n.expires_at > $3"
        ))
        .bind(nonce_hash)
        .bind(approver.id.as_str())
        .bind(now.0)
        .fetch_optional(self.pools().read())
        .await?
        .ok_or(StoreError::BadNonce)?;
        refund::read(&Row(&row))
    }

    /// Begins the change that a press makes. A guessed nonce does not get as far as to hold anything up.
    async fn press(&self, press: Press<'_>, now: Millis) -> Result<Pressed, StoreError> {
        let known = self.pressed(press.nonce_hash, press.approver, now).await?;
        let mut change = self.change(&known.workspace, now).await?;
        let used = sqlx::query(
            "UPDATE nonce SET used_at = $3 WHERE hash = $1 AND approver = $2 AND used_at IS NULL \
             AND expires_at > $3 RETURNING refund, digest",
        )
        .bind(press.nonce_hash)
        .bind(press.approver.id.as_str())
        .bind(now.0)
        .fetch_optional(change.connection())
        .await?
        .ok_or(StoreError::BadNonce)?;
        let used = Row(&used);
        Ok(Pressed { refund: used.id("refund")?, digest: used.text("digest")?, change })
    }
}

/// A change whose nonce is used up.
struct Pressed {
    change: Change,
    refund: RefundId,
    digest: String,
}

impl Pressed {
    /// Commits what was done: also the use of the nonce for a press that was refused, unless the store failed.
    async fn answered<T>(self, answer: Result<T, StoreError>) -> Result<T, StoreError> {
        if !matches!(answer, Err(StoreError::Unavailable | StoreError::OtherRules)) {
            self.change.commit().await?;
        }
        answer
    }

    async fn approve(&mut self, press: Press<'_>, rules: &ActiveRules) -> Result<Approved, StoreError> {
        let card = self.card(press, rules).await?;
        let permit = &card.permit;
        let changed = self.stale(press, &card).await?;
        if !permit.eligible() || card.refund.amount.0 > permit.refund.remaining {
            let code = if permit.eligible() { Code::Budget } else { permit.code() };
            let end = State::TermsChanged;
            self.change.end_held(&Actor::Approver, &card.refund, end, Some(code.as_str())).await?;
            return Err(StoreError::TermsChanged { changed: changed.unwrap_or_default(), ended: true });
        }
        if let Some(changed) = changed {
            return Err(StoreError::TermsChanged { changed, ended: false });
        }
        sqlx::query(
            "INSERT INTO approval (refund, approver, digest, at) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (refund, approver) DO UPDATE SET digest = $3, at = $4",
        )
        .bind(self.refund.as_str())
        .bind(press.approver.id.as_str())
        .bind(card.digest.as_str())
        .bind(self.change.now.0)
        .execute(self.change.connection())
        .await?;
        let refund = self.note(press).await?;
        let given = approvals(self.change.connection(), &self.refund, &card.digest).await?;
        let missing = card.people.saturating_sub(given);
        if missing > 0 {
            self.change.refund_event(&Actor::Approver, "approved", &refund, None).await?;
            return Ok(Approved::More(missing, Box::new(refund)));
        }
        let claimed = self.change.claim(&refund, card.order.payment.captured).await?;
        Ok(Approved::Claimed(claimed))
    }

    async fn reject(&mut self, press: Press<'_>, rules: &ActiveRules) -> Result<Refund, StoreError> {
        let card = self.card(press, rules).await?;
        if let Some(changed) = self.stale(press, &card).await? {
            return Err(StoreError::TermsChanged { changed, ended: false });
        }
        let refund = self.note(press).await?;
        let versions = card.terms.versions;
        sqlx::query(
            "UPDATE ticket SET rejected_order = $3, rejected_ticket = $4 WHERE workspace = $1 AND id = $2",
        )
        .bind(refund.workspace.as_str())
        .bind(refund.ticket.as_str())
        .bind(stored(versions.order))
        .bind(stored(versions.ticket))
        .execute(self.change.connection())
        .await?;
        self.change.end_held(&Actor::Approver, &refund, State::Rejected, None).await
    }

    /// The card as it is now, if the refund still waits and this approver may decide it.
    async fn card(&mut self, press: Press<'_>, rules: &ActiveRules) -> Result<Card, StoreError> {
        let now = self.change.now;
        let card = match card(self.change.connection(), &self.refund, rules, now).await {
            // From before a reset.
            Err(StoreError::NotFound) => return Err(StoreError::AlreadyDecided),
            other => other?,
        };
        if card.refund.state != State::Held {
            return Err(StoreError::AlreadyDecided);
        }
        if card.refund.expires_at <= now {
            self.change.end_held(&Actor::Desk, &card.refund, State::Expired, None).await?;
            return Err(StoreError::AlreadyDecided);
        }
        if press.approver.strength < card.strength {
            return Err(StoreError::NotStrongEnough);
        }
        if !card.refund.workspace.payable() {
            return Err(StoreError::NotPayable);
        }
        Ok(card)
    }

    /// What changed since the nonce was minted, or since the card that was pressed; none if nothing did.
    async fn stale(&mut self, press: Press<'_>, card: &Card) -> Result<Option<Vec<Changed>>, StoreError> {
        let shown = press.digest.unwrap_or(&self.digest);
        for digest in [shown, &self.digest] {
            if digest != card.digest.as_str() {
                return Ok(Some(changed_since(self.change.connection(), card, digest).await?));
            }
        }
        Ok(None)
    }

    /// Keeps the notes of a press. A later one replaces what it fills in.
    async fn note(&mut self, press: Press<'_>) -> Result<Refund, StoreError> {
        let update = sqlx::query(concat!(
            "UPDATE refund SET note_to_customer = COALESCE($2, note_to_customer), \
             note_internal = COALESCE($3, note_internal) WHERE id = $1 RETURNING ",
            refund_columns!("")
        ))
        .bind(self.refund.as_str())
        .bind(bytes(press.note_to_customer))
        .bind(bytes(press.note_internal));
        self.change.one(update).await
    }
}
