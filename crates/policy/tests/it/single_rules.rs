//! Each rule at its edge.

use policy::{Budget, Currency, DAY, OrderFacts, Outcome, Rules};

use crate::setting::{agents, old, order, reasons, rules, said, ticket};

fn judged(order: &OrderFacts) -> (Vec<&'static str>, u64) {
    let permit = agents(&rules(), order, &ticket());
    (reasons(&permit), permit.refund.remaining)
}

#[test]
fn a_record_is_fresh_up_to_the_second() {
    assert_eq!(judged(&OrderFacts { record_age: Some(3_600), ..order() }).0, Vec::<&str>::new());
    assert_eq!(judged(&OrderFacts { record_age: Some(3_601), ..order() }).0, ["STALE_RECORD"]);
}

#[test]
fn a_shop_that_pushes_every_change_has_no_stale_record() {
    let pushed = OrderFacts { record_age: None, ..order() };
    let permit = agents(&rules(), &pushed, &ticket());
    assert!(permit.eligible());
    assert_eq!(said(&permit, "STALE_RECORD"), Outcome::NotConsidered);
}

#[test]
fn the_second_refund_before_is_one_too_many() {
    for (before, expected) in [(0, vec![]), (1, vec![]), (2, vec!["REFUND_LIMIT"]), (9, vec!["REFUND_LIMIT"])]
    {
        assert_eq!(judged(&OrderFacts { prior_refunds: before, ..order() }).0, expected, "{before} before");
    }
}

#[test]
fn a_shop_may_refund_what_was_sold_as_final() {
    let sold = OrderFacts { final_sale: true, ..order() };
    let lenient = Rules { refund_final_sale: true, ..rules() };
    let permit = agents(&lenient, &sold, &ticket());
    assert!(permit.eligible());
    assert_eq!(said(&permit, "FINAL_SALE"), Outcome::Passed);
    assert_eq!(judged(&sold).0, ["FINAL_SALE"]);
    assert!(agents(&lenient, &order(), &ticket()).eligible());
}

#[test]
fn what_has_gone_back_is_not_refunded_again() {
    let refunded = |refunded| judged(&OrderFacts { refunded, ..order() });
    assert_eq!(refunded(8_899), (vec![], 1));
    assert_eq!(refunded(8_900), (vec!["ALREADY_REFUNDED"], 0));
    assert_eq!(refunded(9_000), (vec!["ALREADY_REFUNDED"], 0));
}

#[test]
fn what_is_reserved_is_not_refundable_twice() {
    let reserved = |refunded, reserved, held_elsewhere| {
        judged(&OrderFacts { refunded, reserved, held_elsewhere, ..order() })
    };
    // A reservation of another ticket, whatever its amount, is the reason; one hold per order.
    assert_eq!(reserved(0, 1, true), (vec!["RESERVED_ELSEWHERE"], 0));
    assert_eq!(reserved(0, 8_900, true), (vec!["RESERVED_ELSEWHERE"], 0));
    // A reservation nobody else's ticket accounts for leaves the rest, and takes the tool once nothing is left.
    assert_eq!(reserved(0, 900, false), (vec![], 8_000));
    assert_eq!(reserved(900, 8_000, false), (vec!["RESERVED_ELSEWHERE"], 0));
    assert_eq!(reserved(900, 9_000, false), (vec!["RESERVED_ELSEWHERE"], 0));
    // Fully refunded and nothing reserved: already refunded is the whole story.
    assert_eq!(reserved(8_900, 0, false), (vec!["ALREADY_REFUNDED"], 0));
    assert_eq!(reserved(8_900, 100, true), (vec!["ALREADY_REFUNDED", "RESERVED_ELSEWHERE"], 0));
}

#[test]
fn a_budget_bounds_the_day_in_its_own_currency() {
    let spent = |workspace_day| judged(&OrderFacts { workspace_day, ..order() });
    assert_eq!(spent(0), (vec![], 8_900));
    assert_eq!(spent(100_000 - 8_900), (vec![], 8_900));
    assert_eq!(spent(100_000 - 8_899), (vec![], 8_899));
    assert_eq!(spent(99_999), (vec![], 1));
    assert_eq!(spent(100_000), (vec!["BUDGET"], 0));
    assert_eq!(spent(100_001), (vec!["BUDGET"], 0));

    let euro = Currency::new(*b"EUR").unwrap();
    let rules = Rules {
        budgets: vec![
            Budget { currency: euro, per_day: 0 },
            Budget { currency: Currency::USD, per_day: 5_000 },
        ],
        ..rules()
    };
    assert_eq!(rules.budget(Currency::USD), Some(5_000));
    assert_eq!(rules.budget(euro), Some(0));
    assert_eq!(rules.budget(Currency::new(*b"GBP").unwrap()), None);
    assert_eq!(agents(&rules, &order(), &ticket()).refund.remaining, 5_000);
    let in_euro = OrderFacts { currency: euro, ..order() };
    assert_eq!(reasons(&agents(&rules, &in_euro, &ticket())), ["BUDGET"]);
}

#[test]
fn the_remaining_amount_is_the_least_of_what_is_left_and_what_the_budget_allows() {
    let order = OrderFacts { refunded: 900, reserved: 1_000, workspace_day: 96_000, ..order() };
    assert_eq!(judged(&order), (vec![], 4_000));
    let order = OrderFacts { workspace_day: 90_000, ..order };
    assert_eq!(judged(&order), (vec![], 7_000));
}

#[test]
fn the_demonstration_gives_thirty_days_from_purchase_and_one_refund_before() {
    let demo = Rules::demo();
    let shown = |order: &OrderFacts| reasons(&agents(&demo, order, &ticket()));
    assert_eq!(shown(&order()), Vec::<&str>::new());
    assert_eq!(shown(&OrderFacts { prior_refunds: 1, ..order() }), Vec::<&str>::new());
    assert_eq!(shown(&OrderFacts { prior_refunds: 2, ..order() }), ["REFUND_LIMIT"]);
    assert_eq!(shown(&OrderFacts { purchase: old(30 * DAY), ..order() }), Vec::<&str>::new());
    assert_eq!(shown(&OrderFacts { purchase: old(30 * DAY + 1), ..order() }), ["OUTSIDE_WINDOW"]);
    assert_eq!(shown(&OrderFacts { final_sale: true, ..order() }), ["FINAL_SALE"]);
    assert_eq!(shown(&OrderFacts { delivery: None, ..order() }), ["NOT_DELIVERED"]);
    // No budget and no limit on the age of a record: the demonstration's shop is the desk itself.
    let busy = OrderFacts { workspace_day: u64::MAX, record_age: Some(u64::MAX), ..order() };
    assert_eq!(shown(&busy), Vec::<&str>::new());
    let tier = demo.tier(Currency::USD, 240_000);
    assert_eq!((tier.people, tier.expires), (1, 3_600));
}

#[test]
fn a_currency_is_three_upper_case_letters() {
    assert_eq!(Currency::new(*b"USD"), Some(Currency::USD));
    assert_eq!(Currency::new(*b"EUR").map(Currency::letters), Some(*b"EUR"));
    for not_one in [*b"usd", *b"Usd", *b"uSD", *b"USd", *b"US1", *b"1SD", *b"U D"] {
        assert_eq!(Currency::new(not_one), None);
    }
}
