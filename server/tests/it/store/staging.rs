//! What a call for a refund comes to.

use desk::money::Minor;
use desk::refund::State;
use policy::{Code, Currency, Strength, Tier};
use server::store::{Actor, Staged, StoreError, Workspace};

use crate::store::fixture::{Desk, agent, on_each_database, sandbox, ticket};

on_each_database!(
    a_refund_is_held_and_its_amount_reserved,
    the_policy_refuses_with_its_code_and_the_record_has_it,
    more_than_remains_is_refused,
    an_equal_call_joins_and_another_does_not,
    new_words_are_added_to_the_card,
    a_ticket_of_the_same_order_is_reserved_elsewhere,
    an_outcome_is_repeated_for_a_day,
    an_outcome_nobody_received_is_repeated_once,
    a_cent_less_after_a_rejection_is_rejected,
    a_tier_sets_people_strength_and_time,
    the_tables_keep_one_open_refund_per_payment,
    rules_of_another_version_are_noticed,
);

fn refused(result: Result<Staged, StoreError>) -> Code {
    match result {
        Err(StoreError::Policy { code, permit }) => {
            assert_eq!(permit.code(), code);
            code
        }
        other => panic!("not refused by the policy: {other:?}"),
    }
}

async fn a_refund_is_held_and_its_amount_reserved(desk: Desk) {
    desk.triage(&sandbox(), "T-101").await;
    let words = Some("Wrong size.\u{0}\u{202e}");
    let Ok(Staged::Held(refund)) = desk.say(&sandbox(), "T-101", 8_900, &agent("tab-1"), words).await else {
        panic!("not held");
    };
    assert_eq!((refund.state, refund.asked, refund.amount), (State::Held, Minor(8_900), Minor(8_900)));
    assert_eq!((refund.people, refund.strength), (1, Strength::InPage));
    assert_eq!((refund.staged_at, refund.expires_at), (desk.now(), desk.now().plus_seconds(3_600)));
    assert_eq!((refund.callers, refund.received, refund.ended_at), (1, false, None));
    assert!(refund.id.as_str().len() >= 33, "unguessable");
    assert_eq!(desk.refund(&refund.id).await, refund);
    assert_eq!(
        desk.store.refunds(&sandbox(), &ticket("T-101")).await.unwrap(),
        std::slice::from_ref(&refund)
    );
    assert_eq!(desk.money("T-101").await, (0, 8_900));
    let view = desk.store.view(&sandbox(), &ticket("T-101"), desk.now()).await.unwrap();
    assert_eq!(view.own.unwrap().id, refund.id);
    assert_eq!((view.sums.customer_day, view.sums.workspace_day), (Minor(8_900), Minor(8_900)));
    assert_eq!(view.order.unwrap().version, 1, "a reservation is not a fact that decides");
    let cards = desk.store.cards(&sandbox(), Some(&ticket("T-101")), &desk.rules, desk.now()).await.unwrap();
    assert_eq!(cards.len(), 1);
    assert_eq!(cards[0].words, ["Wrong size.\u{0}\u{202e}"]);
    assert_eq!(cards[0], desk.card(&refund.id).await);
    assert!(
        desk.store
            .cards(&sandbox(), Some(&ticket("T-102")), &desk.rules, desk.now())
            .await
            .unwrap()
            .is_empty()
    );
    assert_eq!(desk.store.cards_everywhere(&desk.rules, desk.now(), 5).await.unwrap(), cards);
}

async fn the_policy_refuses_with_its_code_and_the_record_has_it(desk: Desk) {
    let by = agent("tab-1");
    assert_eq!(refused(desk.stage(&sandbox(), "T-102", 240_000, &by).await), Code::OutsideWindow);
    assert_eq!(refused(desk.stage(&sandbox(), "T-104", 4_120, &by).await), Code::RefundLimit);
    assert_eq!(refused(desk.stage(&sandbox(), "T-105", 61_000, &by).await), Code::NotDelivered);
    assert_eq!(refused(desk.stage(&sandbox(), "T-101", 8_900, &by).await), Code::NotTriaged);
    let record = desk.store.record(&sandbox(), Some(&ticket("T-102")), 5).await.unwrap();
    assert_eq!(record.len(), 1);
    let event = &record[0];
    assert_eq!((event.who.as_str(), event.what.as_str()), ("agent", "refund refused"));
    assert_eq!(event.code.as_deref(), Some("OUTSIDE_WINDOW"));
    assert_eq!(event.amount, Some((Minor(240_000), Currency::USD)));
    assert_eq!(desk.number("SELECT COUNT(*) FROM refund").await, 0);
    let missing = desk.stage(&sandbox(), "T-999", 1, &by).await;
    assert_eq!(missing, Err(StoreError::NotFound));
}

