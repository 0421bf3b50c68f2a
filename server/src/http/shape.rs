//! From records to what crosses the wire.

use desk::explain::sentence;
use desk::money::{self, Minor};
use desk::refund::State;
use desk::{Millis, ticket};
use policy::{Permit, ToolSet};
use wire::refund::{End, Outcome};
use wire::ticket::Category;

use crate::clock::rfc3339;
use crate::store::{Card, Conversation, Refund, View};

/// Names of tools, in the order in which they are listed.
pub fn tool_names(tools: ToolSet) -> Vec<String> {
    tools.iter().map(|tool| tool.name().to_owned()).collect()
}

fn reasons(permit: &Permit) -> Vec<wire::permit::Reason> {
    let reason = |code: policy::Code| wire::permit::Reason {
        code: code.as_str().to_owned(),
        reason: sentence(code, permit),
    };
    permit.refund.reasons.iter().map(reason).collect()
}

/// The permit of a ticket.
pub fn permit(view: &View, permit: &Permit) -> wire::permit::Permit {
    let currency = view.order.as_ref().map(|order| order.payment.currency);
    let remaining = currency
        .filter(|_| permit.eligible())
        .map(|currency| Minor(permit.refund.remaining).to_text(currency));
    wire::permit::Permit {
        ticket_id: view.ticket.id.to_string(),
        state: ticket::word(view.ticket.stage).to_owned(),
        tools: tool_names(permit.tools),
        refund: wire::permit::Refundable {
            code: permit.code().as_str().to_owned(),
            reason: sentence(permit.code(), permit),
            reasons: reasons(permit),
            remaining,
            currency: currency.map(money::code),
        },
        own: view.own.as_ref().map(|own| wire::permit::Own {
            refund_id: own.id.to_string(),
            state: own.state.as_str().to_owned(),
        }),
        stopped: view.stopped,
        seq: view.seq,
    }
}

/// Why a refund is or isn't permitted, without the name of any tool.
pub fn explanation(view: &View, permit: &Permit) -> wire::permit::Explanation {
    wire::permit::Explanation {
        ticket_id: view.ticket.id.to_string(),
        state: ticket::word(view.ticket.stage).to_owned(),
        code: permit.code().as_str().to_owned(),
        reason: sentence(permit.code(), permit),
        reasons: reasons(permit),
    }
}

/// An order's record, seen from a ticket.
pub fn order(order: &desk::order::Order, received_at: Millis) -> wire::ticket::Order {
    let payment = &order.payment;
    let text = |minor: Minor| minor.to_text(payment.currency);
    wire::ticket::Order {
        order_id: order.id.to_string(),
        currency: money::code(payment.currency),
        captured: text(payment.captured),
        refunded: text(payment.refunded),
        remaining: text(payment.free()),
        purchased_at: rfc3339(order.purchased_at),
        delivered_at: order.delivered_at.map(rfc3339),
        age_days: received_at.seconds_since(order.purchased_at) / policy::DAY,
        final_sale: order.final_sale,
        dispute: order.dispute.map(|dispute| dispute.as_str().to_owned()),
        prior_refunds: order.prior_refunds,
    }
}

/// One refund of a ticket, as a line.
pub fn refund_line(refund: &Refund) -> wire::ticket::RefundLine {
    wire::ticket::RefundLine {
        refund_id: refund.id.to_string(),
        asked: refund.asked.to_text(refund.currency),
        amount: refund.amount.to_text(refund.currency),
        currency: money::code(refund.currency),
        state: refund.state.as_str().to_owned(),
        reference: refund.reference.clone(),
        note: refund.note_to_customer.clone(),
    }
}

/// One ticket, whole.
pub fn ticket(
    view: &View,
    permit: &Permit,
    conversation: Conversation,
    refunds: &[Refund],
) -> wire::ticket::Ticket {
    wire::ticket::Ticket {
        ticket_id: view.ticket.id.to_string(),
        state: ticket::word(view.ticket.stage).to_owned(),
        received_at: rfc3339(view.ticket.received_at),
        order: view.order.as_ref().map(|record| order(record, view.ticket.received_at)),
        refunds: refunds.iter().map(refund_line).collect(),
        tools: tool_names(permit.tools),
        untrusted: wire::ticket::Untrusted {
            notice: wire::ticket::NOTICE.to_owned(),
            subject: conversation.subject,
            customer: conversation.customer,
            messages: conversation
                .messages
                .into_iter()
                .map(|message| wire::ticket::Message {
                    from: message.from,
                    at: rfc3339(message.at),
                    text: message.text,
                })
                .collect(),
            category: conversation.category.as_deref().and_then(Category::parse),
            summary: conversation.summary,
            escalation: conversation.escalation,
        },
    }
}

/// How a refund stands, as the answer of the call that asked for it.
pub fn end(state: State) -> End {
    match state {
        State::Held => End::Held,
        State::Paying | State::Unknown => End::Processing,
        State::Paid => End::Refunded,
        State::Returned | State::Failed => End::Failed,
        State::Rejected => End::Rejected,
        State::Expired => End::Expired,
        State::Withdrawn => End::Withdrawn,
        State::TermsChanged => End::TermsChanged,
    }
}

/// What the call that asked for a refund returns.
pub fn outcome(refund: &Refund, tools: ToolSet, repeated: bool) -> Outcome {
    let end = end(refund.state);
    let approved = matches!(refund.state, State::Paid | State::Returned | State::Failed);
    Outcome {
        outcome: end,
        refund_id: refund.id.to_string(),
        ticket_id: refund.ticket.to_string(),
        asked: refund.asked.to_text(refund.currency),
        amount: refund.amount.to_text(refund.currency),
        currency: money::code(refund.currency),
        reference: refund.reference.clone(),
        note: refund.note_to_customer.clone(),
        reason: end.reason().to_owned(),
        approved_by: approved.then(|| "person".to_owned()),
        repeated,
        tools: tool_names(tools),
    }
}

/// The word a strength is written as.
pub fn strength(strength: policy::Strength) -> &'static str {
    match strength {
        policy::Strength::InPage => "in_page",
        policy::Strength::Console => "console",
        policy::Strength::Passkey => "passkey",
    }
}

/// What an approver sees. `waiting` is true while somebody waits for the answer.
pub fn card(card: &Card, waiting: bool) -> wire::approval::Card {
    let refund = &card.refund;
    let currency = refund.currency;
    wire::approval::Card {
        refund_id: refund.id.to_string(),
        ticket_id: refund.ticket.to_string(),
        amount: refund.amount.to_text(currency),
        asked: refund.asked.to_text(currency),
        currency: money::code(currency),
        display: refund.amount.display(currency),
        order: order(&card.order, card.ticket.received_at),
        payment_id: card.order.payment.id.to_string(),
        versions: wire::approval::Versions {
            order: card.terms.versions.order,
            ticket: card.terms.versions.ticket,
            rules: card.terms.rules,
        },
        digest: card.digest.as_str().to_owned(),
        strength: strength(card.strength).to_owned(),
        people: card.people,
        approved_by: card.approved_by,
        staged_at: rfc3339(refund.staged_at),
        expires_at: rfc3339(refund.expires_at),
        waiting,
        newer_message: card.newer_message,
        state: refund.state.as_str().to_owned(),
        untrusted: wire::approval::Words { agent_words: card.words.clone() },
    }
}
