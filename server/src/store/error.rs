//! What the store refuses, and why.

use policy::{Code, Permit};

/// Why an operation did not happen. Nothing of what was sent is in it, and nothing of it is written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// `NOT_FOUND`: there is no such ticket, order or refund, or it belongs to somebody else.
    #[error("there is no such record")]
    NotFound,
    /// `NOT_AVAILABLE`: the tool is not held, or the move isn't possible from where the ticket stands.
    #[error("that is not possible now")]
    NotAvailable,
    /// The policy's code: no refund may be staged. The permit is what `desk::explain::sentence` needs.
    #[error("the policy does not permit the refund")]
    Policy {
        /// The reason that decides.
        code: Code,
        /// What is permitted instead.
        permit: Box<Permit>,
    },
    /// `AMOUNT_INVALID`: more than may still be refunded; when lowering, zero or not less than before.
    #[error("the amount is not one that can be refunded")]
    AmountInvalid,
    /// `BAD_NONCE`: unknown, used, expired, for another refund or from another approver.
    #[error("the approval did not come from the form")]
    BadNonce,
    /// `TERMS_CHANGED`: what was approved is not what would be paid now.
    #[error("the terms changed")]
    TermsChanged {
        /// What is different from what the approver was shown; empty if the digest was never shown.
        changed: Vec<Changed>,
        /// True if the refund has ended because the policy no longer permits it.
        ended: bool,
    },
    /// `ALREADY_DECIDED`: the refund does not wait any more.
    #[error("it was decided before")]
    AlreadyDecided,
    /// `NOT_STRONG_ENOUGH`: the amount needs a stronger approval than this session can give.
    #[error("the approval is not strong enough")]
    NotStrongEnough,
    /// `NOT_PAYABLE`: nothing in this workspace is ever paid.
    #[error("nothing is paid here")]
    NotPayable,
    /// `TOO_MANY_SANDBOXES`: no further sandbox is made now.
    #[error("there are too many sandboxes")]
    TooManySandboxes,
    /// The caller holds rules of an older or newer version than the store: read them again and repeat.
    #[error("the rules are of another version")]
    OtherRules,
    /// `UNAVAILABLE`: the database did not answer, is full or can't be written.
    #[error("the store is not available")]
    Unavailable,
}

/// A part of what an approval is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Changed {
    /// What would be paid.
    Amount,
    /// The order's record.
    Order,
    /// The ticket's record.
    Ticket,
    /// The shop's rules.
    Rules,
}

impl Changed {
    /// The word in an answer.
    pub const fn as_str(self) -> &'static str {
        match self {
            Changed::Amount => "amount",
            Changed::Order => "order",
            Changed::Ticket => "ticket",
            Changed::Rules => "rules",
        }
    }
}

/// A rule of the tables that was about to be broken, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Broken {
    /// Two open refunds of one payment.
    OneOpenRefundPerPayment,
    /// More reserved and refunded than captured.
    NeverAboveCaptured,
}

/// Which of our rules the database says was about to be broken. SQLite names an index by its columns.
pub(super) fn broken(error: &sqlx::Error) -> Option<Broken> {
    let error = error.as_database_error()?;
    let says = |name: &str| error.constraint() == Some(name) || error.message().contains(name);
    if says("one_open_refund_per_payment") || says("refund.workspace, refund.epoch, refund.payment") {
        Some(Broken::OneOpenRefundPerPayment)
    } else if says("payment_never_above_captured") {
        Some(Broken::NeverAboveCaptured)
    } else {
        None
    }
}

impl From<sqlx::Error> for StoreError {
    /// The log has the cause once. A database's message may quote a value, so its code stands for it.
    fn from(error: sqlx::Error) -> StoreError {
        match error.as_database_error() {
            Some(database) => {
                let code = database.code().unwrap_or_default();
                let rule = broken(&error).map(|rule| format!("{rule:?}"));
                tracing::error!(code = %code, rule, "the database refused");
            }
            None => tracing::error!(error = %error, "the database did not answer"),
        }
        StoreError::Unavailable
    }
}
