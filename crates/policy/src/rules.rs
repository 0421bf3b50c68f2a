//! What a shop decides.

use alloc::vec::Vec;

use crate::Currency;

/// Seconds of a day. A window of N days ends N × 24 hours after it started, end inclusive.
pub const DAY: u64 = 86_400;

/// The rules of a shop. "A person approves" is not among them: it is not a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// How long an order can be refunded; none: without limit.
    pub window: Option<Window>,
    /// Refunds a customer may have had before; at this number it ends. None: without limit.
    pub prior_refunds: Option<u32>,
    /// True if what was sold as final can be refunded all the same.
    pub refund_final_sale: bool,
    /// How old the shop's confirmation of a record may be, in seconds. None: any age.
    pub record_age: Option<u64>,
    /// What may go back in 24 hours, per currency. A currency without one has no budget.
    pub budgets: Vec<Budget>,
    /// What an amount needs, ascending within a currency.
    pub tiers: Vec<Tier>,
}

/// The refund window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Its length in days of 24 hours, end inclusive.
    pub days: u32,
    /// What starts it.
    pub starts: Starts,
    /// When it is measured.
    pub measured: Measured,
}

/// What starts the refund window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Starts {
    /// The purchase.
    Purchase,
    /// The delivery.
    #[default]
    Delivery,
}

/// When the refund window is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Measured {
    /// When the ticket was received: a customer does not lose a refund to a slow desk.
    #[default]
    AtReceipt,
    /// Now.
    Now,
}

/// What may go back in 24 hours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Its currency.
    pub currency: Currency,
    /// Minor units in any 24 hours.
    pub per_day: u64,
}

/// How strong an approval has to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strength {
    /// A person at the desk's own page.
    #[default]
    InPage,
    /// An approver signed in on an origin of its own.
    Console,
    /// As [`Strength::Console`], and each approval is a signed gesture.
    Passkey,
}

/// What an amount needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tier {
    /// Its currency.
    pub currency: Currency,
    /// The highest total it covers, in minor units; none: every total.
    pub up_to: Option<u64>,
    /// How many different people approve. At least one.
    pub people: u8,
    /// How strong each approval has to be.
    pub strength: Strength,
    /// Seconds until a held refund expires.
    pub expires: u64,
}

impl Rules {
    /// The rules of the demonstration: 30 days from the purchase, at most one refund before, one person approves.
    pub fn demo() -> Rules {
        Rules {
            window: Some(Window { days: 30, starts: Starts::Purchase, measured: Measured::AtReceipt }),
            prior_refunds: Some(2),
            refund_final_sale: false,
            record_age: None,
            budgets: Vec::new(),
            tiers: alloc::vec![Tier {
                currency: Currency::USD,
                up_to: None,
                people: 1,
                strength: Strength::InPage,
                expires: 3_600,
            }],
        }
    }

    /// What a total in a currency needs: the first tier that covers it. A currency without a tier, or a total above
    /// every tier, needs the most that any tier asks for: most people, highest strength, shortest time. One person
    /// approves even where a tier names none.
    pub fn tier(&self, currency: Currency, total: u64) -> Tier {
        let covers =
            |tier: &&Tier| tier.currency == currency && tier.up_to.is_none_or(|up_to| total <= up_to);
        let tier = self.tiers.iter().find(covers).copied().unwrap_or_else(|| Tier {
            currency,
            up_to: None,
            people: self.tiers.iter().map(|tier| tier.people).max().unwrap_or(1),
            strength: self.tiers.iter().map(|tier| tier.strength).max().unwrap_or_default(),
            expires: self.tiers.iter().map(|tier| tier.expires).min().unwrap_or(3_600),
        });
        Tier { people: tier.people.max(1), ..tier }
    }

    /// The budget of a currency, in minor units; none: without limit.
    pub fn budget(&self, currency: Currency) -> Option<u64> {
        self.budgets.iter().find(|budget| budget.currency == currency).map(|budget| budget.per_day)
    }
}
