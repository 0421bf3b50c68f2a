//! What reads see, and that they change nothing.

use desk::money::Minor;
use policy::{Code, Stage};
use server::store::{Actor, Compose, StoreError, Workspace};

use crate::store::fixture::{Desk, START, on_each_database, sandbox, ticket};

on_each_database!(
    a_workspace_nobody_changed_reads_as_the_demonstration,
    reading_writes_nothing,
    what_was_written_comes_back_as_it_was,
    what_is_not_there_is_not_found,
    ages_are_measured_when_a_sandbox_is_made,
    secrets_are_the_same_for_every_process,
);

async fn a_workspace_nobody_changed_reads_as_the_demonstration(desk: Desk) {
    let view = desk.store.view(&sandbox(), &ticket("T-102"), desk.now()).await.unwrap();
    assert_eq!((view.workspace.clone(), view.seq, view.rules), (sandbox(), 0, 0));
    assert_eq!(view.ticket.stage, Stage::New);
    let order = view.order.unwrap();
    assert_eq!((order.id.as_str(), order.payment.captured), ("A-4412", Minor(240_000)));
    assert!(view.own.is_none() && !view.stopped);
    assert_eq!(desk.code(&sandbox(), "T-102").await, Code::OutsideWindow);
    assert_eq!(desk.code(&sandbox(), "T-101").await, Code::NotTriaged);
    let names: Vec<_> = desk.store.tickets(&sandbox()).await.unwrap().into_iter().map(|one| one.id).collect();
    assert_eq!(names, (101..=108).map(|number| ticket(&format!("T-{number}"))).collect::<Vec<_>>());
    let said = desk.store.conversation(&sandbox(), &ticket("T-101")).await.unwrap();
    assert_eq!((said.messages.len(), said.messages[0].from.as_str()), (1, "customer"));
    assert!(!said.subject.is_empty() && said.category.is_none());
}

async fn reading_writes_nothing(desk: Desk) {
    let before = everything(&desk).await;
    let (ws, name) = (sandbox(), ticket("T-101"));
    desk.store.view(&ws, &name, desk.now()).await.unwrap();
    desk.store.tickets(&ws).await.unwrap();
    desk.store.conversation(&ws, &name).await.unwrap();
    assert!(desk.store.refunds(&ws, &name).await.unwrap().is_empty());
    assert!(desk.store.cards(&ws, None, &desk.rules, desk.now()).await.unwrap().is_empty());
    assert!(desk.store.cards_everywhere(&desk.rules, desk.now(), 10).await.unwrap().is_empty());
    assert!(desk.store.record(&ws, None, 10).await.unwrap().is_empty());
    let events = desk.store.events(&ws, 0, 10).await.unwrap();
    assert_eq!((events.events.len(), events.oldest, events.newest), (0, None, 0));
    assert!(desk.store.ping().await);
    assert!(desk.store.active_rules().await.unwrap().is_none());
    assert_eq!(everything(&desk).await, before);
    assert_eq!(desk.number("SELECT COUNT(*) FROM workspace").await, 2, "pristine and demo");
}

async fn everything(desk: &Desk) -> [i64; 4] {
    [
        desk.number("SELECT COUNT(*) FROM workspace").await,
        desk.number("SELECT CAST(SUM(seq) AS BIGINT) FROM workspace").await,
        desk.number("SELECT COUNT(*) FROM event").await,
        desk.number("SELECT COUNT(*) FROM ticket").await,
    ]
}

async fn what_was_written_comes_back_as_it_was(desk: Desk) {
    let odd =
        "<script>alert(1)</script>\u{0}\u{202e}gnp.exe \u{e0041}\r\n\t\u{fffe} 😀 '); DROP TABLE refund;--";
    let long = "é".repeat(32_768);
    let compose = Compose { subject: odd, customer: odd, message: &long, order: None };
    let name = desk.store.compose(&sandbox(), &Actor::Person, compose, desk.now()).await.unwrap();
    assert_eq!(name, ticket("T-109"));
    let said = desk.store.conversation(&sandbox(), &name).await.unwrap();
    assert_eq!((said.subject.as_str(), said.customer.as_str()), (odd, odd));
    assert_eq!(said.messages[0].text, long);
    assert_eq!(said.messages[0].at, START);
    assert_eq!(desk.code(&sandbox(), "T-109").await, Code::NoOrder);
}

async fn what_is_not_there_is_not_found(desk: Desk) {
    let nothing = ticket("T-999");
    assert_eq!(desk.store.view(&sandbox(), &nothing, desk.now()).await, Err(StoreError::NotFound));
    assert_eq!(desk.store.conversation(&sandbox(), &nothing).await, Err(StoreError::NotFound));
    let refund = desk::id::RefundId::try_from("r-guessed").unwrap();
    assert_eq!(desk.store.refund(&refund).await, Err(StoreError::NotFound));
    assert_eq!(desk.store.card(&refund, &desk.rules, desk.now()).await, Err(StoreError::NotFound));
}

async fn ages_are_measured_when_a_sandbox_is_made(desk: Desk) {
    desk.pass(5 * 86_400 + 1);
    desk.store.ensure(&sandbox(), desk.now()).await.unwrap();
    let view = desk.store.view(&sandbox(), &ticket("T-101"), desk.now()).await.unwrap();
    assert_eq!(view.ticket.received_at, desk.now());
    let order = view.order.unwrap();
    assert_eq!(desk.now().seconds_since(order.purchased_at), 6 * 86_400);
    assert_eq!(desk.now().seconds_since(order.delivered_at.unwrap()), 4 * 86_400);
    let said = desk.store.conversation(&sandbox(), &ticket("T-101")).await.unwrap();
    assert_eq!(said.messages[0].at, desk.now());
    let old = desk.store.view(&Workspace::DEMO, &ticket("T-101"), desk.now()).await.unwrap();
    assert_eq!(old.ticket.received_at, START, "demo was made at the start");
}

async fn secrets_are_the_same_for_every_process(desk: Desk) {
    let other = desk.another().await;
    let (one, two) = tokio::join!(desk.store.secret("signing", b"one\0"), other.secret("signing", b"two\0"));
    assert_eq!(one, two);
    assert_eq!(desk.store.secret("signing", b"three").await, one);
    assert_eq!(desk.store.setting("nothing").await, Ok(None));
    desk.store.set("mode", b"a").await.unwrap();
    desk.store.set("mode", b"b").await.unwrap();
    assert_eq!(other.setting("mode").await, Ok(Some(b"b".to_vec())));
}
