//! From a claim to its end, with providers that answer in every way.

use std::sync::atomic::Ordering;

use desk::money::Minor;
use desk::refund::State;
use policy::{Code, Currency};
use server::payments::{Answer, Found, Provider};
use server::store::{Actor, Workspace};

use crate::store::fixture::{Desk, Told, agent, boots, on_each_database, sandbox, ticket};

on_each_database!(
    the_ledger_pays_and_gives_a_reference,
    a_paid_refund_is_a_record_that_decides,
    a_provider_that_refuses_fails_the_refund,
    a_lost_answer_stays_reserved_until_it_is_known,
    an_answer_that_comes_again_changes_nothing,
    the_ledger_pays_once_per_refund,
    the_ledger_never_pays_above_its_own_sum,
    a_payment_in_flight_survives_a_reset,
);

async fn the_ledger_pays_and_gives_a_reference(desk: Desk) {
    let held = desk.held("T-101", 8_900).await;
    let claimed = desk.claimed(&held.id).await;
    assert_eq!(
        (claimed.refund(), claimed.amount(), claimed.currency()),
        (&held.id, Minor(8_900), Currency::USD)
    );
    assert_eq!(claimed.captured(), Minor(8_900));
    assert!(claimed.account().starts_with("a1b2c3/") && claimed.account().ends_with(boots().as_str()));
    assert_eq!(desk.refund(&held.id).await.state, State::Paying);
    assert_eq!(desk.money("T-101").await, (0, 8_900));
    desk.pass(2);
    let paid = desk.store.pay(&desk.ledger(), claimed, &*desk.clock).await.unwrap();
    assert_eq!((paid.state, paid.ended_at), (State::Paid, Some(desk.now())));
    let reference = paid.reference.clone().unwrap();
    assert!(reference.starts_with("RF-") && reference.len() == 9, "{reference}");
    assert_eq!(desk.money("T-101").await, (8_900, 0));
    assert_eq!(desk.refund(&held.id).await, paid);
    let what: Vec<_> = desk
        .store
        .record(&sandbox(), Some(&ticket("T-101")), 9)
        .await
        .unwrap()
        .into_iter()
        .map(|event| (event.who, event.what))
        .collect();
    let line = |who: &str, what: &str| (who.to_owned(), what.to_owned());
    assert_eq!(
        what,
        [
            line("desk", "refund paid"),
            line("approver", "refund being paid"),
            line("approver", "approval opened"),
            line("agent", "refund held"),
            line("person", "triaged"),
        ]
    );
}

async fn a_paid_refund_is_a_record_that_decides(desk: Desk) {
    let held = desk.held("T-103", 5_000).await;
    desk.paid(&held.id, &desk.ledger()).await;
    let view = desk.store.view(&sandbox(), &ticket("T-107"), desk.now()).await.unwrap();
    assert_eq!((view.sums.customer_day, view.own), (Minor(5_000), None));
    let order = view.order.unwrap();
    assert_eq!((order.version, order.prior_refunds), (2, 1));
    let rest = desk.held("T-107", 9_950).await;
    desk.paid(&rest.id, &desk.ledger()).await;
    assert_eq!(desk.money("T-103").await, (14_950, 0));
    assert_eq!(desk.code(&sandbox(), "T-107").await, Code::AlreadyRefunded);
    desk.pass(86_400);
    let view = desk.store.view(&sandbox(), &ticket("T-107"), desk.now()).await.unwrap();
    assert_eq!(view.sums.customer_day, Minor(0), "a day later it counts no longer");
}

async fn a_provider_that_refuses_fails_the_refund(desk: Desk) {
    let held = desk.held("T-101", 8_900).await;
    let failed = desk.paid(&held.id, &Told::to(Answer::Refused)).await;
    assert_eq!((failed.state, failed.reference, failed.ended_at), (State::Failed, None, Some(desk.now())));
    assert_eq!(desk.money("T-101").await, (0, 0));
    assert_eq!(desk.code(&sandbox(), "T-101").await, Code::Eligible, "it can be asked for again");
}

