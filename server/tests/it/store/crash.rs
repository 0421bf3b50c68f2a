//! The desk stops dead between any two steps of a payment, and starts again.

use std::sync::atomic::Ordering;

use desk::refund::State;
use server::payments::{Answer, Ledger, Provider};
use server::store::{Approved, Store};

use crate::store::fixture::{Desk, Told, approver, on_each_database, press};

on_each_database!(
    a_held_refund_is_still_there,
    a_claim_that_was_never_asked_for_is_paid_once,
    a_payment_that_was_never_settled_is_settled,
    two_processes_recover_at_once,
    a_provider_that_will_not_is_asked_again_and_believed,
    a_press_before_the_crash_is_not_good_after_it,
);

/// The records as a process finds them that starts now.
async fn restarted(desk: &Desk) -> (Store, Ledger) {
    let store = desk.another().await;
    let ledger = Ledger::new(store.clone());
    (store, ledger)
}

async fn a_held_refund_is_still_there(desk: Desk) {
    let held = desk.held("T-101", 8_900).await;
    let (store, ledger) = restarted(&desk).await;
    assert!(store.recover(&ledger, 0, &*desk.clock).await.unwrap().is_empty());
    assert_eq!(store.refund(&held.id).await.unwrap(), held);
    let paid = desk.paid(&held.id, &ledger).await;
    assert_eq!(paid.state, State::Paid);
}

async fn a_claim_that_was_never_asked_for_is_paid_once(desk: Desk) {
    let held = desk.held("T-101", 8_900).await;
    drop(desk.claimed(&held.id).await);
    let (store, ledger) = restarted(&desk).await;
    let ended = store.recover(&ledger, 0, &*desk.clock).await.unwrap();
    assert_eq!((ended.len(), ended[0].state), (1, State::Paid));
    assert!(store.recover(&ledger, 0, &*desk.clock).await.unwrap().is_empty());
    assert_eq!(desk.money("T-101").await, (8_900, 0));
    assert_eq!(desk.number("SELECT CAST(SUM(paid) AS BIGINT) FROM ledger_account").await, 8_900);
}

async fn a_payment_that_was_never_settled_is_settled(desk: Desk) {
    let held = desk.held("T-101", 8_900).await;
    let claimed = desk.claimed(&held.id).await;
    let Answer::Paid(reference) = desk.ledger().refund(claimed).await else { panic!("not paid") };
    let (store, ledger) = restarted(&desk).await;
    let ended = store.recover(&ledger, 0, &*desk.clock).await.unwrap();
    assert_eq!(ended[0].reference.as_deref(), Some(reference.as_str()));
    assert_eq!(desk.money("T-101").await, (8_900, 0));
    assert_eq!(desk.number("SELECT COUNT(*) FROM ledger").await, 1);
}

async fn two_processes_recover_at_once(desk: Desk) {
    let held = desk.held("T-101", 8_900).await;
    drop(desk.claimed(&held.id).await);
    desk.pass(20);
    let ((one, ledger_one), (two, ledger_two)) = (restarted(&desk).await, restarted(&desk).await);
    let (first, second) =
        tokio::join!(one.recover(&ledger_one, 15, &*desk.clock), two.recover(&ledger_two, 15, &*desk.clock));
    assert!(!(first.unwrap().is_empty() && second.unwrap().is_empty()));
    assert_eq!(desk.refund(&held.id).await.state, State::Paid);
    assert_eq!(desk.money("T-101").await, (8_900, 0));
    assert_eq!(desk.number("SELECT CAST(SUM(paid) AS BIGINT) FROM ledger_account").await, 8_900);
}

async fn a_provider_that_will_not_is_asked_again_and_believed(desk: Desk) {
    let held = desk.held("T-101", 8_900).await;
    drop(desk.claimed(&held.id).await);
    let refuses = Told::to(Answer::Refused);
    let ended = desk.store.recover(&refuses, 0, &*desk.clock).await.unwrap();
    assert_eq!((ended.len(), ended[0].state), (1, State::Failed));
    assert_eq!(refuses.asked.load(Ordering::SeqCst), 1);
    assert_eq!(desk.money("T-101").await, (0, 0));
}

async fn a_press_before_the_crash_is_not_good_after_it(desk: Desk) {
    let by = approver("ann");
    let held = desk.held("T-101", 8_900).await;
    let nonce = desk.nonce(&held.id, &by).await.unwrap();
    assert!(matches!(desk.press(&nonce, &by).await, Ok(Approved::Claimed(_))));
    let (store, _) = restarted(&desk).await;
    assert!(store.approve(press(&nonce, &by), &desk.rules, desk.now()).await.is_err());
}
