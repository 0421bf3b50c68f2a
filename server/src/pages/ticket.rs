//! One ticket: the order's record with what decides, what can be done, and the conversation.

use desk::Millis;
use desk::ticket::{Move, Stage, after, stage};
use wire::catalogue;
use wire::permit::Permit;
use wire::ticket::{Category, Message, RefundLine};

use super::moment::Moment;
use super::order::{OrderView, money};
use super::plain::Plain;
use super::queue::State;

/// One ticket on a page.
#[derive(Clone, Debug)]
pub struct TicketView {
    /// `T-101`.
    pub id: String,
    /// Where it stands.
    pub state: State,
    /// By a stranger.
    pub subject: Plain,
    /// By a stranger.
    pub customer: Plain,
    /// When it came in.
    pub received: Moment,
    /// The order on record.
    pub order: Option<OrderView>,
    /// What the policy says about a refund.
    pub verdict: Verdict,
    /// Oldest first.
    pub messages: Vec<Said>,
    /// Newest first.
    pub refunds: Vec<RefundView>,
    /// What triage called it.
    pub category: Option<&'static str>,
    /// What triage said of it; by an agent or a person.
    pub summary: Option<Plain>,
    /// Why it was escalated; by an agent or a person.
    pub escalation: Option<Plain>,
    /// What a person can do now.
    pub can: Can,
    /// What an agent holds now.
    pub tools: Vec<Held>,
    /// What triage may call it.
    pub categories: [(&'static str, &'static str); 5],
    /// True if the reply form is itself the tool of that name.
    pub reply_is_tool: bool,
}

/// What the policy says about a refund.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// True if it may be asked for.
    pub eligible: bool,
    /// One line in a person's words.
    pub headline: String,
    /// The code that decides.
    pub code: String,
    /// Its sentence.
    pub reason: String,
    /// The other reasons.
    pub also: Vec<(String, String)>,
    /// Set while a refund of this ticket has not ended: `held`, `paying`, `unknown`.
    pub own: Option<String>,
}

/// What a person can do with a ticket now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Can {
    /// Sort it.
    pub triage: bool,
    /// Write to the customer.
    pub reply: bool,
    /// Hand it on.
    pub escalate: bool,
    /// Close it.
    pub resolve: bool,
    /// Take it up again.
    pub reopen: bool,
}

/// One message of a conversation.
#[derive(Clone, Debug)]
pub struct Said {
    /// `customer`, `agent` or `person`.
    pub from: String,
    /// Who that is, on the page. The customer's name stands apart.
    pub name: &'static str,
    /// When.
    pub at: Option<Moment>,
    /// What.
    pub text: Plain,
}

/// One refund of a ticket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundView {
    /// `$89.00`.
    pub amount: String,
    /// Set if a person approved less than was asked for.
    pub asked: Option<String>,
    /// The state in a person's words.
    pub state: &'static str,
    /// The state's word.
    pub word: String,
    /// The provider's reference.
    pub reference: Option<String>,
    /// The approver's note meant for the customer.
    pub note: Option<Plain>,
}

impl PartialEq for Said {
    fn eq(&self, other: &Said) -> bool {
        (&self.from, &self.text) == (&other.from, &other.text)
    }
}

/// A tool an agent holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// The name it is called by.
    pub name: &'static str,
    /// For a person.
    pub title: &'static str,
}

const CATEGORIES: [(&str, &str); 5] = [
    ("refund_request", "Refund request"),
    ("shipping", "Shipping"),
    ("damage", "Damage"),
    ("billing", "Billing"),
    ("other", "Other"),
];

fn category_name(category: Category) -> &'static str {
    CATEGORIES.iter().find(|(word, _)| *word == category.as_str()).map_or("Other", |(_, name)| name)
}

