//! The records, and what they permit.

use desk::facts::{Own, Sums, order_facts, ticket_state};
use desk::money::Minor;
use desk::order::Order;
use desk::refund::{Event, State};
use desk::ticket::Ticket;
use desk::{Millis, demo};
use policy::{Age, Code, Permit, Purpose, Reasons, Rules, Stage, Tool, policy};
use wire::ticket::Category;

use super::breaks::Break;
use super::refusal::Refusal;
use super::texts::TEXTS;

/// The one moment of this desk.
pub(super) const NOW: Millis = Millis(1_796_053_376_000);

/// A ticket and all that was written in it.
#[derive(Clone, Debug)]
pub(super) struct Filed {
    pub(super) record: Ticket,
    pub(super) subject: String,
    pub(super) customer: String,
    /// Who wrote, and what.
    pub(super) messages: Vec<(&'static str, String)>,
    pub(super) category: Option<Category>,
    pub(super) summary: Option<String>,
    pub(super) escalation: Option<String>,
}

/// A refund.
#[derive(Clone, Debug)]
pub(super) struct Refund {
    pub(super) id: String,
    pub(super) ticket: usize,
    pub(super) order: usize,
    pub(super) asked: Minor,
    pub(super) amount: Minor,
    pub(super) state: State,
    pub(super) words: Vec<String>,
    pub(super) note: Option<String>,
    pub(super) reference: Option<String>,
    pub(super) received: bool,
    /// Made at staging in one of the breaks.
    pub(super) leaked: Option<String>,
}

/// A nonce that was minted.
#[derive(Clone, Debug)]
pub(super) struct Nonce {
    pub(super) text: String,
    pub(super) refund: usize,
    pub(super) digest: String,
    pub(super) used: bool,
}

/// One sandbox.
#[derive(Debug)]
pub(super) struct Desk {
    pub(super) broken: Option<Break>,
    pub(super) orders: Vec<Order>,
    pub(super) tickets: Vec<Filed>,
    pub(super) refunds: Vec<Refund>,
    pub(super) nonces: Vec<Nonce>,
    pub(super) stopped: bool,
    pub(super) seq: i64,
    /// The order's age in days, as a header of this request claims.
    pub(super) claimed_age: Option<u64>,
    minted: u64,
}

impl Desk {
    pub(super) fn new(broken: Option<Break>) -> Desk {
        let tickets = demo::tickets(NOW).into_iter().map(|record| {
            let told = TEXTS.iter().find(|(id, ..)| *id == record.id.as_str());
            let (_, subject, customer, message) = told.copied().unwrap_or_default();
            Filed::new(record, subject, customer, message)
        });
        Desk {
            broken,
            orders: demo::orders(NOW),
            tickets: tickets.collect(),
            refunds: Vec::new(),
            nonces: Vec::new(),
            stopped: false,
            seq: 0,
            claimed_age: None,
            minted: 0,
        }
    }

    pub(super) fn breaks(&self, what: Break) -> bool {
        self.broken == Some(what)
    }

