//! The refund window: N × 24 hours, end inclusive; what starts it and when it is measured.

use policy::{Age, DAY, Measured, OrderFacts, Outcome, Permit, Rules, Starts, Window};

use crate::setting::{agents, old, order, reasons, rules, said, ticket};

fn with(days: u32, starts: Starts, measured: Measured, order: &OrderFacts) -> Permit {
    let rules = Rules { window: Some(Window { days, starts, measured }), ..rules() };
    agents(&rules, order, &ticket())
}

#[test]
fn the_last_second_is_inside_and_the_next_is_outside() {
    // (age in seconds, inside, age as it is shown)
    for (age, inside, shown) in [
        (0, true, 0),
        (DAY - 1, true, 0),
        (DAY, true, 1),
        (6 * DAY + 5 * 3_600, true, 6),
        (30 * DAY - 1, true, 29),
        (30 * DAY, true, 30),
        (30 * DAY + 1, false, 31),
        (31 * DAY, false, 31),
        (31 * DAY + 1, false, 32),
        (91 * DAY, false, 91),
    ] {
        let order = OrderFacts { purchase: old(age), ..order() };
        let permit = with(30, Starts::Purchase, Measured::AtReceipt, &order);
        let expected = if inside { vec![] } else { vec!["OUTSIDE_WINDOW"] };
        assert_eq!(reasons(&permit), expected, "{age} s");
        let window = permit.window.unwrap();
        assert_eq!((window.days, window.window), (shown, 30), "{age} s");
        assert_eq!(said(&permit, "OUTSIDE_WINDOW"), if inside { Outcome::Passed } else { Outcome::Refused });
    }
}

#[test]
fn an_order_outside_the_window_never_shows_an_age_inside_it() {
    for days in [0, 1, 14, 30, 365] {
        let age = u64::from(days) * DAY + 1;
        let order = OrderFacts { purchase: old(age), ..order() };
        let window = with(days, Starts::Purchase, Measured::Now, &order).window.unwrap();
        assert!(window.days > u64::from(window.window), "{days} days");
    }
}

#[test]
fn the_window_starts_with_the_purchase_or_with_the_delivery() {
    let slow_parcel = OrderFacts { purchase: old(40 * DAY), delivery: Some(old(10 * DAY)), ..order() };
    let from_purchase = with(30, Starts::Purchase, Measured::Now, &slow_parcel);
    let from_delivery = with(30, Starts::Delivery, Measured::Now, &slow_parcel);
    assert_eq!((reasons(&from_purchase), from_purchase.window.unwrap().days), (vec!["OUTSIDE_WINDOW"], 40));
    assert_eq!((reasons(&from_delivery), from_delivery.window.unwrap().days), (vec![], 10));
    assert_eq!(Starts::default(), Starts::Delivery);
}

#[test]
fn what_has_not_arrived_has_no_window_from_delivery() {
    let order = OrderFacts { purchase: old(91 * DAY), delivery: None, ..order() };
    let permit = with(30, Starts::Delivery, Measured::Now, &order);
    assert_eq!(reasons(&permit), ["NOT_DELIVERED"]);
    assert_eq!(permit.window, None);
    assert_eq!(said(&permit, "OUTSIDE_WINDOW"), Outcome::NotConsidered);
    // From the purchase it has run out, and both are said.
    let permit = with(30, Starts::Purchase, Measured::Now, &order);
    assert_eq!(reasons(&permit), ["NOT_DELIVERED", "OUTSIDE_WINDOW"]);
}

#[test]
fn a_customer_does_not_lose_a_refund_to_a_slow_desk() {
    let waited = OrderFacts { purchase: Age { at_receipt: 29 * DAY, now: 35 * DAY }, ..order() };
    let at_receipt = with(30, Starts::Purchase, Measured::AtReceipt, &waited);
    let now = with(30, Starts::Purchase, Measured::Now, &waited);
    assert_eq!((reasons(&at_receipt), at_receipt.window.unwrap().days), (vec![], 29));
    assert_eq!((reasons(&now), now.window.unwrap().days), (vec!["OUTSIDE_WINDOW"], 35));
    assert_eq!(Measured::default(), Measured::AtReceipt);
}
