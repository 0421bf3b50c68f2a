//! One consistent read of all that decides about a ticket.

use desk::Millis;
use desk::facts::{self, Own, Sums};
use desk::id::{RefundId, TicketId};
use desk::money::Minor;
use desk::order::Order;
use desk::refund::State;
use desk::ticket::Ticket;
use policy::{OrderFacts, Permit, Purpose, Rules, policy};

use super::{Store, StoreError, Workspace};

/// A ticket, its order, its own open refund and the sums over others, as they were at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The workspace that was asked for.
    pub workspace: Workspace,
    /// The ticket.
    pub ticket: Ticket,
    /// Its order, if one is on record.
    pub order: Option<Order>,
    /// Its own refund that has not ended.
    pub own: Option<OpenRefund>,
    /// Sums over other records.
    pub sums: Sums,
    /// True while agents are stopped, here or everywhere.
    pub stopped: bool,
    /// The newest event this answer knows; 0 before the first change.
    pub seq: i64,
    /// The version of the active rules.
    pub rules: u64,
}

/// A refund that has not ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenRefund {
    /// The refund.
    pub id: RefundId,
    /// `held`, `paying` or `unknown`.
    pub state: State,
    /// What it reserves.
    pub amount: Minor,
}

impl View {
    /// What the policy is told of the order; none if the ticket has none on record.
    pub fn facts(&self, now: Millis) -> Option<OrderFacts> {
        let order = self.order.as_ref()?;
        Some(facts::order_facts(order, &self.ticket, self.own(), self.sums, now))
    }

    /// What is permitted under these rules.
    pub fn permit(&self, rules: &Rules, now: Millis, purpose: Purpose) -> Permit {
        let version = self.order.as_ref().map(|order| order.version);
        let state = facts::ticket_state(&self.ticket, version, self.own(), self.stopped);
        policy(rules, self.facts(now).as_ref(), &state, purpose)
    }

    fn own(&self) -> Option<Own> {
        self.own.as_ref().map(|own| Own { state: own.state, amount: own.amount })
    }
}

impl Store {
    /// All that decides about a ticket. A workspace that is not written yet reads as the pristine demonstration.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::Unavailable`].
    pub async fn view(&self, _: &Workspace, _: &TicketId, _: Millis) -> Result<View, StoreError> {
        Err(StoreError::Unavailable)
    }
}