async fn more_than_remains_is_refused(desk: Desk) {
    desk.triage(&sandbox(), "T-101").await;
    let by = agent("tab-1");
    assert_eq!(desk.stage(&sandbox(), "T-101", 8_901, &by).await, Err(StoreError::AmountInvalid));
    assert_eq!(desk.money("T-101").await, (0, 0));
    let first = desk.hold("T-101", 5_000).await;
    desk.paid(&first.id, &desk.ledger()).await;
    assert_eq!(desk.money("T-101").await, (5_000, 0));
    assert_eq!(desk.stage(&sandbox(), "T-101", 3_901, &by).await, Err(StoreError::AmountInvalid));
    assert!(matches!(desk.stage(&sandbox(), "T-101", 3_900, &by).await, Ok(Staged::Held(_))));
    assert_eq!(desk.money("T-101").await, (5_000, 3_900));
}

async fn an_equal_call_joins_and_another_does_not(desk: Desk) {
    let held = desk.held("T-101", 8_900).await;
    let Ok(Staged::Joined(joined)) = desk.stage(&sandbox(), "T-101", 8_900, &agent("tab-1")).await else {
        panic!("not joined");
    };
    assert_eq!((joined.id.clone(), joined.callers), (held.id, 2));
    assert_eq!(desk.money("T-101").await, (0, 8_900), "nothing more is reserved");
    for (amount, by) in [(8_900, "tab-2"), (8_899, "tab-1"), (1, "tab-2")] {
        let other = desk.stage(&sandbox(), "T-101", amount, &agent(by)).await;
        assert!(matches!(other, Err(StoreError::Policy { code: Code::ReservedElsewhere, .. })), "{other:?}");
    }
}

async fn new_words_are_added_to_the_card(desk: Desk) {
    let held = desk.held("T-101", 8_900).await;
    let long = "é".repeat(300);
    for words in ["a", "a", " ", "b", &long, "c", "d", "e", "f"] {
        let joined = desk.say(&sandbox(), "T-101", 8_900, &agent("tab-1"), Some(words)).await;
        assert!(matches!(joined, Ok(Staged::Joined(_))));
    }
    let cut = "é".repeat(280);
    assert_eq!(desk.card(&held.id).await.words, ["a", "b", &cut, "c", "d"]);
}

async fn a_ticket_of_the_same_order_is_reserved_elsewhere(desk: Desk) {
    desk.held("T-103", 1_000).await;
    desk.triage(&sandbox(), "T-107").await;
    let by = agent("tab-1");
    assert_eq!(refused(desk.stage(&sandbox(), "T-107", 1_000, &by).await), Code::ReservedElsewhere);
    assert_eq!(desk.code(&sandbox(), "T-107").await, Code::ReservedElsewhere);
    assert_eq!(desk.code(&sandbox(), "T-103").await, Code::Eligible, "not in its own way");
    let elsewhere = Workspace::try_from("other").unwrap();
    desk.triage(&elsewhere, "T-107").await;
    assert!(matches!(desk.stage(&elsewhere, "T-107", 1_000, &by).await, Ok(Staged::Held(_))));
}

async fn an_outcome_is_repeated_for_a_day(desk: Desk) {
    let (ws, by) = (sandbox(), agent("tab-1"));
    let held = desk.held("T-101", 5_000).await;
    let paid = desk.paid(&held.id, &desk.ledger()).await;
    desk.store.receive(&paid.id, &by, desk.now()).await.unwrap();
    desk.pass(86_399);
    let Ok(Staged::Repeated(repeated)) = desk.stage(&ws, "T-101", 5_000, &by).await else {
        panic!("not repeated");
    };
    assert_eq!((repeated.id, repeated.reference), (paid.id, paid.reference));
    let other = desk.stage(&ws, "T-101", 3_900, &agent("tab-2")).await;
    let Ok(Staged::Held(other)) = other else { panic!("another caller asks anew: {other:?}") };
    desk.store.withdraw(&other.id, &agent("tab-2"), desk.now()).await.unwrap();
    desk.pass(1);
    let anew = desk.stage(&ws, "T-101", 5_000, &by).await;
    assert_eq!(anew, Err(StoreError::AmountInvalid), "a day later it is a new call");
}