impl TicketView {
    /// A ticket and its permit, as a page shows them.
    pub fn new(ticket: &wire::ticket::Ticket, permit: &Permit, now: Millis) -> TicketView {
        let against: Vec<&str> = permit.refund.reasons.iter().map(|reason| reason.code.as_str()).collect();
        let said = &ticket.untrusted;
        TicketView {
            id: ticket.ticket_id.clone(),
            state: State::new(&ticket.state),
            subject: Plain::line(&said.subject, 200),
            customer: Plain::line(&said.customer, 80),
            received: Moment::parse(&ticket.received_at, now).unwrap_or_default(),
            order: ticket.order.as_ref().map(|order| OrderView::new(order, &against, now)),
            verdict: verdict(ticket, permit),
            messages: said.messages.iter().map(|message| Said::new(message, now)).collect(),
            refunds: ticket.refunds.iter().map(RefundView::new).collect(),
            category: said.category.map(category_name),
            summary: said.summary.as_deref().map(Plain::message),
            escalation: said.escalation.as_deref().map(Plain::message),
            can: can(ticket, permit),
            tools: held(&permit.tools),
            categories: CATEGORIES,
            reply_is_tool: false,
        }
    }
}

impl Said {
    fn new(message: &Message, now: Millis) -> Said {
        let name = match message.from.as_str() {
            "customer" => "Customer",
            "agent" => "Agent",
            _ => "The desk",
        };
        Said {
            from: message.from.clone(),
            name,
            at: Moment::parse(&message.at, now),
            text: Plain::message(&message.text),
        }
    }
}

impl RefundView {
    fn new(refund: &RefundLine) -> RefundView {
        let amount = money(&refund.amount, &refund.currency);
        let asked = money(&refund.asked, &refund.currency);
        RefundView {
            asked: (asked != amount).then_some(asked),
            amount,
            state: refund_state(&refund.state),
            word: refund.state.clone(),
            reference: refund.reference.clone(),
            note: refund.note.as_deref().map(Plain::message),
        }
    }
}

/// A refund's state in a person's words.
pub fn refund_state(word: &str) -> &'static str {
    match word {
        "held" => "Held: waits for a person",
        "paying" => "Approved: the provider is being asked",
        "paid" => "Paid",
        "returned" => "Paid, then sent back by the bank",
        "failed" => "Not paid: the provider refused",
        "unknown" => "May have been paid: the provider is being asked what happened",
        "rejected" => "Rejected by a person",
        "expired" => "Expired: nobody decided in time",
        "withdrawn" => "Withdrawn: whoever asked took it back or went away",
        "terms_changed" => "Ended: the records changed while it was held",
        _ => "Unknown",
    }
}

/// The catalogue's tools with these names.
pub fn held(names: &[String]) -> Vec<Held> {
    catalogue::tools()
        .into_iter()
        .filter(|tool| names.iter().any(|name| name == tool.name))
        .map(|tool| Held { name: tool.name, title: tool.title })
        .collect()
}

fn verdict(ticket: &wire::ticket::Ticket, permit: &Permit) -> Verdict {
    let own = permit.own.as_ref().map(|own| own.state.clone());
    let open = ticket.refunds.iter().find(|refund| Some(&refund.state) == own.as_ref());
    let open = open.map_or_else(
        || String::from("A refund"),
        |refund| format!("A refund of {}", money(&refund.amount, &refund.currency)),
    );
    let refund = &permit.refund;
    let eligible = refund.reasons.is_empty();
    let headline = match own.as_deref() {
        Some("held") => format!("{open} is held until a person decides"),
        Some("paying") => format!("{open} is being paid"),
        Some(_) => format!("{open} may have been paid"),
        None if eligible => match (&refund.remaining, &refund.currency) {
            (Some(left), Some(currency)) => format!("An agent may ask for up to {}", money(left, currency)),
            _ => String::from("An agent may ask for a refund"),
        },
        None if refund.code == "STOPPED" => String::from("No refund while agents are stopped"),
        None if refund.code == "NOT_TRIAGED" => String::from("No refund before triage"),
        None => String::from("No refund on these records"),
    };
    Verdict {
        eligible,
        headline,
        code: refund.code.clone(),
        reason: refund.reason.clone(),
        also: refund.reasons.iter().skip(1).map(|also| (also.code.clone(), also.reason.clone())).collect(),
        own,
    }
}

