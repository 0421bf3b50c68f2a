//! How a wait ends without a decision.

use desk::refund::State;
use server::store::{Actor, Staged, StoreError};

use crate::store::fixture::{Desk, agent, approver, on_each_database, sandbox, ticket};

on_each_database!(
    the_last_of_two_callers_withdraws,
    only_who_asked_withdraws,
    withdrawing_counts_as_receiving,
    gone_ends_it_for_all_callers,
    a_held_refund_expires,
    an_expired_refund_is_not_approved_before_the_sweep,
    an_outcome_is_received_once,
    what_is_decided_is_not_withdrawn,
);

async fn the_last_of_two_callers_withdraws(desk: Desk) {
    let (ws, by) = (sandbox(), agent("tab-1"));
    let held = desk.held("T-101", 8_900).await;
    assert!(matches!(desk.stage(&ws, "T-101", 8_900, &by).await, Ok(Staged::Joined(_))));
    let left = desk.store.withdraw(&held.id, &by, desk.now()).await.unwrap();
    assert_eq!((left.state, left.callers), (State::Held, 1));
    assert_eq!(desk.money("T-101").await, (0, 8_900));
    let withdrawn = desk.store.withdraw(&held.id, &by, desk.now()).await.unwrap();
    assert_eq!((withdrawn.state, withdrawn.ended_at), (State::Withdrawn, Some(desk.now())));
    assert_eq!(desk.money("T-101").await, (0, 0));
    let again = desk.store.withdraw(&held.id, &by, desk.now()).await.unwrap();
    assert_eq!(again.state, State::Withdrawn);
    assert_eq!(desk.money("T-101").await, (0, 0), "released once");
}

async fn only_who_asked_withdraws(desk: Desk) {
    let held = desk.held("T-101", 8_900).await;
    let other = desk.store.withdraw(&held.id, &agent("tab-2"), desk.now()).await;
    assert_eq!(other, Err(StoreError::NotFound));
    assert_eq!(desk.refund(&held.id).await.state, State::Held);
}

async fn withdrawing_counts_as_receiving(desk: Desk) {
    let by = agent("tab-1");
    let held = desk.held("T-101", 8_900).await;
    assert!(desk.store.withdraw(&held.id, &by, desk.now()).await.unwrap().received);
    assert!(matches!(desk.stage(&sandbox(), "T-101", 8_900, &by).await, Ok(Staged::Held(_))));
}

async fn gone_ends_it_for_all_callers(desk: Desk) {
    let by = agent("tab-1");
    let held = desk.held("T-101", 8_900).await;
    assert!(matches!(desk.stage(&sandbox(), "T-101", 8_900, &by).await, Ok(Staged::Joined(_))));
    let gone = desk.store.gone(&held.id, &Actor::Desk, desk.now()).await.unwrap();
    assert_eq!((gone.state, gone.received), (State::Withdrawn, false));
    assert_eq!(desk.money("T-101").await, (0, 0));
    assert!(desk.store.held_by_pages().await.unwrap().is_empty());
}

async fn a_held_refund_expires(desk: Desk) {
    let held = desk.held("T-101", 8_900).await;
    assert_eq!(desk.store.held_by_pages().await.unwrap(), std::slice::from_ref(&held));
    desk.pass(3_599);
    assert!(desk.store.sweep(desk.now()).await.unwrap().is_empty());
    desk.pass(1);
    let expired = desk.store.sweep(desk.now()).await.unwrap();
    assert_eq!(expired.len(), 1);
    assert_eq!((expired[0].id.clone(), expired[0].state), (held.id.clone(), State::Expired));
    assert_eq!(desk.money("T-101").await, (0, 0));
    assert!(desk.store.sweep(desk.now()).await.unwrap().is_empty());
    let event = desk.store.record(&sandbox(), Some(&ticket("T-101")), 1).await.unwrap().remove(0);
    assert_eq!((event.who.as_str(), event.what.as_str()), ("desk", "refund expired"));
}

async fn an_expired_refund_is_not_approved_before_the_sweep(desk: Desk) {
    let by = approver("ann");
    let held = desk.held("T-101", 8_900).await;
    desk.pass(3_570);
    let nonce = desk.nonce(&held.id, &by).await.unwrap();
    desk.pass(30);
    assert_eq!(desk.press(&nonce, &by).await.unwrap_err(), StoreError::AlreadyDecided);
    assert_eq!(desk.refund(&held.id).await.state, State::Expired);
    assert_eq!(desk.money("T-101").await, (0, 0));
}

async fn an_outcome_is_received_once(desk: Desk) {
    let by = agent("tab-1");
    let held = desk.held("T-101", 8_900).await;
    desk.store.receive(&held.id, &by, desk.now()).await.unwrap();
    assert!(!desk.refund(&held.id).await.received, "there is no outcome yet");
    desk.reject(&held.id).await;
    desk.store.receive(&held.id, &agent("tab-2"), desk.now()).await.unwrap();
    assert!(!desk.refund(&held.id).await.received, "it is not theirs");
    desk.store.receive(&held.id, &by, desk.now()).await.unwrap();
    assert!(desk.refund(&held.id).await.received);
    let events = desk.number("SELECT COUNT(*) FROM event").await;
    desk.store.receive(&held.id, &by, desk.now()).await.unwrap();
    assert_eq!(desk.number("SELECT COUNT(*) FROM event").await, events);
}

async fn what_is_decided_is_not_withdrawn(desk: Desk) {
    let by = agent("tab-1");
    let held = desk.held("T-101", 8_900).await;
    let claimed = desk.claimed(&held.id).await;
    assert_eq!(desk.store.withdraw(&held.id, &by, desk.now()).await.unwrap().state, State::Paying);
    assert_eq!(desk.store.gone(&held.id, &Actor::Desk, desk.now()).await.unwrap().state, State::Paying);
    let paid = desk.store.pay(&desk.ledger(), claimed, &*desk.clock).await.unwrap();
    assert_eq!(paid.state, State::Paid);
}