async fn a_lost_answer_stays_reserved_until_it_is_known(desk: Desk) {
    let held = desk.held("T-101", 8_900).await;
    let unknown = desk.paid(&held.id, &Told::to(Answer::Lost)).await;
    assert_eq!((unknown.state, unknown.ended_at), (State::Unknown, None));
    assert_eq!(desk.money("T-101").await, (0, 8_900));
    let view = desk.store.view(&sandbox(), &ticket("T-101"), desk.now()).await.unwrap();
    assert_eq!(view.own.unwrap().state, State::Unknown);

    let silent = Told { found: Found::Answered(Answer::Lost), ..Told::to(Answer::Lost) };
    desk.pass(60);
    assert!(desk.store.recover(&silent, 30, &*desk.clock).await.unwrap().is_empty());
    assert_eq!(desk.refund(&held.id).await.state, State::Unknown);
    assert_eq!(silent.asked.load(Ordering::SeqCst), 0, "not asked to pay again while it may have paid");

    let knows = Told { found: Found::Answered(Answer::Paid("RF-2".to_owned())), ..Told::to(Answer::Lost) };
    assert!(desk.store.recover(&knows, 61, &*desk.clock).await.unwrap().is_empty(), "it is too early to ask");
    let ended = desk.store.recover(&knows, 60, &*desk.clock).await.unwrap();
    assert_eq!((ended.len(), ended[0].state), (1, State::Paid));
    assert_eq!(ended[0].reference.as_deref(), Some("RF-2"));
    assert_eq!(knows.asked.load(Ordering::SeqCst), 0);
    assert_eq!(desk.money("T-101").await, (8_900, 0));
}

async fn an_answer_that_comes_again_changes_nothing(desk: Desk) {
    let held = desk.held("T-101", 5_000).await;
    let paid = desk.paid(&held.id, &Told::to(Answer::Paid("RF-2".to_owned()))).await;
    for answer in [Answer::Paid("RF-3".to_owned()), Answer::Refused, Answer::Lost] {
        assert_eq!(desk.store.settle(&held.id, answer, desk.now()).await.unwrap(), paid);
    }
    assert_eq!(desk.money("T-101").await, (5_000, 0));
    let waiting = desk.hold("T-101", 1_000).await;
    let same = desk.store.settle(&waiting.id, Answer::Paid("RF-4".to_owned()), desk.now()).await.unwrap();
    assert_eq!(same.state, State::Held, "nobody approved it");
    assert_eq!(desk.money("T-101").await, (5_000, 1_000));
}

async fn the_ledger_pays_once_per_refund(desk: Desk) {
    let held = desk.held("T-101", 4_000).await;
    let ledger = desk.ledger();
    assert_eq!(ledger.find(&held.id).await, Found::Never);
    let claimed = desk.claimed(&held.id).await;
    let first = ledger.refund(claimed).await;
    assert_eq!(ledger.find(&held.id).await, Found::Answered(first.clone()));
    // The answer got lost and the desk claims it again.
    desk.sql("DELETE FROM nonce").await;
    let recovered = desk.store.recover(&ledger, 0, &*desk.clock).await.unwrap();
    assert_eq!(Answer::Paid(recovered[0].reference.clone().unwrap()), first);
    assert_eq!(desk.number("SELECT CAST(SUM(paid) AS BIGINT) FROM ledger_account").await, 4_000);
    assert_eq!(desk.number("SELECT COUNT(*) FROM ledger").await, 1);
}

async fn the_ledger_never_pays_above_its_own_sum(desk: Desk) {
    let held = desk.held("T-101", 8_000).await;
    desk.paid(&held.id, &desk.ledger()).await;
    // As if a fault in the desk had forgotten that it paid.
    desk.sql("UPDATE payment SET refunded = 0").await;
    let again = desk.hold("T-101", 8_900).await;
    let refused = desk.paid(&again.id, &desk.ledger()).await;
    assert_eq!((refused.state, refused.reference), (State::Failed, None));
    assert_eq!(desk.ledger().find(&again.id).await, Found::Answered(Answer::Refused));
    assert_eq!(desk.number("SELECT CAST(SUM(paid) AS BIGINT) FROM ledger_account").await, 8_000);
}

async fn a_payment_in_flight_survives_a_reset(desk: Desk) {
    let held = desk.held("T-101", 8_900).await;
    let claimed = desk.claimed(&held.id).await;
    desk.store.reset(&sandbox(), &Actor::Person, desk.now()).await.unwrap();
    let paid = desk.store.pay(&desk.ledger(), claimed, &*desk.clock).await.unwrap();
    assert_eq!(paid.state, State::Paid, "whoever waits hears the truth");
    assert_eq!(desk.money("T-101").await, (0, 0), "the new records know nothing of it");
    let again = desk.held("T-101", 8_900).await;
    assert_eq!(desk.paid(&again.id, &desk.ledger()).await.state, State::Paid, "an account of its own");
    let other = Workspace::try_from("other").unwrap();
    desk.triage(&other, "T-101").await;
    assert!(desk.stage(&other, "T-101", 8_900, &agent("tab-1")).await.is_ok());
}
