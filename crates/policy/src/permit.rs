//! What the function answers.

use crate::{Code, Reasons, ToolSet};

/// What an order and a ticket's state permit now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permit {
    /// The tools that exist now. One that is not here is not refused: it is absent.
    pub tools: ToolSet,
    /// What may be refunded, or why nothing may.
    pub refund: Refund,
    /// How old the order is by the window's measure, where a window applied.
    pub window: Option<WindowAge>,
    considered: Reasons,
}

/// What may be refunded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refund {
    /// The most that may be staged now, in minor units; 0 unless eligible.
    pub remaining: u64,
    /// All that speaks against it, first one decisive.
    pub reasons: Reasons,
}

/// An order's age against the window, in whole days. A begun day counts once the window is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowAge {
    /// The order's age.
    pub days: u64,
    /// The window's length.
    pub window: u32,
}

/// What one rule said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It has nothing against the refund.
    Passed,
    /// It speaks against the refund.
    Refused,
    /// It had nothing to judge: its record or its setting is missing.
    NotConsidered,
}

/// One rule and what it said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The rule, by the code it refuses with.
    pub rule: Code,
    /// What it said.
    pub outcome: Outcome,
}

impl Permit {
    pub(crate) fn new(
        tools: ToolSet,
        refund: Refund,
        window: Option<WindowAge>,
        considered: Reasons,
    ) -> Permit {
        Permit { tools, refund, window, considered }
    }

    /// The decisive code: the first reason, or [`Code::Eligible`].
    pub fn code(&self) -> Code {
        self.refund.reasons.first()
    }

    /// True if a refund may be staged now.
    pub fn eligible(&self) -> bool {
        self.refund.reasons.is_empty()
    }

    /// What each rule said, in the order in which they decide.
    pub fn trace(&self) -> impl Iterator<Item = Step> {
        let (reasons, considered) = (self.refund.reasons, self.considered);
        Code::REASONS.into_iter().map(move |rule| Step {
            rule,
            outcome: if reasons.contains(rule) {
                Outcome::Refused
            } else if considered.contains(rule) {
                Outcome::Passed
            } else {
                Outcome::NotConsidered
            },
        })
    }
}
