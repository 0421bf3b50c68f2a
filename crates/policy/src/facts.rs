//! What the function is given: records turned into numbers and enumerations.

/// An ISO 4217 code as three upper-case ASCII letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Currency([u8; 3]);

impl Currency {
    /// The code, if it is three upper-case ASCII letters. Whether the currency exists is not checked here.
    pub const fn new(code: [u8; 3]) -> Option<Currency> {
        let [a, b, c] = code;
        if a.is_ascii_uppercase() && b.is_ascii_uppercase() && c.is_ascii_uppercase() {
            Some(Currency(code))
        } else {
            None
        }
    }

    /// United States dollar.
    pub const USD: Currency = Currency(*b"USD");

    /// The three letters.
    pub const fn letters(self) -> [u8; 3] {
        self.0
    }
}

/// What the order's record says, as numbers. Amounts are minor units of `currency`; ages are seconds.
///
/// The refund being decided and the focused ticket's own hold are left out of `reserved`, `customer_day` and
/// `workspace_day`: a refund must not stand in its own way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderFacts {
    /// The payment's currency.
    pub currency: Currency,
    /// What the payment captured.
    pub captured: u64,
    /// What has gone back already.
    pub refunded: u64,
    /// What is held, being paid or of unknown outcome for this payment.
    pub reserved: u64,
    /// True if another ticket has an open refund on the same payment.
    pub held_elsewhere: bool,
    /// Age of the purchase.
    pub purchase: Age,
    /// Age of the delivery; none if it has not been delivered.
    pub delivery: Option<Age>,
    /// Seconds since the shop last confirmed this record; none if the shop pushes every change.
    pub record_age: Option<u64>,
    /// Sold as final.
    pub final_sale: bool,
    /// The payment is disputed. An inquiry is not a dispute.
    pub disputed: bool,
    /// Refunds the customer had before, as the shop counts them, and those paid here since.
    pub prior_refunds: u32,
    /// Refunded or reserved for this customer in the last 24 hours, in `currency`.
    pub customer_day: u64,
    /// Refunded or reserved in the whole workspace in the last 24 hours, in `currency`.
    pub workspace_day: u64,
}

/// How old something was when the ticket arrived, and how old it is now. Seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Age {
    /// When the ticket was received.
    pub at_receipt: u64,
    /// Now.
    pub now: u64,
}

/// Where a ticket stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Nobody has looked yet.
    #[default]
    New,
    /// Sorted; it can be worked on.
    Triaged,
    /// Handed to a person.
    Escalated,
    /// Done.
    Resolved,
}

/// The ticket's own refund that has not ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OwnRefund {
    /// There is none.
    #[default]
    None,
    /// It waits for a person.
    Held,
    /// The provider is being asked.
    Paying,
    /// The provider's answer was lost.
    Unknown,
}

/// What the ticket's record says: enumerations and counters of records only. No category, no summary, no size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TicketState {
    /// Where it stands.
    pub stage: Stage,
    /// Its own refund that has not ended.
    pub own: OwnRefund,
    /// A person rejected a refund, and no record that decides has changed since.
    pub rejected: bool,
    /// Somebody stopped all agents.
    pub stopped: bool,
}
