//! Orders and their payments, as the shop's record has them.

use crate::Millis;
use crate::id::{CustomerId, OrderId, PaymentId};
use crate::money::{Currency, Minor};

/// One order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// Its name in the shop.
    pub id: OrderId,
    /// Who bought.
    pub customer: CustomerId,
    /// What was paid.
    pub payment: Payment,
    /// When it was bought.
    pub purchased_at: Millis,
    /// When it arrived; none: not yet.
    pub delivered_at: Option<Millis>,
    /// When the shop last confirmed this record; none: the shop pushes every change.
    pub confirmed_at: Option<Millis>,
    /// Sold as final.
    pub final_sale: bool,
    /// What the bank says about the payment.
    pub dispute: Option<Dispute>,
    /// Refunds the customer had before, as the shop counts them, and those paid here since.
    pub prior_refunds: u32,
    /// Counts changes of what decides; a reservation is not one.
    pub version: u64,
}

/// The payment of an order. Never more than `captured` goes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payment {
    /// Its name at the provider.
    pub id: PaymentId,
    /// Its currency.
    pub currency: Currency,
    /// What was taken from the customer.
    pub captured: Minor,
    /// What has gone back.
    pub refunded: Minor,
    /// What is held, being paid or of unknown outcome.
    pub reserved: Minor,
}

impl Payment {
    /// What may still be reserved: captured less refunded less reserved.
    pub fn free(&self) -> Minor {
        let taken = self.refunded.0.saturating_add(self.reserved.0);
        Minor(self.captured.0.saturating_sub(taken))
    }
}

/// A dispute of a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dispute {
    /// The bank asks; no money has moved, and a refund may still settle it.
    Inquiry,
    /// The bank took the money back; a refund would pay twice.
    Chargeback,
}

impl Dispute {
    /// The word it is stored as.
    pub const fn as_str(self) -> &'static str {
        match self {
            Dispute::Inquiry => "inquiry",
            Dispute::Chargeback => "chargeback",
        }
    }

    /// The dispute stored as this word.
    pub fn parse(word: &str) -> Option<Dispute> {
        [Dispute::Inquiry, Dispute::Chargeback].into_iter().find(|dispute| dispute.as_str() == word)
    }
}
