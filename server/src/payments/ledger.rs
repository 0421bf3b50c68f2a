//! The embedded provider: a ledger in the store's own database.

use desk::id::RefundId;

use super::{Answer, Asked, Found, Provider};
use crate::store::{Claimed, Store};

/// Pays by writing a line. No money moves.
#[derive(Clone, Debug)]
pub struct Ledger {
    _store: Store,
}

impl Ledger {
    /// The ledger in this store's database.
    pub fn new(store: Store) -> Ledger {
        Ledger { _store: store }
    }
}

impl Provider for Ledger {
    fn refund(&self, _: Claimed) -> Asked<'_, Answer> {
        Box::pin(async { Answer::Lost })
    }

    fn find<'a>(&'a self, _: &'a RefundId) -> Asked<'a, Found> {
        Box::pin(async { Found::Answered(Answer::Lost) })
    }
}
