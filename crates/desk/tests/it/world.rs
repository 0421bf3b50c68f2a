//! A desk made of nothing but this crate's functions, and all that an agent can do to it.

use desk::Millis;
use desk::call::{Call, Earlier, call};
use desk::facts::{Own, Sums, order_facts, ticket_state};
use desk::money::Minor;
use desk::order::Order;
use desk::refund::{Event, State};
use desk::ticket::{Move, Ticket, after};
use policy::{Permit, Purpose, Rules, Tool, policy};

/// One thing an agent does. Tickets, refunds and callers are chosen by number, whoever they belong to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Act {
    Triage(usize),
    Escalate(usize),
    Stage { ticket: usize, amount: u64, caller: u8 },
    Withdraw { refund: usize, caller: u8 },
    Receive { refund: usize },
    Wait { seconds: u64 },
}

#[derive(Clone, Debug)]
pub(crate) struct Refund {
    pub(crate) ticket: usize,
    pub(crate) caller: u8,
    pub(crate) amount: Minor,
    pub(crate) state: State,
    pub(crate) ended_at: Option<Millis>,
    pub(crate) received: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) rules: Rules,
    pub(crate) orders: Vec<Order>,
    pub(crate) tickets: Vec<Ticket>,
    pub(crate) refunds: Vec<Refund>,
    pub(crate) stopped: bool,
    /// What went back in the workspace today before any of this.
    pub(crate) spent: u64,
    pub(crate) now: Millis,
}

impl World {
    pub(crate) fn order_of(&self, ticket: usize) -> Option<&Order> {
        let wanted = self.tickets.get(ticket)?.order.as_ref()?;
        self.orders.iter().find(|order| order.id == *wanted)
    }

    fn own(&self, ticket: usize) -> Option<Own> {
        self.refunds
            .iter()
            .find(|refund| refund.ticket == ticket && refund.state.reserves())
            .map(|refund| Own { state: refund.state, amount: refund.amount })
    }

    pub(crate) fn permit(&self, ticket: usize) -> Permit {
        let record = &self.tickets[ticket];
        let open: u64 =
            self.refunds.iter().filter(|refund| refund.state.reserves()).map(|one| one.amount.0).sum();
        let sums = Sums { customer_day: Minor(open), workspace_day: Minor(self.spent + open) };
        let order = self.order_of(ticket);
        let own = self.own(ticket);
        let facts = order.map(|order| order_facts(order, record, own, sums, self.now));
        let state = ticket_state(record, order.map(|order| order.version), own, self.stopped);
        policy(&self.rules, facts.as_ref(), &state, Purpose::Agents)
    }

    /// Does it, if the agent holds the tool for it.
    pub(crate) fn act(&mut self, act: Act) {
        match act {
            Act::Triage(ticket) => self.go(ticket, Tool::TriageTicket, Move::Triage),
            Act::Escalate(ticket) => {
                self.go(ticket, Tool::EscalateTicket, Move::Escalate);
                if self.tickets[ticket].stage == policy::Stage::Escalated {
                    self.end(|refund| refund.ticket == ticket, Event::TermsChange);
                }
            }
            Act::Stage { ticket, amount, caller } => self.stage(ticket, Minor(amount), caller),
            Act::Withdraw { refund, caller } => {
                let place = refund % self.refunds.len().max(1);
                let chosen = self.refunds.get(place).is_some_and(|refund| refund.caller == caller);
                if chosen {
                    self.end_at(place, Event::Withdraw);
                }
            }
            Act::Receive { refund } => {
                let place = refund % self.refunds.len().max(1);
                if let Some(refund) = self.refunds.get_mut(place) {
                    refund.received |= refund.state.ended();
                }
            }
            Act::Wait { seconds } => self.now = self.now.plus_seconds(seconds),
        }
    }

    fn go(&mut self, ticket: usize, tool: Tool, action: Move) {
        assert!(action.by_agent());
        if !self.permit(ticket).tools.contains(tool) {
            return;
        }
        let record = &mut self.tickets[ticket];
        if let Some(next) = after(record.stage, action) {
            record.stage = next;
            record.version += 1;
        }
    }

    fn stage(&mut self, ticket: usize, amount: Minor, caller: u8) {
        let earlier =
            self.refunds.iter().enumerate().rev().filter(|(_, refund)| refund.ticket == ticket).map(
                |(place, refund)| {
                    let same_caller = refund.caller == caller;
                    let Refund { state, ended_at, received, .. } = *refund;
                    (place, Earlier { state, asked: refund.amount, same_caller, ended_at, received })
                },
            );
        let permit = self.permit(ticket);
        let Call::Stage = call(&permit, amount, earlier, self.now) else { return };
        let id = self.order_of(ticket).unwrap().id.clone();
        let order = self.orders.iter_mut().find(|order| order.id == id).unwrap();
        order.payment.reserved.0 += amount.0;
        let refund = Refund { ticket, caller, amount, state: State::Held, ended_at: None, received: false };
        self.refunds.push(refund);
    }

    fn end(&mut self, chosen: impl Fn(&Refund) -> bool, event: Event) {
        for place in 0..self.refunds.len() {
            if chosen(&self.refunds[place]) {
                self.end_at(place, event);
            }
        }
    }

    fn end_at(&mut self, place: usize, event: Event) {
        let Refund { ticket, amount, state, .. } = self.refunds[place];
        let Some(next) = state.after(event) else { return };
        assert!(state.reserves() && next.ended());
        self.refunds[place].state = next;
        self.refunds[place].ended_at = Some(self.now);
        let id = self.order_of(ticket).unwrap().id.clone();
        self.orders.iter_mut().find(|order| order.id == id).unwrap().payment.reserved.0 -= amount.0;
    }
}
