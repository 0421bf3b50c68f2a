//! The one door to money, as a type.

use desk::id::RefundId;
use desk::money::{Currency, Minor};

/// A refund that enough people approved and that nobody else is paying. Only the claim makes one, and it can't be
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
}
