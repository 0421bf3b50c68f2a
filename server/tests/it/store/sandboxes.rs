//! Sandboxes: made at the first change, apart from each other, reset, dropped.

use std::time::Duration;

use desk::refund::State;
use policy::{Code, Stage};
use server::store::{Actor, Limits, StoreError, Workspace};

use crate::store::fixture::{Desk, START, agent, on_each_database, sandbox, ticket};

on_each_database!(
    a_reset_is_of_one_sandbox,
    a_reset_goes_on_counting,
    an_idle_sandbox_is_dropped_but_none_with_an_open_refund,
    stopping_everywhere_reaches_everybody,
    other_processes_see_what_moved,
    console_codes_are_good_once,
);

fn named(name: &str) -> Workspace {
    Workspace::try_from(name).unwrap()
}

async fn a_reset_is_of_one_sandbox(desk: Desk) {
    let held = desk.held("T-101", 8_900).await;
    let (one, other) = (sandbox(), named("other"));
    desk.triage(&other, "T-101").await;
    desk.pass(86_400);
    desk.store.reset(&one, &Actor::Person, desk.now()).await.unwrap();
    let view = desk.store.view(&one, &ticket("T-101"), desk.now()).await.unwrap();
    assert_eq!((view.ticket.stage, view.ticket.received_at), (Stage::New, desk.now()));
    assert_eq!((view.own, desk.money("T-101").await), (None, (0, 0)));
    assert_eq!(desk.refund(&held.id).await.state, State::Withdrawn, "whoever waits gets an answer");
    assert!(desk.store.refunds(&one, &ticket("T-101")).await.unwrap().is_empty());
    let card = desk.store.card(&held.id, &desk.rules, desk.now()).await;
    assert_eq!(card.unwrap_err(), StoreError::NotFound);
    let untouched = desk.store.view(&other, &ticket("T-101"), desk.now()).await.unwrap();
    assert_eq!((untouched.ticket.stage, untouched.ticket.received_at), (Stage::Triaged, START));
}

async fn a_reset_goes_on_counting(desk: Desk) {
    desk.triage(&sandbox(), "T-101").await;
    desk.store.stop(&sandbox(), &Actor::Person, true, desk.now()).await.unwrap();
    desk.store.reset(&sandbox(), &Actor::Person, desk.now()).await.unwrap();
    let view = desk.store.view(&sandbox(), &ticket("T-101"), desk.now()).await.unwrap();
    assert_eq!((view.seq, view.stopped), (3, false));
    let record = desk.store.record(&sandbox(), None, 9).await.unwrap();
    let what: Vec<_> = record.iter().map(|event| event.what.as_str()).collect();
    assert_eq!(what, ["workspace reset", "agents stopped", "triaged"]);
}

async fn an_idle_sandbox_is_dropped_but_none_with_an_open_refund(desk: Desk) {
    let (idle, busy) = (named("idle"), named("busy"));
    desk.triage(&idle, "T-101").await;
    desk.triage(&busy, "T-101").await;
    desk.triage(&Workspace::DEMO, "T-101").await;
    assert!(desk.stage(&busy, "T-101", 8_900, &agent("tab-1")).await.is_ok());
    desk.sql("UPDATE refund SET state = 'unknown', asked_at = staged_at, captured = 8900").await;
    desk.pass(7 * 86_400);
    desk.store.sweep(desk.now()).await.unwrap();
    assert_eq!(desk.number("SELECT COUNT(*) FROM workspace").await, 4, "not before 7 days are over");
    desk.pass(1);
    desk.store.sweep(desk.now()).await.unwrap();
    let left = |name: &'static str| {
        let (store, now) = (desk.store.clone(), desk.now());
        async move { store.view(&named(name), &ticket("T-101"), now).await.unwrap().ticket.stage }
    };
    assert_eq!(left("idle").await, Stage::New, "it reads as the demonstration again");
    assert_eq!(left("busy").await, Stage::Triaged);
    assert_eq!(left("demo").await, Stage::Triaged);
    for table in [
        "SELECT COUNT(*) FROM ticket WHERE workspace = 'idle'",
        "SELECT COUNT(*) FROM message WHERE workspace = 'idle'",
        "SELECT COUNT(*) FROM payment WHERE workspace = 'idle'",
        "SELECT COUNT(*) FROM event",
    ] {
        assert_eq!(desk.number(table).await, 0, "{table}");
    }
}