fn can(ticket: &wire::ticket::Ticket, permit: &Permit) -> Can {
    let Some(stage) = stage(&ticket.state) else { return Can::default() };
    let rejected = permit.refund.reasons.iter().any(|reason| reason.code == "REJECTED");
    Can {
        triage: after(stage, Move::Triage).is_some(),
        // A reply while money is on its way could promise what a person then refuses.
        reply: stage == Stage::Triaged && permit.own.is_none(),
        escalate: after(stage, Move::Escalate).is_some(),
        resolve: after(stage, Move::Resolve).is_some(),
        reopen: after(stage, Move::Reopen).is_some() && (stage != Stage::Triaged || rejected),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use wire::permit::{Own, Reason, Refundable};
    use wire::ticket::{NOTICE, Ticket, Untrusted};

    use super::super::order::tests::order;
    use super::*;

    pub(in super::super) fn permit(state: &str, codes: &[(&str, &str)]) -> Permit {
        let reasons: Vec<Reason> = codes
            .iter()
            .map(|(code, reason)| Reason { code: (*code).into(), reason: (*reason).into() })
            .collect();
        let first =
            reasons.first().cloned().unwrap_or(Reason { code: "ELIGIBLE".into(), reason: "Yes.".into() });
        let eligible = reasons.is_empty();
        Permit {
            ticket_id: "T-102".into(),
            state: state.into(),
            tools: vec!["list_tickets".into(), "get_ticket".into(), "explain_policy".into()],
            refund: Refundable {
                code: first.code,
                reason: first.reason,
                reasons,
                remaining: eligible.then(|| "89.00".into()),
                currency: eligible.then(|| "USD".into()),
            },
            own: None,
            stopped: false,
            seq: 1,
        }
    }

    pub(in super::super) fn ticket(state: &str) -> Ticket {
        Ticket {
            ticket_id: "T-102".into(),
            state: state.into(),
            received_at: "2026-11-30T12:00:00Z".into(),
            order: Some(order()),
            refunds: Vec::new(),
            tools: Vec::new(),
            untrusted: Untrusted {
                notice: NOTICE.into(),
                subject: "Hello".into(),
                customer: "Somebody".into(),
                messages: vec![Message {
                    from: "customer".into(),
                    at: "2026-11-30T12:00:00Z".into(),
                    text: "Please.".into(),
                }],
                category: None,
                summary: None,
                escalation: None,
            },
        }
    }

    const NOW: Millis = Millis(1_796_053_376_000);

    #[test]
    fn buttons_follow_the_ticket() {
        let can = |state: &str, codes: &[(&str, &str)]| {
            TicketView::new(&ticket(state), &permit(state, codes), NOW).can
        };
        let none = Can::default();
        assert_eq!(can("new", &[("NOT_TRIAGED", "")]), Can { triage: true, resolve: true, ..none });
        assert_eq!(can("triaged", &[]), Can { reply: true, escalate: true, resolve: true, ..none });
        assert!(can("triaged", &[("REJECTED", "")]).reopen);
        assert_eq!(can("escalated", &[("TICKET_CLOSED", "")]), Can { resolve: true, reopen: true, ..none });
        assert_eq!(can("resolved", &[("TICKET_CLOSED", "")]), Can { reopen: true, ..none });
    }

    #[test]
    fn nobody_replies_while_a_refund_is_held() {
        let mut permit = permit("triaged", &[]);
        permit.own = Some(Own { refund_id: "r".into(), state: "held".into() });
        let view = TicketView::new(&ticket("triaged"), &permit, NOW);
        assert!(!view.can.reply && view.can.escalate);
        assert_eq!(view.verdict.headline, "A refund is held until a person decides");
    }

    #[test]
    fn the_verdict_says_why_not() {
        let permit = permit("new", &[("OUTSIDE_WINDOW", "Too old."), ("NOT_TRIAGED", "Not yet.")]);
        let verdict = TicketView::new(&ticket("new"), &permit, NOW).verdict;
        assert_eq!(verdict.code, "OUTSIDE_WINDOW");
        assert_eq!(verdict.also, [("NOT_TRIAGED".to_owned(), "Not yet.".to_owned())]);
        assert!(!verdict.eligible);
    }

    #[test]
    fn every_category_and_state_has_a_name() {
        for category in Category::ALL {
            assert!(CATEGORIES.iter().any(|(word, _)| *word == category.as_str()));
        }
        for state in desk::refund::State::ALL {
            assert!(state == desk::refund::State::Unknown || refund_state(state.as_str()) != "Unknown");
        }
    }
}
