//! From records to what the policy is given. The only maker of the policy's facts.

use policy::{Age, OrderFacts, OwnRefund, TicketState};

use crate::Millis;
use crate::money::Minor;
use crate::order::{Dispute, Order};
use crate::refund::State;
use crate::ticket::{Ticket, Versions};

/// The ticket's own refund that has not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Own {
    /// Where it stands.
    pub state: State,
    /// What it reserves.
    pub amount: Minor,
}

/// Sums over other records, in the order's currency, the ticket's own open refund included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Refunded or reserved for the order's customer in the last 24 hours.
    pub customer_day: Minor,
    /// Refunded or reserved in the workspace in the last 24 hours.
    pub workspace_day: Minor,
}

/// What the policy is told of an order, seen from one of its tickets. The ticket's own open refund is left out: it
/// must not stand in its own way.
pub fn order_facts(order: &Order, ticket: &Ticket, own: Option<Own>, sums: Sums, now: Millis) -> OrderFacts {
    let own = own.filter(|own| own.state.reserves()).map_or(0, |own| own.amount.0);
    let payment = &order.payment;
    let reserved = payment.reserved.0.saturating_sub(own);
    let age = |since: Millis| Age {
        at_receipt: ticket.received_at.seconds_since(since),
        now: now.seconds_since(since),
    };
    OrderFacts {
        currency: payment.currency,
        captured: payment.captured.0,
        refunded: payment.refunded.0,
        reserved,
        held_elsewhere: reserved > 0,
        purchase: age(order.purchased_at),
        delivery: order.delivered_at.map(age),
        record_age: order.confirmed_at.map(|at| now.seconds_since(at)),
        final_sale: order.final_sale,
        disputed: order.dispute == Some(Dispute::Chargeback),
        prior_refunds: order.prior_refunds,
        customer_day: sums.customer_day.0.saturating_sub(own),
        workspace_day: sums.workspace_day.0.saturating_sub(own),
    }
}

/// What the policy is told of a ticket. `order_version` is that of its order, if it has one; `stopped` is true while
/// agents are stopped.
pub fn ticket_state(
    ticket: &Ticket,
    order_version: Option<u64>,
    own: Option<Own>,
    stopped: bool,
) -> TicketState {
    let standing = order_version.map(|order| Versions { order, ticket: ticket.version });
    TicketState {
        stage: ticket.stage,
        own: own.map_or(OwnRefund::None, |own| own.state.own()),
        rejected: ticket.rejected.is_some() && ticket.rejected == standing,
        stopped,
    }
}

/// The total that a refund's tier is found on: this refund plus what is refunded or reserved on the order, or plus
/// what is refunded or reserved for the customer in 24 hours, whichever is more.
pub fn tier_total(facts: &OrderFacts, amount: Minor) -> u64 {
    let order = facts.refunded.saturating_add(facts.reserved);
    amount.0.saturating_add(order.max(facts.customer_day))
}