async fn stopping_everywhere_reaches_everybody(desk: Desk) {
    let unwritten = named("unwritten");
    desk.triage(&sandbox(), "T-101").await;
    let other = desk.another().await;
    other.stop_everywhere(&Actor::Desk, true, desk.now()).await.unwrap();
    assert_eq!(desk.code(&sandbox(), "T-101").await, Code::Stopped);
    assert_eq!(desk.code(&unwritten, "T-101").await, Code::Stopped);
    let newest = desk.store.record(&sandbox(), None, 1).await.unwrap().remove(0);
    assert_eq!(
        (newest.who.as_str(), newest.what.as_str(), newest.kind()),
        ("desk", "agents stopped", "workspace")
    );
    desk.store.stop(&sandbox(), &Actor::Person, false, desk.now()).await.unwrap();
    assert_eq!(desk.code(&sandbox(), "T-101").await, Code::Stopped, "stopped everywhere is stopped here");
    other.stop_everywhere(&Actor::Desk, false, desk.now()).await.unwrap();
    assert_eq!(desk.code(&sandbox(), "T-101").await, Code::Eligible);
}

async fn other_processes_see_what_moved(desk: Desk) {
    let other = desk.another().await;
    desk.triage(&sandbox(), "T-101").await;
    let far = Duration::from_secs(3_600);
    let seq = |moved: Vec<(Workspace, i64)>, of: &Workspace| {
        moved.into_iter().find(|(workspace, _)| workspace == of).map(|(_, seq)| seq)
    };
    assert_eq!(seq(other.moved(far).await.unwrap(), &sandbox()), Some(1));
    desk.triage(&sandbox(), "T-103").await;
    assert_eq!(seq(other.moved(far).await.unwrap(), &sandbox()), Some(2));
    desk.store.stop_everywhere(&Actor::Desk, true, desk.now()).await.unwrap();
    assert!(other.moved(far).await.unwrap().iter().any(|(workspace, _)| workspace.is_pristine()));
    desk.sql("UPDATE workspace SET changed_at = changed_at - 7200000").await;
    assert!(other.moved(far).await.unwrap().is_empty());
}

async fn console_codes_are_good_once(desk: Desk) {
    let (store, now) = (&desk.store, desk.now());
    let later = now.plus_seconds(60);
    store.add_console_code("code", later).await.unwrap();
    assert!(!store.begin_console_session("guess", "s1", "ann", later, now).await.unwrap());
    assert!(!store.begin_console_session("code", "s1", "ann", later, later).await.unwrap(), "expired");
    assert!(store.begin_console_session("code", "s1", "ann", later, now).await.unwrap());
    assert!(!store.begin_console_session("code", "s2", "bob", later, now).await.unwrap());
    assert_eq!(store.console_session("s1", now).await, Ok(Some("ann".to_owned())));
    assert_eq!(store.console_session("code", now).await, Ok(None));
    assert_eq!(store.console_session("s1", later).await, Ok(None), "it ends");
    store.end_console_session("s1").await.unwrap();
    assert_eq!(store.console_session("s1", now).await, Ok(None));
}

#[tokio::test]
async fn there_are_only_so_many_sandboxes() {
    let desk = Desk::limited(Limits { sandboxes: 2, ..Limits::default() }).await;
    for name in ["one", "two"] {
        desk.store.ensure(&named(name), desk.now()).await.unwrap();
        desk.store.ensure(&named(name), desk.now()).await.unwrap();
    }
    let third = desk.store.ensure(&named("three"), desk.now()).await;
    assert_eq!(third, Err(StoreError::TooManySandboxes));
    let changed = desk.store.reset(&named("three"), &Actor::Person, desk.now()).await;
    assert_eq!(changed, Err(StoreError::TooManySandboxes));
    assert!(desk.store.view(&named("three"), &ticket("T-101"), desk.now()).await.is_ok(), "it can be read");
    desk.triage(&named("one"), "T-101").await;
    desk.triage(&Workspace::DEMO, "T-101").await;
}
