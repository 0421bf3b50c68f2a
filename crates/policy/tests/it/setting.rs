//! The order, ticket and rules that every test starts from: nothing speaks against a refund of $89.

use policy::{
    Age, Budget, Currency, DAY, Measured, OrderFacts, Outcome, OwnRefund, Permit, Purpose, Rules, Stage,
    Starts, Strength, TicketState, Tier, Window, policy,
};

/// An age that is the same at receipt and now.
pub(crate) fn old(seconds: u64) -> Age {
    Age { at_receipt: seconds, now: seconds }
}

/// Six days old, delivered four days ago, $89 captured and nothing gone back.
pub(crate) fn order() -> OrderFacts {
    OrderFacts {
        currency: Currency::USD,
        captured: 8_900,
        refunded: 0,
        reserved: 0,
        held_elsewhere: false,
        purchase: old(6 * DAY),
        delivery: Some(old(4 * DAY)),
        record_age: Some(60),
        final_sale: false,
        disputed: false,
        prior_refunds: 0,
        customer_day: 0,
        workspace_day: 0,
    }
}

/// Triaged, no refund of its own, nothing rejected.
pub(crate) fn ticket() -> TicketState {
    TicketState { stage: Stage::Triaged, own: OwnRefund::None, rejected: false, stopped: false }
}

/// Every rule is set, so that every rule can speak.
pub(crate) fn rules() -> Rules {
    Rules {
        window: Some(Window { days: 30, starts: Starts::Purchase, measured: Measured::AtReceipt }),
        prior_refunds: Some(2),
        refund_final_sale: false,
        record_age: Some(3_600),
        budgets: vec![Budget { currency: Currency::USD, per_day: 100_000 }],
        tiers: vec![Tier {
            currency: Currency::USD,
            up_to: None,
            people: 1,
            strength: Strength::InPage,
            expires: 3_600,
        }],
    }
}

/// What agents hold.
pub(crate) fn agents(rules: &Rules, order: &OrderFacts, ticket: &TicketState) -> Permit {
    policy(rules, Some(order), ticket, Purpose::Agents)
}

/// The reasons as words, the decisive one first.
pub(crate) fn reasons(permit: &Permit) -> Vec<&'static str> {
    permit.refund.reasons.iter().map(policy::Code::as_str).collect()
}

/// The tools as names.
pub(crate) fn tools(permit: &Permit) -> Vec<&'static str> {
    permit.tools.iter().map(policy::Tool::name).collect()
}

/// What the rule with this code said.
pub(crate) fn said(permit: &Permit, rule: &str) -> Outcome {
    permit.trace().find(|step| step.rule.as_str() == rule).unwrap().outcome
}