async fn an_outcome_nobody_received_is_repeated_once(desk: Desk) {
    let (ws, by) = (sandbox(), agent("tab-1"));
    let held = desk.held("T-101", 5_000).await;
    desk.store.gone(&held.id, &Actor::Desk, desk.now()).await.unwrap();
    let Ok(Staged::Repeated(repeated)) = desk.stage(&ws, "T-101", 5_000, &by).await else {
        panic!("not repeated");
    };
    assert_eq!((repeated.id, repeated.state), (held.id, State::Withdrawn));
    assert!(matches!(desk.stage(&ws, "T-101", 5_000, &by).await, Ok(Staged::Held(_))));
}

async fn a_cent_less_after_a_rejection_is_rejected(desk: Desk) {
    let held = desk.held("T-101", 8_900).await;
    let rejected = desk.reject(&held.id).await;
    assert_eq!(rejected.state, State::Rejected);
    assert_eq!(desk.money("T-101").await, (0, 0));
    let by = agent("tab-1");
    assert_eq!(refused(desk.stage(&sandbox(), "T-101", 8_899, &by).await), Code::Rejected);
    assert_eq!(refused(desk.stage(&sandbox(), "T-101", 8_900, &agent("tab-2")).await), Code::Rejected);
    let again = desk.stage(&sandbox(), "T-101", 8_900, &by).await;
    assert!(matches!(again, Ok(Staged::Repeated(one)) if one.id == held.id), "the same call hears it again");
    desk.sql("UPDATE orders SET version = version + 1 WHERE id = 'A-5510'").await;
    assert_eq!(desk.code(&sandbox(), "T-101").await, Code::Eligible, "a record that decides has changed");
}

async fn a_tier_sets_people_strength_and_time(mut desk: Desk) {
    let tier =
        |up_to, people, strength, expires| Tier { currency: Currency::USD, up_to, people, strength, expires };
    desk.rules.rules.tiers =
        vec![tier(Some(5_000), 1, Strength::InPage, 600), tier(None, 2, Strength::Console, 60)];
    let small = desk.held("T-101", 5_000).await;
    assert_eq!((small.people, small.strength), (1, Strength::InPage));
    assert_eq!(small.expires_at, desk.now().plus_seconds(600));
    desk.paid(&small.id, &desk.ledger()).await;
    let Ok(Staged::Held(next)) = desk.stage(&sandbox(), "T-101", 100, &agent("tab-2")).await else {
        panic!("not held");
    };
    assert_eq!((next.people, next.strength), (2, Strength::Console), "what was paid counts");
    assert_eq!(next.expires_at, desk.now().plus_seconds(60));
}

async fn the_tables_keep_one_open_refund_per_payment(desk: Desk) {
    desk.held("T-103", 1_000).await;
    desk.triage(&sandbox(), "T-107").await;
    // As if a fault had lost the reservation: the policy sees nothing, the tables do.
    desk.sql("UPDATE payment SET reserved = 0 WHERE workspace = 'a1b2c3'").await;
    assert_eq!(desk.code(&sandbox(), "T-107").await, Code::Eligible);
    let held = desk.stage(&sandbox(), "T-107", 1_000, &agent("tab-1")).await;
    assert!(matches!(held, Err(StoreError::Policy { code: Code::ReservedElsewhere, .. })), "{held:?}");
    assert_eq!(desk.money("T-107").await, (0, 0), "nothing of it stays");
    assert_eq!(desk.number("SELECT COUNT(*) FROM refund").await, 1);
}

async fn rules_of_another_version_are_noticed(mut desk: Desk) {
    desk.triage(&sandbox(), "T-101").await;
    let before = desk.store.view(&sandbox(), &ticket("T-101"), desk.now()).await.unwrap().seq;
    let version = desk.store.activate_rules("days = 30", desk.now()).await.unwrap();
    assert_eq!(version, 1);
    let stale = desk.stage(&sandbox(), "T-101", 8_900, &agent("tab-1")).await;
    assert_eq!(stale, Err(StoreError::OtherRules));
    let active = desk.another().await.active_rules().await.unwrap();
    assert_eq!(active, Some((1, "days = 30".to_owned())));
    desk.rules.version = 1;
    assert!(desk.stage(&sandbox(), "T-101", 8_900, &agent("tab-1")).await.is_ok());
    let after = desk.store.events(&sandbox(), before, 1).await.unwrap();
    assert_eq!(after.events[0].what, "rules activated", "every workspace is told");
}
