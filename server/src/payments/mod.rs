//! Who pays: the embedded ledger, or a provider.

mod ledger;

use std::pin::Pin;

use desk::id::RefundId;
pub use ledger::Ledger;

pub use crate::store::Claimed;

/// An answer that is being waited for.
pub type Asked<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What pays refunds. The refund's id is the idempotency key: the same refund asked for twice is paid once.
pub trait Provider: std::fmt::Debug + Send + Sync {
    /// Pays.
    fn refund(&self, claimed: Claimed) -> Asked<'_, Answer>;

    /// What became of a refund.
    fn find<'a>(&'a self, refund: &'a RefundId) -> Asked<'a, Found>;
}

/// What a provider answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It paid; its reference.
    Paid(String),
    /// It will not pay.
    Refused,
    /// Nobody knows: the answer did not arrive.
    Lost,
}

/// What a provider knows of a refund.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// This is what it answered.
    Answered(Answer),
    /// It was never asked.
    Never,
}
