//! Why a refund is not permitted.

/// A reason against a refund, or [`Code::Eligible`]. The order of the variants is the order in which they decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Code {
    /// Somebody stopped all agents.
    Stopped = 0,
    /// No order is on record for the ticket.
    NoOrder = 1,
    /// The order's record is older than the shop accepts.
    StaleRecord = 2,
    /// The order has not been delivered.
    NotDelivered = 3,
    /// The order is older than the refund window.
    OutsideWindow = 4,
    /// The order was sold as final.
    FinalSale = 5,
    /// The payment is disputed; a refund would pay twice.
    Disputed = 6,
    /// Nothing is left to refund.
    AlreadyRefunded = 7,
    /// The customer reached the number of refunds the shop allows.
    RefundLimit = 8,
    /// Another ticket holds a refund on the same order.
    ReservedElsewhere = 9,
    /// A person rejected it, and no record that decides has changed since.
    Rejected = 10,
    /// The budget of the last 24 hours is used up.
    Budget = 11,
    /// The ticket is escalated or resolved.
    TicketClosed = 12,
    /// Nobody has triaged the ticket yet.
    NotTriaged = 13,
    /// Nothing speaks against it.
    Eligible = 14,
}

impl Code {
    /// Every reason against a refund, in the order in which they decide.
    pub const REASONS: [Code; 14] = [
        Code::Stopped,
        Code::NoOrder,
        Code::StaleRecord,
        Code::NotDelivered,
        Code::OutsideWindow,
        Code::FinalSale,
        Code::Disputed,
        Code::AlreadyRefunded,
        Code::RefundLimit,
        Code::ReservedElsewhere,
        Code::Rejected,
        Code::Budget,
        Code::TicketClosed,
        Code::NotTriaged,
    ];

    /// The code as programs see it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Code::Stopped => "STOPPED",
            Code::NoOrder => "NO_ORDER",
            Code::StaleRecord => "STALE_RECORD",
            Code::NotDelivered => "NOT_DELIVERED",
            Code::OutsideWindow => "OUTSIDE_WINDOW",
            Code::FinalSale => "FINAL_SALE",
            Code::Disputed => "DISPUTED",
            Code::AlreadyRefunded => "ALREADY_REFUNDED",
            Code::RefundLimit => "REFUND_LIMIT",
            Code::ReservedElsewhere => "RESERVED_ELSEWHERE",
            Code::Rejected => "REJECTED",
            Code::Budget => "BUDGET",
            Code::TicketClosed => "TICKET_CLOSED",
            Code::NotTriaged => "NOT_TRIAGED",
            Code::Eligible => "ELIGIBLE",
        }
    }

    const fn bit(self) -> u16 {
        1 << self as u16
    }
}

/// The reasons against a refund, first one decisive. Empty means eligible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Reasons(u16);

impl Reasons {
    /// No reason: eligible.
    pub const NONE: Reasons = Reasons(0);

    /// These reasons and one more. [`Code::Eligible`] is not a reason and adds nothing.
    #[must_use]
    pub const fn with(self, code: Code) -> Reasons {
        match code {
            Code::Eligible => self,
            code => Reasons(self.0 | code.bit()),
        }
    }

    /// True if nothing speaks against the refund.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// True if the reason is among them.
    pub const fn contains(self, code: Code) -> bool {
        self.0 & code.bit() != 0
    }

    /// The decisive reason, or [`Code::Eligible`].
    pub fn first(self) -> Code {
        self.iter().next().unwrap_or(Code::Eligible)
    }

    /// The reasons in the order in which they decide.
    pub fn iter(self) -> impl Iterator<Item = Code> {
        Code::REASONS.into_iter().filter(move |code| self.contains(*code))
    }
}
