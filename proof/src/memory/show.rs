//! The records in the shapes of the contract.

use desk::money::{Minor, code};
use desk::refund::State;
use desk::{explain, ticket};
use policy::{Permit, Purpose, Tool};
use wire::refund::{End, Outcome};

use super::breaks::Break;
use super::moment::rfc3339;
use super::refusal::Refusal;
use super::state::{Desk, NOW};

pub(super) fn names(permit: &Permit) -> Vec<String> {
    permit.tools.iter().map(|tool| tool.name().to_owned()).collect()
}

fn reasons(permit: &Permit) -> Vec<wire::permit::Reason> {
    let one = |code: policy::Code| wire::permit::Reason {
        code: code.as_str().to_owned(),
        reason: explain::sentence(code, permit),
    };
    permit.refund.reasons.iter().map(one).collect()
}

impl Desk {
    pub(super) fn shown_permit(&self, ticket: usize) -> Result<wire::permit::Permit, Refusal> {
        let filed = self.filed(ticket)?;
        let permit = self.permit(ticket, Purpose::Agents)?;
        let currency =
            self.order_of(filed).and_then(|order| self.orders.get(order)).map(|one| one.payment.currency);
        let remaining = currency.filter(|_| permit.eligible());
        let tools = match self.breaks(Break::RefusedInsteadOfAbsent) {
            true => Tool::ALL.map(|tool| tool.name().to_owned()).to_vec(),
            false => names(&permit),
        };
        Ok(wire::permit::Permit {
            ticket_id: filed.record.id.to_string(),
            state: ticket::word(filed.record.stage).to_owned(),
            tools,
            refund: wire::permit::Refundable {
                code: permit.code().as_str().to_owned(),
                reason: explain::sentence(permit.code(), &permit),
                reasons: reasons(&permit),
                remaining: remaining.map(|currency| Minor(permit.refund.remaining).to_text(currency)),
                currency: currency.map(code),
            },
            own: self.own(ticket).map(|refund| wire::permit::Own {
                refund_id: refund.id.clone(),
                state: refund.state.as_str().to_owned(),
            }),
            stopped: self.stopped,
            seq: self.seq,
        })
    }

    pub(super) fn explained(&self, ticket: usize) -> Result<wire::permit::Explanation, Refusal> {
        let filed = self.filed(ticket)?;
        let permit = self.permit(ticket, Purpose::Agents)?;
        let mut reason = explain::sentence(permit.code(), &permit);
        if self.breaks(Break::ExplanationNamesTool) {
            reason.push_str(" You would use issue_refund.");
        }
        Ok(wire::permit::Explanation {
            ticket_id: filed.record.id.to_string(),
            state: ticket::word(filed.record.stage).to_owned(),
            code: permit.code().as_str().to_owned(),
            reason,
            reasons: reasons(&permit),
        })
    }

    pub(super) fn shown_order(&self, order: usize) -> Result<wire::ticket::Order, Refusal> {
        let order = self.order(order)?;
        let payment = &order.payment;
        let text = |amount: Minor| amount.to_text(payment.currency);
        Ok(wire::ticket::Order {
            order_id: order.id.to_string(),
            currency: code(payment.currency),
            captured: text(payment.captured),
            refunded: text(payment.refunded),
            remaining: text(payment.free()),
            purchased_at: rfc3339(order.purchased_at),
            delivered_at: order.delivered_at.map(rfc3339),
            age_days: NOW.seconds_since(order.purchased_at) / policy::DAY,
            final_sale: order.final_sale,
            dispute: order.dispute.map(|dispute| dispute.as_str().to_owned()),
            prior_refunds: order.prior_refunds,
        })
    }

    pub(super) fn shown_ticket(&self, ticket: usize) -> Result<wire::ticket::Ticket, Refusal> {
        let filed = self.filed(ticket)?;
        let order = self.order_of(filed).map(|order| self.shown_order(order)).transpose()?;
        let mut refunds = Vec::new();
        for refund in self.refunds.iter().rev().filter(|refund| refund.ticket == ticket) {
            let currency = self.order(refund.order)?.payment.currency;
            refunds.push(wire::ticket::RefundLine {
                refund_id: refund.id.clone(),
                asked: refund.asked.to_text(currency),
                amount: refund.amount.to_text(currency),
                currency: code(currency),
                state: refund.state.as_str().to_owned(),
                reference: refund.reference.clone(),
                note: refund.note.clone(),
            });
        }
        let message = |(from, text): &(&'static str, String)| wire::ticket::Message {
            from: (*from).to_owned(),
            at: rfc3339(NOW),
            text: text.clone(),
        };
        Ok(wire::ticket::Ticket {
            ticket_id: filed.record.id.to_string(),
            state: ticket::word(filed.record.stage).to_owned(),
            received_at: rfc3339(filed.record.received_at),
            order,
            refunds,
            tools: names(&self.permit(ticket, Purpose::Agents)?),
            untrusted: wire::ticket::Untrusted {
                notice: wire::ticket::NOTICE.to_owned(),
                subject: filed.subject.clone(),
                customer: filed.customer.clone(),
                messages: filed.messages.iter().map(message).collect(),
                category: filed.category,
                summary: filed.summary.clone(),
                escalation: filed.escalation.clone(),
            },
        })
    }

    /// What a call for this refund is answered; none while it waits.
    pub(super) fn outcome(&self, refund: usize, repeated: bool) -> Result<Option<Outcome>, Refusal> {
        let refund = self.refund(refund)?;
        let end = match refund.state {
            State::Held | State::Paying | State::Unknown => return Ok(None),
            State::Paid => End::Refunded,
            State::Returned | State::Failed => End::Failed,
            State::Rejected => End::Rejected,
            State::Expired => End::Expired,
            State::Withdrawn => End::Withdrawn,
            State::TermsChanged => End::TermsChanged,
        };
        let currency = self.order(refund.order)?.payment.currency;
        Ok(Some(Outcome {
            outcome: end,
            refund_id: refund.id.clone(),
            ticket_id: self.filed(refund.ticket)?.record.id.to_string(),
            asked: refund.asked.to_text(currency),
            amount: refund.amount.to_text(currency),
            currency: code(currency),
            reference: refund.reference.clone(),
            note: refund.note.clone(),
            reason: end.reason().to_owned(),
            approved_by: (end == End::Refunded).then(|| String::from("person")),
            repeated,
            tools: names(&self.permit(refund.ticket, Purpose::Agents)?),
        }))
    }

    /// Whether the agents of a ticket hold a tool.
    pub(super) fn holds(&self, ticket: usize, tool: Tool) -> Result<bool, Refusal> {
        Ok(self.permit(ticket, Purpose::Agents)?.tools.contains(tool))
    }
}
