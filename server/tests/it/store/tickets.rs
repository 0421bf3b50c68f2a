//! What people and agents do to tickets.

use desk::refund::State;
use policy::{Code, Stage};
use server::store::{Actor, AgentKind, Compose, StoreError, Triage};
use wire::ticket::Category;

use crate::store::fixture::{Desk, agent, on_each_database, sandbox, ticket};

on_each_database!(
    an_agent_does_what_it_holds_a_tool_for,
    no_reply_while_a_refund_waits,
    closing_a_ticket_ends_what_it_holds,
    a_person_reopens,
    a_stopped_agent_reads_only,
    tickets_are_composed_from_messages,
    what_triage_says_is_kept_apart,
);

const TRIAGE: Triage<'static> = Triage { category: Category::Damage, summary: Some("Broken.\u{0}") };

async fn an_agent_does_what_it_holds_a_tool_for(desk: Desk) {
    let (ws, name, by) = (sandbox(), ticket("T-101"), Actor::Agent(agent("tab-1")));
    let (store, rules, now) = (&desk.store, &desk.rules, desk.now());
    let not_now = Err(StoreError::NotAvailable);
    assert_eq!(store.reply(&ws, &by, &name, "Hi", rules, now).await, not_now);
    assert_eq!(store.escalate(&ws, &by, &name, "Why", rules, now).await, not_now);
    let triaged = store.triage(&ws, &by, &name, TRIAGE, rules, now).await.unwrap();
    assert_eq!((triaged.stage, triaged.version), (Stage::Triaged, 2));
    assert_eq!(store.triage(&ws, &by, &name, TRIAGE, rules, now).await, not_now);
    let replied = store.reply(&ws, &by, &name, "Hello\u{0}", rules, now).await.unwrap();
    assert_eq!(replied.version, 2, "a reply is not a fact that decides");
    let escalated = store.escalate(&ws, &by, &name, "Why", rules, now).await.unwrap();
    assert_eq!((escalated.stage, escalated.version), (Stage::Escalated, 3));
    assert_eq!(store.reply(&ws, &by, &name, "Hi", rules, now).await, not_now);
    let said = store.conversation(&ws, &name).await.unwrap();
    let last = said.messages.last().unwrap();
    assert_eq!((last.from.as_str(), last.text.as_str()), ("agent", "Hello\u{0}"));
    assert_eq!(said.escalation.as_deref(), Some("Why"));
    let what: Vec<_> = store.record(&ws, Some(&name), 9).await.unwrap().into_iter().map(|e| e.what).collect();
    assert_eq!(what, ["escalated", "replied", "triaged"]);
    assert_eq!(store.view(&ws, &name, now).await.unwrap().ticket, escalated);
}

async fn no_reply_while_a_refund_waits(desk: Desk) {
    desk.held("T-101", 8_900).await;
    let (ws, name) = (sandbox(), ticket("T-101"));
    let by = Actor::Agent(agent("tab-1"));
    let refused = desk.store.reply(&ws, &by, &name, "It is on its way", &desk.rules, desk.now()).await;
    assert_eq!(refused, Err(StoreError::NotAvailable));
    let person =
        desk.store.reply(&ws, &Actor::Person, &name, "A moment, please", &desk.rules, desk.now()).await;
    assert!(person.is_ok());
}

async fn closing_a_ticket_ends_what_it_holds(desk: Desk) {
    let (ws, store, now) = (sandbox(), &desk.store, desk.now());
    let one = desk.held("T-101", 8_900).await;
    let two = desk.held("T-103", 5_000).await;
    let by = Actor::Agent(agent("tab-1"));
    store.escalate(&ws, &by, &ticket("T-101"), "Unsure", &desk.rules, now).await.unwrap();
    store.resolve(&ws, &ticket("T-103"), now).await.unwrap();
    for (refund, name) in [(one, "T-101"), (two, "T-103")] {
        let ended = desk.refund(&refund.id).await;
        assert_eq!((ended.state, ended.ended_at), (State::TermsChanged, Some(now)));
        assert_eq!(desk.money(name).await, (0, 0));
        assert_eq!(desk.code(&ws, name).await, Code::TicketClosed);
    }
}