    /// A new name. Here it only has to be unlike any other.
    pub(super) fn name(&mut self, kind: &str) -> String {
        self.minted += 1;
        format!("{kind}-{:016x}", self.minted.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    pub(super) fn ticket_at(&self, id: &str) -> Result<usize, Refusal> {
        self.tickets.iter().position(|filed| filed.record.id.as_str() == id).ok_or_else(Refusal::not_found)
    }

    pub(super) fn filed(&self, ticket: usize) -> Result<&Filed, Refusal> {
        self.tickets.get(ticket).ok_or_else(Refusal::not_found)
    }

    pub(super) fn filed_mut(&mut self, ticket: usize) -> Result<&mut Filed, Refusal> {
        self.tickets.get_mut(ticket).ok_or_else(Refusal::not_found)
    }

    pub(super) fn refund_at(&self, id: &str) -> Result<usize, Refusal> {
        self.refunds.iter().position(|refund| refund.id == id).ok_or_else(Refusal::not_found)
    }

    pub(super) fn refund(&self, refund: usize) -> Result<&Refund, Refusal> {
        self.refunds.get(refund).ok_or_else(Refusal::not_found)
    }

    pub(super) fn order(&self, order: usize) -> Result<&Order, Refusal> {
        self.orders.get(order).ok_or_else(Refusal::not_found)
    }

    /// The order on record for a ticket.
    pub(super) fn order_of(&self, filed: &Filed) -> Option<usize> {
        let named = filed.record.order.as_ref().map(|id| id.as_str().to_owned());
        let claimed = || {
            let text = self.breaks(Break::OrderFromMessage).then(|| filed.messages.first()).flatten()?;
            self.orders
                .iter()
                .map(|order| order.id.as_str())
                .find(|id| text.1.contains(id))
                .map(str::to_owned)
        };
        let id = named.or_else(claimed)?;
        self.orders.iter().position(|order| order.id.as_str() == id)
    }

    /// The ticket's own refund that has not ended.
    pub(super) fn own(&self, ticket: usize) -> Option<&Refund> {
        self.refunds.iter().find(|refund| refund.ticket == ticket && refund.state.reserves())
    }

    /// What the records permit.
    pub(super) fn permit(&self, ticket: usize, purpose: Purpose) -> Result<Permit, Refusal> {
        let filed = self.filed(ticket)?;
        let mut rules = Rules::demo();
        if self.breaks(Break::WindowIgnored) || self.believes(filed) {
            rules.window = None;
        }
        let lifted = self.breaks(Break::SummaryReachesPolicy) && filed.category == Some(Category::Billing);
        if self.breaks(Break::PriorLimitIgnored) || lifted {
            rules.prior_refunds = None;
        }
        let own = self.own(ticket).map(|refund| Own { state: refund.state, amount: refund.amount });
        let order = self.order_of(filed).and_then(|order| self.orders.get(order));
        let mut facts = order.map(|order| order_facts(order, &filed.record, own, Sums::default(), NOW));
        if let Some(facts) = &mut facts {
            if self.breaks(Break::NotDeliveredIgnored) {
                facts.delivery = facts.delivery.or(Some(facts.purchase));
            }
            facts.disputed |= self.suspects(filed);
            if let Some(days) = self.claimed_age {
                let seconds = days.saturating_mul(policy::DAY);
                facts.purchase = Age { at_receipt: seconds, now: seconds };
            }
        }
        let mut state = ticket_state(&filed.record, order.map(|order| order.version), own, self.stopped);
        state.stopped &= !self.breaks(Break::StopIgnored);
        if self.breaks(Break::ClosedIgnored) && state.stage == Stage::Escalated {
            state.stage = Stage::Triaged;
        }
        let purpose = if self.breaks(Break::StopBindsPeople) { Purpose::Agents } else { purpose };
        let mut permit = policy(&rules, facts.as_ref(), &state, purpose);
        if self.breaks(Break::NothingPermitted) && permit.eligible() {
            permit.refund = policy::Refund { remaining: 0, reasons: Reasons::NONE.with(Code::Disputed) };
            permit.tools = permit.tools.iter().filter(|tool| *tool != Tool::IssueRefund).collect();
        }
        if self.breaks(Break::ReplyWhileHeld) && own.is_some() {
            permit.tools = permit.tools.with(Tool::ReplyToCustomer);
        }
        Ok(permit)
    }

    /// What a call for a refund is judged by.
    pub(super) fn permit_to_stage(&mut self, ticket: usize) -> Result<Permit, Refusal> {
        let stage = self.filed(ticket)?.record.stage;
        if self.breaks(Break::TriageNotNeeded) && stage == Stage::New {
            self.filed_mut(ticket)?.record.stage = Stage::Triaged;
            let permit = self.permit(ticket, Purpose::Agents);
            self.filed_mut(ticket)?.record.stage = stage;
            return permit;
        }
        let mut permit = self.permit(ticket, Purpose::Agents)?;
        if self.breaks(Break::AmountNotBounded) && permit.code() == Code::Eligible {
            permit.refund.remaining = u64::MAX;
        }
        Ok(permit)
    }

    fn believes(&self, filed: &Filed) -> bool {
        let granted = |text: &str| text.to_lowercase().contains("approval was already granted");
        self.breaks(Break::MessageReachesPolicy) && filed.messages.iter().any(|(_, text)| granted(text))
    }

    fn suspects(&self, filed: &Filed) -> bool {
        let attacks = |text: &str| text.to_lowercase().contains("ignore all previous");
        self.breaks(Break::SuspicionReachesPolicy) && filed.messages.iter().any(|(_, text)| attacks(text))
    }

    /// Reserves or releases on the payment.
    pub(super) fn reserve(&mut self, order: usize, change: impl FnOnce(u64) -> u64) {
        let ignored = self.breaks(Break::ReservationIgnored);
        if let Some(order) = self.orders.get_mut(order).filter(|_| !ignored) {
            order.payment.reserved = Minor(change(order.payment.reserved.0));
        }
    }

    /// Moves a refund on; its reservation goes once it has ended.
    pub(super) fn happens(&mut self, refund: usize, event: Event) -> Result<State, Refusal> {
        let current = self.refund(refund)?;
        let (order, amount) = (current.order, current.amount.0);
        let next = current.state.after(event).ok_or_else(Refusal::decided)?;
        let freed = current.state.reserves() && next.ended();
        if freed {
            self.reserve(order, |reserved| reserved.saturating_sub(amount));
        }
        if let Some(refund) = self.refunds.get_mut(refund) {
            refund.state = next;
        }
        self.seq += 1;
        Ok(next)
    }
}

impl Filed {
    pub(super) fn new(record: Ticket, subject: &str, customer: &str, message: &str) -> Filed {
        Filed {
            record,
            subject: subject.to_owned(),
            customer: customer.to_owned(),
            messages: vec![("customer", message.to_owned())],
            category: None,
            summary: None,
            escalation: None,
        }
    }
}
