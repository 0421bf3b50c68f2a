//! From records to what the policy is given.

use desk::Millis;
use desk::demo;
use desk::facts::{Own, Sums, order_facts, ticket_state, tier_total};
use desk::money::Minor;
use desk::order::{Dispute, Order};
use desk::refund::State;
use desk::ticket::{Ticket, Versions};
use policy::{Age, OwnRefund, Stage};

const NOW: Millis = Millis(1_800_000_000_000);
const HOUR: u64 = 3_600;
const DAY: u64 = 24 * HOUR;

/// A-5510 of the demonstration: $89, bought six days ago, delivered two days later.
fn order() -> Order {
    demo::orders(NOW).into_iter().find(|order| order.id.as_str() == "A-5510").unwrap()
}

fn ticket() -> Ticket {
    demo::tickets(NOW).into_iter().find(|ticket| ticket.id.as_str() == "T-101").unwrap()
}

fn held(amount: u64) -> Option<Own> {
    Some(Own { state: State::Held, amount: Minor(amount) })
}

#[test]
fn the_record_is_told_as_it_is() {
    let mut order = order();
    order.payment.refunded = Minor(900);
    order.prior_refunds = 1;
    order.final_sale = true;
    order.confirmed_at = Some(NOW.minus_seconds(90));
    let sums = Sums { customer_day: Minor(1_200), workspace_day: Minor(3_400) };
    let facts = order_facts(&order, &ticket(), None, sums, NOW.plus_seconds(2 * HOUR));
    assert_eq!((facts.captured, facts.refunded, facts.reserved), (8_900, 900, 0));
    assert_eq!(facts.currency.letters(), *b"USD");
    assert_eq!(facts.purchase, Age { at_receipt: 6 * DAY, now: 6 * DAY + 2 * HOUR });
    assert_eq!(facts.delivery, Some(Age { at_receipt: 4 * DAY, now: 4 * DAY + 2 * HOUR }));
    assert_eq!(facts.record_age, Some(2 * HOUR + 90));
    assert_eq!((facts.prior_refunds, facts.final_sale, facts.held_elsewhere), (1, true, false));
    assert_eq!((facts.customer_day, facts.workspace_day), (1_200, 3_400));
}

#[test]
fn what_is_missing_stays_missing() {
    let mut order = order();
    order.delivered_at = None;
    order.confirmed_at = None;
    let facts = order_facts(&order, &ticket(), None, Sums::default(), NOW);
    assert_eq!((facts.delivery, facts.record_age), (None, None));
}

#[test]
fn a_refund_does_not_stand_in_its_own_way() {
    let mut order = order();
    order.payment.reserved = Minor(5_000);
    let sums = Sums { customer_day: Minor(6_000), workspace_day: Minor(7_000) };
    // Seen from its own ticket, the hold is not there.
    let facts = order_facts(&order, &ticket(), held(5_000), sums, NOW);
    assert_eq!((facts.reserved, facts.held_elsewhere), (0, false));
    assert_eq!((facts.customer_day, facts.workspace_day), (1_000, 2_000));
    // Seen from another ticket of the same order, it is.
    let facts = order_facts(&order, &ticket(), None, sums, NOW);
    assert_eq!((facts.reserved, facts.held_elsewhere), (5_000, true));
    assert_eq!((facts.customer_day, facts.workspace_day), (6_000, 7_000));
    // What is reserved beside it still counts.
    let facts = order_facts(&order, &ticket(), held(4_999), sums, NOW);
    assert_eq!((facts.reserved, facts.held_elsewhere), (1, true));
}

#[test]
fn only_an_open_refund_is_left_out() {
    let mut order = order();
    order.payment.reserved = Minor(5_000);
    for (state, left_out) in [
        (State::Held, true),
        (State::Paying, true),
        (State::Unknown, true),
        (State::Paid, false),
        (State::Returned, false),
        (State::Failed, false),
        (State::Rejected, false),
        (State::Expired, false),
        (State::Withdrawn, false),
        (State::TermsChanged, false),
    ] {
        let own = Some(Own { state, amount: Minor(5_000) });
        let facts = order_facts(&order, &ticket(), own, Sums::default(), NOW);
        assert_eq!(facts.held_elsewhere, !left_out, "{state:?}");
    }
}

