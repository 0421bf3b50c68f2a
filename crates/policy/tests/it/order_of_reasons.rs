//! Every reason alone and in every company that can occur: all are listed, and the first of the fixed order decides.

use policy::{DAY, OrderFacts, Outcome, Purpose, Stage, TicketState, policy};

use crate::setting::{agents, old, order, reasons, rules, said, ticket};

/// What is on record when a reason applies.
struct Records {
    order: Option<OrderFacts>,
    ticket: TicketState,
}

type Cause = fn(&mut Records);

fn on_order(records: &mut Records, change: impl FnOnce(&mut OrderFacts)) {
    if let Some(order) = &mut records.order {
        change(order);
    }
}

/// One change of the records for each reason, in the order in which reasons decide.
const CAUSES: [(&str, Cause); 14] = [
    ("STOPPED", |records| records.ticket.stopped = true),
    ("NO_ORDER", |records| records.order = None),
    ("STALE_RECORD", |records| on_order(records, |order| order.record_age = Some(3_601))),
    ("NOT_DELIVERED", |records| on_order(records, |order| order.delivery = None)),
    ("OUTSIDE_WINDOW", |records| on_order(records, |order| order.purchase = old(91 * DAY))),
    ("FINAL_SALE", |records| on_order(records, |order| order.final_sale = true)),
    ("DISPUTED", |records| on_order(records, |order| order.disputed = true)),
    ("ALREADY_REFUNDED", |records| on_order(records, |order| order.refunded = 8_900)),
    ("REFUND_LIMIT", |records| on_order(records, |order| order.prior_refunds = 2)),
    ("RESERVED_ELSEWHERE", |records| on_order(records, |order| order.held_elsewhere = true)),
    ("REJECTED", |records| records.ticket.rejected = true),
    ("BUDGET", |records| on_order(records, |order| order.workspace_day = 100_000)),
    ("TICKET_CLOSED", |records| records.ticket.stage = Stage::Escalated),
    ("NOT_TRIAGED", |records| records.ticket.stage = Stage::New),
];

/// Reasons that speak about an order can't apply where there is none, and a ticket has one stage.
fn can_occur(company: &[&str]) -> bool {
    let of_ticket = ["STOPPED", "NO_ORDER", "REJECTED", "TICKET_CLOSED", "NOT_TRIAGED"];
    let no_order = company.contains(&"NO_ORDER");
    let closed_and_new = company.contains(&"TICKET_CLOSED") && company.contains(&"NOT_TRIAGED");
    !(closed_and_new || no_order && company.iter().any(|reason| !of_ticket.contains(reason)))
}

#[test]
fn all_reasons_are_listed_and_the_first_decides() {
    let mut judged = 0;
    for chosen in 0_u32..1 << CAUSES.len() {
        let company: Vec<_> = CAUSES
            .iter()
            .enumerate()
            .filter(|(place, _)| chosen & 1 << place != 0)
            .map(|(_, cause)| cause)
            .collect();
        let names: Vec<_> = company.iter().map(|(name, _)| *name).collect();
        if !can_occur(&names) {
            continue;
        }
        let mut records = Records { order: Some(order()), ticket: ticket() };
        for (_, cause) in &company {
            cause(&mut records);
        }
        let permit = policy(&rules(), records.order.as_ref(), &records.ticket, Purpose::Agents);
        assert_eq!(reasons(&permit), names);
        assert_eq!(permit.code().as_str(), names.first().copied().unwrap_or("ELIGIBLE"));
        assert_eq!(permit.eligible(), names.is_empty());
        assert_eq!(permit.refund.remaining, if names.is_empty() { 8_900 } else { 0 }, "{names:?}");
        judged += 1;
    }
    // With an order: 2^9 of its reasons, stopped or not, rejected or not, 3 stages. Without one: the last three alone.
    assert_eq!(judged, 512 * 3 * 4 + 3 * 2 * 2);
}

#[test]
fn a_resolved_ticket_is_as_closed_as_an_escalated_one() {
    for stage in [Stage::Escalated, Stage::Resolved] {
        assert_eq!(
            reasons(&agents(&rules(), &order(), &TicketState { stage, ..ticket() })),
            ["TICKET_CLOSED"]
        );
    }
}

#[test]
fn stopping_agents_does_not_stop_people_from_deciding() {
    let stopped = TicketState { stopped: true, ..ticket() };
    assert_eq!(reasons(&agents(&rules(), &order(), &stopped)), ["STOPPED"]);

    let decision = policy(&rules(), Some(&order()), &stopped, Purpose::Decision);
    assert_eq!(reasons(&decision), Vec::<&str>::new());
    assert_eq!(decision.refund.remaining, 8_900);
    assert_eq!(said(&decision, "STOPPED"), Outcome::NotConsidered);

    let late = OrderFacts { purchase: old(91 * DAY), ..order() };
    let decision = policy(&rules(), Some(&late), &stopped, Purpose::Decision);
    assert_eq!(reasons(&decision), ["OUTSIDE_WINDOW"]);
}

#[test]
fn the_trace_names_every_rule_in_the_order_in_which_they_decide() {
    let names: Vec<_> = CAUSES.iter().map(|(name, _)| *name).collect();
    let late = OrderFacts { purchase: old(91 * DAY), ..order() };
    let permit = agents(&rules(), &late, &TicketState { stage: Stage::New, ..ticket() });
    let trace: Vec<_> = permit.trace().map(|step| (step.rule.as_str(), step.outcome)).collect();
    assert_eq!(
        trace.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
        names.iter().copied().filter(|n| *n != "ELIGIBLE").collect::<Vec<_>>()
    );
    for (name, outcome) in trace {
        let refused = ["OUTSIDE_WINDOW", "NOT_TRIAGED"].contains(&name);
        assert_eq!(outcome, if refused { Outcome::Refused } else { Outcome::Passed }, "{name}");
    }
}

#[test]
fn a_rule_without_its_record_or_setting_is_not_considered() {
    let none = policy(&rules(), None, &ticket(), Purpose::Agents);
    let considered: Vec<_> = none
        .trace()
        .filter(|step| step.outcome != Outcome::NotConsidered)
        .map(|step| (step.rule.as_str(), step.outcome))
        .collect();
    assert_eq!(
        considered,
        [
            ("STOPPED", Outcome::Passed),
            ("NO_ORDER", Outcome::Refused),
            ("REJECTED", Outcome::Passed),
            ("TICKET_CLOSED", Outcome::Passed),
            ("NOT_TRIAGED", Outcome::Passed),
        ]
    );

    let mut lenient = rules();
    lenient.window = None;
    lenient.prior_refunds = None;
    lenient.record_age = None;
    lenient.budgets.clear();
    let worst = OrderFacts {
        purchase: old(10_000 * DAY),
        record_age: Some(u64::MAX),
        prior_refunds: u32::MAX,
        workspace_day: u64::MAX,
        ..order()
    };
    let permit = agents(&lenient, &worst, &ticket());
    assert_eq!((reasons(&permit), permit.refund.remaining, permit.window), (vec![], 8_900, None));
    for rule in ["STALE_RECORD", "OUTSIDE_WINDOW", "REFUND_LIMIT", "BUDGET"] {
        assert_eq!(said(&permit, rule), Outcome::NotConsidered, "{rule}");
    }
}

#[test]
fn eligible_is_not_a_reason() {
    let none = policy::Reasons::NONE.with(policy::Code::Eligible);
    assert!(none.is_empty());
    assert!(!none.contains(policy::Code::Eligible));
    assert_eq!(none.first().as_str(), "ELIGIBLE");
}