async fn a_person_reopens(desk: Desk) {
    let (ws, store, now) = (sandbox(), &desk.store, desk.now());
    let refund = desk.held("T-101", 8_900).await;
    desk.reject(&refund.id).await;
    assert_eq!(desk.code(&ws, "T-101").await, Code::Rejected);
    store.resolve(&ws, &ticket("T-101"), now).await.unwrap();
    assert_eq!(store.resolve(&ws, &ticket("T-101"), now).await, Err(StoreError::NotAvailable));
    let reopened = store.reopen(&ws, &ticket("T-101"), now).await.unwrap();
    assert_eq!((reopened.stage, reopened.rejected), (Stage::Triaged, None));
    assert_eq!(store.view(&ws, &ticket("T-101"), now).await.unwrap().ticket, reopened);
    assert_eq!(desk.code(&ws, "T-101").await, Code::Eligible);
    assert_eq!(store.reopen(&ws, &ticket("T-102"), now).await, Err(StoreError::NotAvailable), "it is new");
}

async fn a_stopped_agent_reads_only(desk: Desk) {
    let (ws, store, now) = (sandbox(), &desk.store, desk.now());
    store.stop(&ws, &Actor::Person, true, now).await.unwrap();
    let by = Actor::Agent(agent("tab-1"));
    let name = ticket("T-101");
    let refused = store.triage(&ws, &by, &name, TRIAGE, &desk.rules, now).await;
    assert_eq!(refused, Err(StoreError::NotAvailable));
    store.triage(&ws, &Actor::Person, &name, TRIAGE, &desk.rules, now).await.unwrap();
    assert_eq!(desk.code(&ws, "T-101").await, Code::Stopped);
    store.stop(&ws, &Actor::Person, false, now).await.unwrap();
    assert_eq!(desk.code(&ws, "T-101").await, Code::Eligible);
}

async fn tickets_are_composed_from_messages(desk: Desk) {
    let (ws, store, now) = (sandbox(), &desk.store, desk.now());
    let order = desk::id::OrderId::try_from("A-5510").unwrap();
    let compose = |order| Compose { subject: "S", customer: "C", message: "M", order };
    let one = store.compose(&ws, &Actor::Person, compose(Some(&order)), now).await.unwrap();
    let two = store.compose(&ws, &Actor::Person, compose(None), now).await.unwrap();
    assert_eq!((one.as_str(), two.as_str()), ("T-109", "T-110"));
    let view = store.view(&ws, &one, now).await.unwrap();
    assert_eq!(view.order.unwrap().id, order);
    let unknown = desk::id::OrderId::try_from("A-0000").unwrap();
    let refused = store.compose(&ws, &Actor::Person, compose(Some(&unknown)), now).await;
    assert_eq!(refused, Err(StoreError::NotFound));
    store.reset(&ws, &Actor::Person, now).await.unwrap();
    let three = store.compose(&ws, &Actor::Person, compose(None), now).await.unwrap();
    assert_eq!(three.as_str(), "T-111", "a name is not used twice, also after a reset");
}

async fn what_triage_says_is_kept_apart(desk: Desk) {
    let played = server::store::Agent { kind: AgentKind::Played, credential: "p".to_owned() };
    let (ws, name) = (sandbox(), ticket("T-101"));
    let by = Actor::Agent(played);
    desk.store.triage(&ws, &by, &name, TRIAGE, &desk.rules, desk.now()).await.unwrap();
    let said = desk.store.conversation(&ws, &name).await.unwrap();
    assert_eq!(said.category.as_deref(), Some("damage"));
    assert_eq!(said.summary.as_deref(), Some("Broken.\u{0}"));
    let event = desk.store.record(&ws, None, 1).await.unwrap().remove(0);
    assert_eq!((event.who.as_str(), event.state.as_deref()), ("person playing the agent", Some("triaged")));
}
