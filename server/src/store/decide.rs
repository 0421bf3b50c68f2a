//! A person decides.

use desk::Millis;
use desk::id::RefundId;
use desk::money::Minor;

use super::{ActiveRules, Approver, Card, Claimed, Refund, Store, StoreError};

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
    /// Stores the hash of a nonce for this approver, this refund and what the digest stands for.
    ///
    /// # Errors
    /// [`StoreError::NotFound`]; [`StoreError::NotPayable`] in `demo`; [`StoreError::AlreadyDecided`];
    /// [`StoreError::NotStrongEnough`]; [`StoreError::TermsChanged`] if the digest is stale;
    /// [`StoreError::OtherRules`], [`StoreError::Unavailable`].
    pub async fn mint(&self, _: Mint<'_>, _: &ActiveRules, _: Millis) -> Result<(), StoreError> {
        Err(StoreError::Unavailable)
    }

    /// Lowers what would be paid.
    ///
    /// # Errors
    /// As [`Store::mint`], and [`StoreError::AmountInvalid`] unless it is more than zero and less than before.
    pub async fn lower(
        &self,
        _: &RefundId,
        _: &Approver,
        _: Minor,
        _: &ActiveRules,
        _: Millis,
    ) -> Result<Card, StoreError> {
        Err(StoreError::Unavailable)
    }

    /// Approves. The policy is run again on the records as they are now.
    ///
    /// # Errors
    /// [`StoreError::BadNonce`]; [`StoreError::TermsChanged`], which ends the refund if the policy no longer permits
    /// it; [`StoreError::AlreadyDecided`], [`StoreError::NotStrongEnough`], [`StoreError::NotPayable`],
    /// [`StoreError::OtherRules`], [`StoreError::Unavailable`].
    pub async fn approve(&self, _: Press<'_>, _: &ActiveRules, _: Millis) -> Result<Approved, StoreError> {
        Err(StoreError::Unavailable)
    }

    /// Rejects: the refund tool is absent until a record that decides changes or a person reopens the ticket.
    ///
    /// # Errors
    /// As [`Store::approve`].
    pub async fn reject(&self, _: Press<'_>, _: &ActiveRules, _: Millis) -> Result<Refund, StoreError> {
        Err(StoreError::Unavailable)
    }
}
