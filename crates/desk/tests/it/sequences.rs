//! Whatever an agent does, in whatever order: what it reaches lies within what the orders' facts and people's records
//! alone allow.

use desk::demo;
use desk::id::{OrderId, TicketId};
use desk::money::Minor;
use desk::order::{Dispute, Order};
use desk::refund::State;
use desk::ticket::{Stage, Ticket, Versions};
use desk::{Millis, money};
use policy::{Budget, Rules, Tool};
use proptest::prelude::*;

use crate::world::{Act, World};

const NOW: Millis = Millis(1_800_000_000_000);
const DAY: u64 = 86_400;

fn an_order(name: &'static str) -> impl Strategy<Value = Order> {
    let parts = (
        0..=3_u64,
        prop::option::weighted(0.9, 0..=1_u64),
        prop_oneof![4 => Just(0), 1 => 1..=10_000_u64],
        prop::bool::weighted(0.1),
        prop::option::weighted(0.2, prop_oneof![Just(Dispute::Inquiry), Just(Dispute::Chargeback)]),
        prop_oneof![4 => 0..=1_u32, 1 => 2..=3_u32],
        prop_oneof![Just(29 * DAY), Just(30 * DAY), Just(30 * DAY + 1), 0..=60 * DAY],
    );
    parts.prop_map(move |(units, delivered, refunded, final_sale, dispute, prior_refunds, age)| {
        let mut order = demo::orders(NOW).swap_remove(0);
        order.id = OrderId::try_from(name).unwrap();
        order.payment.captured = Minor(units * 4_000);
        order.payment.refunded = Minor(refunded.min(units * 4_000));
        order.purchased_at = NOW.minus_seconds(age);
        order.delivered_at = delivered.map(|days| order.purchased_at.plus_seconds(days * DAY));
        Order { final_sale, dispute, prior_refunds, ..order }
    })
}

fn a_ticket(name: &'static str) -> impl Strategy<Value = Ticket> {
    let stage = prop_oneof![
        4 => Just(Stage::New),
        4 => Just(Stage::Triaged),
        1 => Just(Stage::Escalated),
        1 => Just(Stage::Resolved)
    ];
    let order = prop_oneof![4 => Just(Some("O-1")), 2 => Just(Some("O-2")), 1 => Just(None)];
    (stage, order, prop::bool::weighted(0.2)).prop_map(move |(stage, order, rejected)| Ticket {
        id: TicketId::try_from(name).unwrap(),
        order: order.map(|order| OrderId::try_from(order).unwrap()),
        stage,
        received_at: NOW,
        version: 1,
        // A person rejects what an agent staged, and only a triaged ticket can have had that.
        rejected: (rejected && stage == Stage::Triaged).then_some(Versions { order: 1, ticket: 1 }),
    })
}

fn a_world() -> impl Strategy<Value = World> {
    let records = (an_order("O-1"), an_order("O-2"), a_ticket("T-1"), a_ticket("T-2"), a_ticket("T-3"));
    let budget = prop::option::of(prop_oneof![Just(6_000_u64), Just(100_000)]);
    (records, prop::bool::weighted(0.1), budget, 0..=7_000_u64).prop_map(
        |(records, stopped, budget, spent)| {
            let (first, second, one, two, three) = records;
            let mut rules = Rules::demo();
            rules.budgets = budget
                .map(|per_day| Budget { currency: money::Currency::USD, per_day })
                .into_iter()
                .collect();
            World {
                rules,
                orders: vec![first, second],
                tickets: vec![one, two, three],
                refunds: Vec::new(),
                stopped,
                spent,
                now: NOW,
            }
        },
    )
}

fn an_act() -> impl Strategy<Value = Act> {
    let amount =
        prop_oneof![Just(1_u64), Just(4_000), Just(8_000), Just(12_000), Just(u64::MAX), 1..=12_001_u64];
    prop_oneof![
        3 => (0..3_usize).prop_map(Act::Triage),
        1 => (0..3_usize).prop_map(Act::Escalate),
        6 => (0..3_usize, amount, 0..2_u8).prop_map(|(ticket, amount, caller)| Act::Stage { ticket, amount, caller }),
        3 => (0..8_usize, 0..2_u8).prop_map(|(refund, caller)| Act::Withdraw { refund, caller }),
        1 => (0..8_usize).prop_map(|refund| Act::Receive { refund }),
        1 => prop_oneof![Just(1_u64), Just(DAY), Just(40 * DAY)].prop_map(|seconds| Act::Wait { seconds }),
    ]
}

/// The most that could ever be staged for a ticket, said in the words of the demonstration's rules and read from the
/// records before any agent came: 0 if nothing.
fn allowed(start: &World, ticket: usize) -> u64 {
    let record = &start.tickets[ticket];
    let Some(order) = start.order_of(ticket) else { return 0 };
    let inside = NOW.0 - order.purchased_at.0 <= 30 * 86_400_000;
    let people_allow =
        matches!(record.stage, Stage::New | Stage::Triaged) && record.rejected.is_none() && !start.stopped;
    let order_allows = inside
        && order.delivered_at.is_some()
        && !order.final_sale
        && order.dispute != Some(Dispute::Chargeback)
        && order.prior_refunds < 2;
    let left = order.payment.captured.0 - order.payment.refunded.0;
    let budget =
        start.rules.budgets.first().map_or(u64::MAX, |budget| budget.per_day.saturating_sub(start.spent));
    if people_allow && order_allows { left.min(budget) } else { 0 }
}

