//! Which tools an agent holds, in every state a ticket can be in.

use policy::{Code, DAY, OrderFacts, OwnRefund, Purpose, Stage, TicketState, Tool, ToolSet, policy};

use crate::setting::{agents, old, order, rules, ticket, tools};

const READING: [&str; 3] = ["list_tickets", "get_ticket", "explain_policy"];

fn with(acting: &[&'static str]) -> Vec<&'static str> {
    READING.iter().chain(acting).copied().collect()
}

fn late() -> OrderFacts {
    OrderFacts { purchase: old(91 * DAY), ..order() }
}

#[test]
fn an_order_that_can_be_refunded() {
    for (stage, expected) in [
        (Stage::New, with(&["triage_ticket"])),
        (Stage::Triaged, with(&["reply_to_customer", "escalate_ticket", "issue_refund"])),
        (Stage::Escalated, with(&[])),
        (Stage::Resolved, with(&[])),
    ] {
        let permit = agents(&rules(), &order(), &TicketState { stage, ..ticket() });
        assert_eq!(tools(&permit), expected, "{stage:?}");
    }
}

#[test]
fn an_order_that_cannot_never_brings_the_refund_tool() {
    for (stage, expected) in [
        (Stage::New, with(&["triage_ticket"])),
        (Stage::Triaged, with(&["reply_to_customer", "escalate_ticket"])),
        (Stage::Escalated, with(&[])),
        (Stage::Resolved, with(&[])),
    ] {
        let permit = agents(&rules(), &late(), &TicketState { stage, ..ticket() });
        assert_eq!(tools(&permit), expected, "{stage:?}");
        let none = policy(&rules(), None, &TicketState { stage, ..ticket() }, Purpose::Agents);
        assert_eq!(tools(&none), expected, "{stage:?}, no order");
    }
}

#[test]
fn while_its_own_refund_is_open_the_tool_stays_and_nobody_replies() {
    for own in [OwnRefund::Held, OwnRefund::Paying, OwnRefund::Unknown] {
        let triaged = TicketState { own, ..ticket() };
        let expected = with(&["escalate_ticket", "issue_refund"]);
        assert_eq!(tools(&agents(&rules(), &order(), &triaged)), expected, "{own:?}");
        // Also where the records have turned against it since: the call that waits must find its tool.
        assert_eq!(tools(&agents(&rules(), &late(), &triaged)), expected, "{own:?}, late");
        assert_eq!(tools(&agents(&rules(), &late(), &TicketState { rejected: true, ..triaged })), expected);
        for stage in [Stage::Escalated, Stage::Resolved] {
            let closed = TicketState { stage, own, ..ticket() };
            assert_eq!(
                tools(&agents(&rules(), &order(), &closed)),
                with(&["issue_refund"]),
                "{own:?} {stage:?}"
            );
        }
    }
}

#[test]
fn a_rejection_takes_the_tool_away() {
    let rejected = TicketState { rejected: true, ..ticket() };
    assert_eq!(
        tools(&agents(&rules(), &order(), &rejected)),
        with(&["reply_to_customer", "escalate_ticket"])
    );
}

#[test]
fn stopping_takes_every_tool_that_acts() {
    for stage in [Stage::New, Stage::Triaged, Stage::Escalated, Stage::Resolved] {
        for own in [OwnRefund::None, OwnRefund::Held, OwnRefund::Paying, OwnRefund::Unknown] {
            let stopped = TicketState { stage, own, stopped: true, ..ticket() };
            assert_eq!(tools(&agents(&rules(), &order(), &stopped)), READING, "{stage:?} {own:?}");
        }
    }
}

#[test]
fn four_tools_act_and_three_read() {
    let acting: Vec<_> = Tool::ALL.into_iter().filter(|tool| tool.acts()).map(Tool::name).collect();
    assert_eq!(acting, ["triage_ticket", "reply_to_customer", "escalate_ticket", "issue_refund"]);
    assert_eq!(Tool::ALL.len(), 7);
}

#[test]
fn a_set_of_tools_is_a_set() {
    let two = ToolSet::EMPTY.with(Tool::IssueRefund).with(Tool::GetTicket).with(Tool::GetTicket);
    assert_eq!(
        (two.len(), two.is_empty(), ToolSet::EMPTY.len(), ToolSet::EMPTY.is_empty()),
        (2, false, 0, true)
    );
    assert_eq!(two.iter().map(Tool::name).collect::<Vec<_>>(), ["get_ticket", "issue_refund"]);
    assert!(two.contains(Tool::IssueRefund) && two.contains(Tool::GetTicket));
    assert!(!two.contains(Tool::ListTickets) && !ToolSet::EMPTY.contains(Tool::ListTickets));
    assert_eq!(two.reading().iter().map(Tool::name).collect::<Vec<_>>(), ["get_ticket"]);
    let three = two.with(Tool::ListTickets);
    assert!(two.is_subset(three) && two.is_subset(two) && ToolSet::EMPTY.is_subset(two));
    assert!(!three.is_subset(two));
    let other = ToolSet::EMPTY.with(Tool::TriageTicket).with(Tool::GetTicket);
    assert!(!two.is_subset(other) && !other.is_subset(two));
    let all: ToolSet = Tool::ALL.into_iter().collect();
    assert_eq!(all.len(), 7);
}

#[test]
fn a_set_of_reasons_is_a_set() {
    let reasons =
        policy::Reasons::NONE.with(Code::NotTriaged).with(Code::OutsideWindow).with(Code::OutsideWindow);
    assert_eq!(reasons.iter().map(Code::as_str).collect::<Vec<_>>(), ["OUTSIDE_WINDOW", "NOT_TRIAGED"]);
    assert_eq!(reasons.first().as_str(), "OUTSIDE_WINDOW");
    assert!(!reasons.is_empty() && policy::Reasons::NONE.is_empty());
    assert!(reasons.contains(Code::NotTriaged) && !reasons.contains(Code::Rejected));
    assert!(Code::REASONS.iter().all(|code| *code != Code::Eligible));
}
