//! Tickets: where they stand and what moves them. What a ticket says is not here.

pub use policy::Stage;

use crate::Millis;
use crate::id::{OrderId, TicketId};

/// The record of a ticket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// Its name.
    pub id: TicketId,
    /// The order it is about: a record made by the shop or by a person, never read out of a message.
    pub order: Option<OrderId>,
    /// Where it stands.
    pub stage: Stage,
    /// When it came in.
    pub received_at: Millis,
    /// Counts changes of what decides.
    pub version: u64,
    /// The records on which a person rejected a refund.
    pub rejected: Option<Versions>,
}

/// The versions of the two records that decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Versions {
    /// Of the order.
    pub order: u64,
    /// Of the ticket.
    pub ticket: u64,
}

/// What somebody does to a ticket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Sort it.
    Triage,
    /// Hand it to a person.
    Escalate,
    /// Close it. Only a person does.
    Resolve,
    /// Take it up again. Only a person does; it also lifts a rejection.
    Reopen,
}

impl Move {
    /// Every move.
    pub const ALL: [Move; 4] = [Move::Triage, Move::Escalate, Move::Resolve, Move::Reopen];

    /// True if an agent can do it with a tool.
    pub const fn by_agent(self) -> bool {
        matches!(self, Move::Triage | Move::Escalate)
    }
}

/// The stage a move leads to; none if it isn't possible from there. Reopening a triaged ticket keeps its stage: it is
/// how a person lifts a rejection.
pub const fn after(stage: Stage, action: Move) -> Option<Stage> {
    match (stage, action) {
        (Stage::New, Move::Triage) => Some(Stage::Triaged),
        (Stage::Triaged, Move::Escalate) => Some(Stage::Escalated),
        (Stage::New | Stage::Triaged | Stage::Escalated, Move::Resolve) => Some(Stage::Resolved),
        (Stage::Triaged | Stage::Escalated | Stage::Resolved, Move::Reopen) => Some(Stage::Triaged),
        _ => None,
    }
}

/// The word a stage is stored and shown as.
pub const fn word(stage: Stage) -> &'static str {
    match stage {
        Stage::New => "new",
        Stage::Triaged => "triaged",
        Stage::Escalated => "escalated",
        Stage::Resolved => "resolved",
    }
}

/// The stage stored as this word.
pub fn stage(text: &str) -> Option<Stage> {
    [Stage::New, Stage::Triaged, Stage::Escalated, Stage::Resolved]
        .into_iter()
        .find(|stage| word(*stage) == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_people_take_a_ticket_back() {
        for stage in [Stage::Triaged, Stage::Escalated, Stage::Resolved] {
            assert_eq!(after(stage, Move::Reopen), Some(Stage::Triaged));
        }
        assert_eq!(after(Stage::New, Move::Reopen), None);
        assert!(!Move::Reopen.by_agent() && !Move::Resolve.by_agent());
        assert!(Move::Triage.by_agent() && Move::Escalate.by_agent());
    }

    #[test]
    fn a_ticket_is_triaged_once_and_escalated_after_that() {
        assert_eq!(after(Stage::New, Move::Triage), Some(Stage::Triaged));
        assert_eq!(after(Stage::Triaged, Move::Escalate), Some(Stage::Escalated));
        for stage in [Stage::Triaged, Stage::Escalated, Stage::Resolved] {
            assert_eq!(after(stage, Move::Triage), None);
        }
        for stage in [Stage::New, Stage::Escalated, Stage::Resolved] {
            assert_eq!(after(stage, Move::Escalate), None);
        }
        assert_eq!(after(Stage::Resolved, Move::Resolve), None);
        for open in [Stage::New, Stage::Triaged, Stage::Escalated] {
            assert_eq!(after(open, Move::Resolve), Some(Stage::Resolved));
        }
    }

    #[test]
    fn words_name_stages_both_ways() {
        for name in ["new", "triaged", "escalated", "resolved"] {
            assert_eq!(word(stage(name).unwrap()), name);
        }
        assert_eq!(stage("closed"), None);
    }
}
