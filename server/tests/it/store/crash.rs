//! The desk stops dead between any two steps of a payment, and starts again.

use std::sync::atomic::Ordering;

use desk::refund::State;
use server::payments::{Answer, Ledger, Provider};
use server::store::{Actor, Approved, Staged, Store};

use crate::store::fixture::{Desk, Told, agent, approver, on_each_database, press, sandbox, ticket};

on_each_database!(
    a_held_refund_is_still_there,
    a_claim_that_was_never_asked_for_is_paid_once,
    a_payment_that_was_never_settled_is_settled,
    two_processes_recover_at_once,
    a_provider_that_will_not_is_asked_again_and_believed,
    a_press_before_the_crash_is_not_good_after_it,
    a_request_that_goes_away_leaves_all_or_nothing,
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

/// A future that is dropped after it was polled so many times, wherever it is then.
async fn cut_off<T>(work: impl Future<Output = T>, polls: usize) -> Option<T> {
    let mut work = std::pin::pin!(work);
    for _ in 0..polls {
        if let Some(done) = futures_util::FutureExt::now_or_never(work.as_mut()) {
            return Some(done);
        }
        tokio::task::yield_now().await;
    }
    None
}

async fn a_request_that_goes_away_leaves_all_or_nothing(desk: Desk) {
    desk.triage(&sandbox(), "T-101").await;
    let by = agent("tab-1");
    let (mut whole, mut cut) = (0, 0);
    for polls in (0..400).step_by(7) {
        let amount = 1_000 + polls as u64;
        match cut_off(desk.stage(&sandbox(), "T-101", amount, &by), polls).await {
            Some(staged) => {
                assert!(matches!(staged, Ok(Staged::Held(_))), "{staged:?}");
                whole += 1;
            }
            None => cut += 1,
        }
        // The writer is free again, and what was cut off is there as a whole or not at all.
        let open = desk.store.view(&sandbox(), &ticket("T-101"), desk.now()).await.unwrap().own;
        desk.store.stop(&sandbox(), &Actor::Person, false, desk.now()).await.unwrap();
        let open = desk.store.view(&sandbox(), &ticket("T-101"), desk.now()).await.unwrap().own.or(open);
        let reserved = open.as_ref().map_or(0, |open| open.amount.0);
        assert_eq!(desk.money("T-101").await, (0, reserved));
        if let Some(open) = open {
            desk.store.withdraw(&open.id, &by, desk.now()).await.unwrap();
            assert_eq!(desk.money("T-101").await, (0, 0));
        }
    }
    assert!(cut > 0, "{whole} were whole, {cut} cut off");
}
