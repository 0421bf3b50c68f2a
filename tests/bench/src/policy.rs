//! One decision of `policy()` beside the same rules in Cedar and in Rego, each asked for all reasons.

use std::collections::BTreeSet;
use std::hint::black_box;
use std::str::FromStr;

use ::policy::{Purpose, Rules, policy};
use cedar_policy::{Authorizer, Context, Decision, Entities, EntityUid, PolicySet, Request};
use desk::Millis;
use desk::facts::{Sums, order_facts, ticket_state};
use desk::ticket::{Stage, Ticket};
use serde_json::{Value, json};

use crate::figure::{Figure, nanoseconds};

/// One order seen from one ticket.
struct Case {
    ticket: Ticket,
    order: desk::order::Order,
}

fn cases() -> Vec<Case> {
    let now = Millis(1_800_000_000_000);
    let orders = desk::demo::orders(now);
    let tickets = desk::demo::tickets(now).into_iter();
    tickets
        .filter_map(|ticket| {
            let order = orders.iter().find(|order| Some(&order.id) == ticket.order.as_ref())?.clone();
            Some(Case { ticket: Ticket { stage: Stage::Triaged, ..ticket }, order })
        })
        .collect()
}

/// What Cedar and Rego are told: the same facts.
fn input(case: &Case) -> Value {
    let payment = &case.order.payment;
    json!({
        "stopped": false, "rejected": false, "stage": "triaged",
        "delivered": case.order.delivered_at.is_some(),
        "age": case.ticket.received_at.seconds_since(case.order.purchased_at),
        "final_sale": case.order.final_sale, "disputed": false, "held_elsewhere": false,
        "prior_refunds": case.order.prior_refunds,
        "captured": payment.captured.0, "refunded": payment.refunded.0, "reserved": payment.reserved.0,
    })
}

fn ours(case: &Case) -> BTreeSet<String> {
    let facts = order_facts(&case.order, &case.ticket, None, Sums::default(), case.ticket.received_at);
    let state = ticket_state(&case.ticket, Some(case.order.version), None, false);
    let permit = policy(&Rules::demo(), Some(&facts), &state, Purpose::Agents);
    permit.refund.reasons.iter().map(|code| code.as_str().to_owned()).collect()
}

struct Cedar {
    authorizer: Authorizer,
    policies: PolicySet,
    entities: Entities,
    requests: Vec<Request>,
}

impl Cedar {
    fn new(cases: &[Case]) -> Cedar {
        let policies = PolicySet::from_str(include_str!("rules.cedar")).expect("the rules in Cedar");
        let entity = |text: &str| EntityUid::from_str(text).expect("an entity");
        let requests = cases
            .iter()
            .map(|case| {
                let context = Context::from_json_value(input(case), None).expect("the facts in Cedar");
                let (agent, action) = (entity("Agent::\"a\""), entity("Action::\"issue_refund\""));
                Request::new(agent, action, entity("Ticket::\"t\""), context, None).expect("a request")
            })
            .collect();
        Cedar { authorizer: Authorizer::new(), policies, entities: Entities::empty(), requests }
    }

    fn reasons(&self, case: usize) -> BTreeSet<String> {
        let answer = self.authorizer.is_authorized(&self.requests[case], &self.policies, &self.entities);
        if answer.decision() == Decision::Allow {
            return BTreeSet::new();
        }
        let code = |id| self.policies.policy(id).and_then(|policy| policy.annotation("code")).map(str::to_owned);
        answer.diagnostics().reason().filter_map(code).collect()
    }
}

struct Rego {
    engine: regorus::Engine,
    inputs: Vec<regorus::Value>,
}

impl Rego {
    fn new(cases: &[Case]) -> Rego {
        let mut engine = regorus::Engine::new();
        engine.add_policy("rules.rego".to_owned(), include_str!("rules.rego").to_owned()).expect("the rules in Rego");
        let inputs = cases
            .iter()
            .map(|case| regorus::Value::from_json_str(&input(case).to_string()).expect("the facts in Rego"))
            .collect();
        Rego { engine, inputs }
    }

    fn evaluate(&mut self, case: usize) -> regorus::Value {
        self.engine.set_input(self.inputs[case].clone());
        self.engine.eval_rule("data.desk.reasons".to_owned()).expect("the rules in Rego decide")
    }

    fn reasons(&mut self, case: usize) -> BTreeSet<String> {
        let value = self.evaluate(case);
        let set = value.as_set().expect("a set of reasons");
        set.iter().filter_map(|code| code.as_string().ok()).map(|code| code.to_string()).collect()
    }
}

pub(crate) fn run() {
    let cases = cases();
    let cedar = Cedar::new(&cases);
    let mut rego = Rego::new(&cases);
    // Three programs that decide differently can't be compared.
    for (number, case) in cases.iter().enumerate() {
        assert_eq!(cedar.reasons(number), ours(case), "{:?}", case.ticket.id);
        assert_eq!(rego.reasons(number), ours(case), "{:?}", case.ticket.id);
    }

    let facts: Vec<_> = cases
        .iter()
        .map(|case| {
            let facts = order_facts(&case.order, &case.ticket, None, Sums::default(), case.ticket.received_at);
            (facts, ticket_state(&case.ticket, Some(case.order.version), None, false))
        })
        .collect();
    let rules = Rules::demo();
    let mut turn = 0;
    let mut next = || {
        turn = (turn + 1) % cases.len();
        turn
    };
    let own = nanoseconds(9, 400_000, || {
        let (order, ticket) = &facts[next()];
        black_box(policy(black_box(&rules), Some(black_box(order)), black_box(ticket), Purpose::Agents));
    });
    let in_cedar = nanoseconds(9, 8_000, || {
        let request = &cedar.requests[next()];
        black_box(cedar.authorizer.is_authorized(black_box(request), &cedar.policies, &cedar.entities));
    });
    let in_rego = nanoseconds(9, 2_000, || {
        black_box(rego.evaluate(next()));
    });
    for (name, reference) in [("Cedar 4.14", in_cedar), ("Regorus 0.14", in_rego)] {
        Figure {
            what: "policy(), one decision with all reasons",
            ours: format!("{own:.0} ns"),
            reference: format!("{name}, same rules: {reference:.0} ns"),
            ratio: format!("{:.0} x", reference / own),
            budget: "at most 250 ns, at least 10 x faster",
            met: own <= 250.0 && reference / own >= 10.0,
        }
        .print();
    }
}