#[test]
fn an_inquiry_is_not_a_dispute() {
    for (dispute, disputed) in
        [(None, false), (Some(Dispute::Inquiry), false), (Some(Dispute::Chargeback), true)]
    {
        let order = Order { dispute, ..order() };
        assert_eq!(order_facts(&order, &ticket(), None, Sums::default(), NOW).disputed, disputed);
    }
    for (word, dispute) in [("inquiry", Dispute::Inquiry), ("chargeback", Dispute::Chargeback)] {
        assert_eq!((Dispute::parse(word), dispute.as_str()), (Some(dispute), word));
    }
    assert_eq!(Dispute::parse("lost"), None);
}

#[test]
fn what_is_free_is_what_is_neither_refunded_nor_reserved() {
    let mut payment = order().payment;
    assert_eq!(payment.free(), Minor(8_900));
    (payment.refunded, payment.reserved) = (Minor(1_000), Minor(900));
    assert_eq!(payment.free(), Minor(7_000));
    (payment.refunded, payment.reserved) = (Minor(8_000), Minor(901));
    assert_eq!(payment.free(), Minor(0));
}

#[test]
fn the_tickets_record_is_told_as_it_is() {
    let triaged = Ticket { stage: Stage::Triaged, ..ticket() };
    let state = ticket_state(&triaged, Some(1), None, false);
    assert_eq!(
        (state.stage, state.own, state.rejected, state.stopped),
        (Stage::Triaged, OwnRefund::None, false, false)
    );
    let state = ticket_state(&triaged, Some(1), held(1), true);
    assert_eq!((state.own, state.stopped), (OwnRefund::Held, true));
    for (state, own) in [
        (State::Paying, OwnRefund::Paying),
        (State::Unknown, OwnRefund::Unknown),
        (State::Paid, OwnRefund::None),
    ] {
        assert_eq!(ticket_state(&triaged, Some(1), Some(Own { state, amount: Minor(1) }), false).own, own);
    }
}

#[test]
fn a_rejection_stays_until_a_record_that_decides_changes() {
    let rejected = Ticket { version: 4, rejected: Some(Versions { order: 2, ticket: 4 }), ..ticket() };
    let stands = |ticket: &Ticket, order| ticket_state(ticket, order, None, false).rejected;
    assert!(stands(&rejected, Some(2)));
    assert!(!stands(&rejected, Some(3)), "the order changed");
    assert!(!stands(&Ticket { version: 5, ..rejected.clone() }, Some(2)), "the ticket changed");
    assert!(!stands(&Ticket { rejected: None, ..rejected.clone() }, Some(2)), "a person reopened it");
    assert!(!stands(&Ticket { rejected: None, ..rejected }, None));
}

#[test]
fn a_tier_is_found_on_all_that_belongs_to_the_order_or_to_the_customers_day() {
    let mut order = order();
    let total = |order: &Order, customer_day, amount| {
        let sums = Sums { customer_day: Minor(customer_day), workspace_day: Minor(1_000_000) };
        tier_total(&order_facts(order, &ticket(), None, sums, NOW), Minor(amount))
    };
    assert_eq!(total(&order, 0, 500), 500);
    (order.payment.refunded, order.payment.reserved) = (Minor(2_000), Minor(300));
    // The order's total decides where it is more …
    assert_eq!(total(&order, 2_299, 500), 2_800);
    // … and the customer's day where that is more: many small refunds on many orders are one large one.
    assert_eq!(total(&order, 2_301, 500), 2_801);
    assert_eq!(total(&order, 50_000, 500), 50_500);
    assert_eq!(total(&order, u64::MAX, 500), u64::MAX);
}
