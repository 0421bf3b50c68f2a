//! The eight tickets as the design tells them. Written from the meaning of the records, not by calling the rules.

use desk::facts::{Sums, order_facts, ticket_state};
use desk::ticket::{Move, after};
use desk::{Millis, demo, explain};
use policy::{Permit, Purpose, Rules, policy};

const NOW: Millis = Millis(1_800_000_000_000);

struct Told {
    ticket: &'static str,
    order: &'static str,
    /// Why it can't be refunded; none: it can, once it is triaged.
    against: Option<&'static str>,
    captured: u64,
}

const TOLD: [Told; 8] = [
    // The wrong size came, six days ago: an honest case.
    Told { ticket: "T-101", order: "A-5510", against: None, captured: 8_900 },
    // 91 days old, whatever the message claims.
    Told { ticket: "T-102", order: "A-4412", against: Some("OUTSIDE_WINDOW"), captured: 240_000 },
    // Damaged, twelve days ago.
    Told { ticket: "T-103", order: "A-6203", against: None, captured: 14_950 },
    // This customer had two refunds already.
    Told { ticket: "T-104", order: "A-7781", against: Some("REFUND_LIMIT"), captured: 4_120 },
    // Still on its way.
    Told { ticket: "T-105", order: "A-8890", against: Some("NOT_DELIVERED"), captured: 61_000 },
    // Charged twice, two days ago.
    Told { ticket: "T-106", order: "A-9014", against: None, captured: 2_499 },
    // An attack on the approval, on an order that can be refunded: a person still decides.
    Told { ticket: "T-107", order: "A-6203", against: None, captured: 14_950 },
    // Honest, and too late.
    Told { ticket: "T-108", order: "A-4412", against: Some("OUTSIDE_WINDOW"), captured: 240_000 },
];

fn permits(ticket: &str, now: Millis) -> (Permit, Permit) {
    let mut ticket = demo::tickets(NOW).into_iter().find(|one| one.id.as_str() == ticket).unwrap();
    let order = demo::orders(NOW).into_iter().find(|order| Some(&order.id) == ticket.order.as_ref()).unwrap();
    let mut judge = |triage: bool| {
        if triage {
            ticket.stage = after(ticket.stage, Move::Triage).unwrap();
        }
        let facts = order_facts(&order, &ticket, None, Sums::default(), now);
        let state = ticket_state(&ticket, Some(order.version), None, false);
        policy(&Rules::demo(), Some(&facts), &state, Purpose::Agents)
    };
    (judge(false), judge(true))
}

fn names(permit: &Permit) -> Vec<&'static str> {
    permit.tools.iter().map(policy::Tool::name).collect()
}

fn reasons(permit: &Permit) -> Vec<&'static str> {
    permit.refund.reasons.iter().map(policy::Code::as_str).collect()
}

#[test]
fn each_ticket_is_about_its_order() {
    let tickets = demo::tickets(NOW);
    let named: Vec<_> =
        tickets.iter().map(|ticket| (ticket.id.as_str(), ticket.order.as_ref().unwrap().as_str())).collect();
    assert_eq!(named, TOLD.map(|told| (told.ticket, told.order)));
    for told in TOLD {
        let order = demo::orders(NOW).into_iter().find(|order| order.id.as_str() == told.order).unwrap();
        assert_eq!(order.payment.captured.0, told.captured);
    }
}

#[test]
fn before_triage_every_ticket_has_the_same_four_tools() {
    for told in TOLD {
        let (new, _) = permits(told.ticket, NOW);
        assert_eq!(
            names(&new),
            ["list_tickets", "get_ticket", "explain_policy", "triage_ticket"],
            "{}",
            told.ticket
        );
        let expected: Vec<_> = told.against.into_iter().chain(["NOT_TRIAGED"]).collect();
        assert_eq!(reasons(&new), expected, "{}", told.ticket);
        assert_eq!(new.refund.remaining, 0);
    }
}

#[test]
fn after_triage_the_records_decide_who_holds_the_refund_tool() {
    // A week on, nothing is different: age counts up to the moment the ticket came in.
    for now in [NOW, NOW.plus_seconds(7 * 86_400)] {
        for told in TOLD {
            let (_, triaged) = permits(told.ticket, now);
            let five =
                ["list_tickets", "get_ticket", "explain_policy", "reply_to_customer", "escalate_ticket"];
            let six = five.into_iter().chain(["issue_refund"]).collect::<Vec<_>>();
            match told.against {
                Some(code) => {
                    assert_eq!(
                        (names(&triaged), reasons(&triaged)),
                        (five.to_vec(), vec![code]),
                        "{}",
                        told.ticket
                    );
                    assert_eq!(triaged.refund.remaining, 0);
                }
                None => {
                    assert_eq!((names(&triaged), reasons(&triaged)), (six, vec![]), "{}", told.ticket);
                    assert_eq!(triaged.refund.remaining, told.captured);
                }
            }
        }
    }
}

#[test]
fn the_windows_sentence_is_that_of_the_contract() {
    for ticket in ["T-102", "T-108"] {
        for now in [NOW, NOW.plus_seconds(7 * 86_400)] {
            let (new, _) = permits(ticket, now);
            assert_eq!(
                explain::sentence(new.code(), &new),
                "Order is 91 days old; the refund window is 30 days."
            );
        }
    }
}

#[test]
fn parcels_arrive_after_they_were_bought() {
    for order in demo::orders(NOW) {
        assert!(order.purchased_at < NOW);
        if let Some(delivered) = order.delivered_at {
            assert!(order.purchased_at < delivered && delivered < NOW, "{}", order.id);
        }
        assert_eq!((order.payment.refunded.0, order.payment.reserved.0, order.version), (0, 0, 1));
        let prior = if order.id.as_str() == "A-7781" { 2 } else { 0 };
        assert_eq!(order.prior_refunds, prior, "{}", order.id);
    }
    let names: Vec<_> = demo::orders(NOW).iter().map(|order| order.payment.id.as_str().to_owned()).collect();
    assert_eq!(names, ["pay-A-4412", "pay-A-5510", "pay-A-6203", "pay-A-7781", "pay-A-8890", "pay-A-9014"]);
}