fn check(start: &World, world: &World) -> Result<(), TestCaseError> {
    for ticket in 0..world.tickets.len() {
        let permit = world.permit(ticket);
        let most = allowed(start, ticket);
        let before = &start.tickets[ticket];
        let holds = |tool| permit.tools.contains(tool);

        // Money: never more than the records allowed at the start, and not at all where they allowed nothing.
        prop_assert!(permit.refund.remaining <= most);
        prop_assert!(!permit.eligible() || most > 0);
        prop_assert!(!holds(Tool::IssueRefund) || most > 0);

        // People: what they closed, rejected or stopped stays so.
        let closed = |stage| matches!(stage, Stage::Escalated | Stage::Resolved);
        prop_assert!(!closed(before.stage) || world.tickets[ticket].stage == before.stage);
        if before.rejected.is_some() && start.order_of(ticket).is_some() {
            prop_assert!(!permit.eligible());
            prop_assert!(!holds(Tool::IssueRefund));
        }
        if start.stopped {
            prop_assert!(permit.tools.iter().all(|tool| !tool.acts()));
        }
        prop_assert!(!holds(Tool::TriageTicket) || before.stage == Stage::New);
        prop_assert!(!holds(Tool::ReplyToCustomer) || !closed(before.stage));
        prop_assert!(!holds(Tool::EscalateTicket) || !closed(before.stage));
        prop_assert_eq!(world.tickets[ticket].rejected, before.rejected);
        prop_assert_eq!(&world.tickets[ticket].order, &before.order);
    }
    for (order, before) in world.orders.iter().zip(&start.orders) {
        let payment = &order.payment;
        prop_assert!(payment.refunded.0 + payment.reserved.0 <= payment.captured.0);
        // An agent changes nothing of an order but what is reserved, and that only by what is open.
        let mut unreserved = order.clone();
        unreserved.payment.reserved = Minor(0);
        prop_assert_eq!(&unreserved, before);
        let open: Vec<_> = world
            .refunds
            .iter()
            .filter(|refund| refund.state.reserves())
            .filter(|refund| world.order_of(refund.ticket).is_some_and(|own| own.id == order.id))
            .collect();
        prop_assert!(open.len() <= 1, "one open hold per order");
        prop_assert_eq!(open.iter().map(|refund| refund.amount.0).sum::<u64>(), payment.reserved.0);
    }
    // Nothing is ever paid without a person.
    let by_agents = [State::Held, State::Withdrawn, State::TermsChanged];
    prop_assert!(world.refunds.iter().all(|refund| by_agents.contains(&refund.state)));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_agent_reaches_nothing_that_the_records_did_not_allow(
        start in a_world(),
        acts in prop::collection::vec(an_act(), 0..24),
    ) {
        let mut world = start.clone();
        check(&start, &world)?;
        for act in acts {
            world.act(act);
            check(&start, &world)?;
        }
    }
}

#[test]
fn the_model_reaches_what_it_is_about() {
    // A property over a world where nothing can happen would hold of anything.
    let mut orders = demo::orders(NOW);
    orders.retain(|order| order.id.as_str() == "A-6203");
    let mut tickets = demo::tickets(NOW);
    tickets.retain(|ticket| ["T-103", "T-107"].contains(&ticket.id.as_str()));
    let rules = Rules::demo();
    let mut world = World { rules, orders, tickets, refunds: Vec::new(), stopped: false, spent: 0, now: NOW };
    let tools = |world: &World| [0, 1].map(|ticket| world.permit(ticket).tools.contains(Tool::IssueRefund));
    assert_eq!(tools(&world), [false, false]);
    world.act(Act::Triage(0));
    world.act(Act::Triage(1));
    assert_eq!(tools(&world), [true, true]);
    world.act(Act::Stage { ticket: 0, amount: 14_950, caller: 0 });
    assert_eq!(tools(&world), [true, false], "the other ticket's tool goes: the order is reserved");
    world.act(Act::Withdraw { refund: 0, caller: 1 });
    assert_eq!(world.refunds[0].state, State::Held, "another caller withdraws nothing");
    world.act(Act::Withdraw { refund: 0, caller: 0 });
    assert_eq!((world.refunds[0].state, tools(&world)), (State::Withdrawn, [true, true]));
    world.act(Act::Stage { ticket: 1, amount: 100, caller: 1 });
    world.act(Act::Escalate(1));
    assert_eq!((world.refunds[1].state, tools(&world)), (State::TermsChanged, [true, false]));
    assert_eq!(world.orders[0].payment.reserved.0, 0);
}
