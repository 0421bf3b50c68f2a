//! The one log of what happened.

use std::sync::{Arc, Mutex};

use server::store::{Actor, Workspace};

use crate::store::fixture::{Desk, agent, on_each_database, sandbox, ticket};

on_each_database!(
    a_change_and_its_events_are_one,
    a_cursor_reads_on_from_where_it_was,
    old_events_go_and_an_old_cursor_can_tell,
    a_listener_hears_every_change_once,
);

async fn a_change_and_its_events_are_one(desk: Desk) {
    let held = desk.held("T-101", 8_900).await;
    let (ws, by) = (sandbox(), Actor::Agent(agent("tab-1")));
    let name = ticket("T-101");
    desk.store.escalate(&ws, &by, &name, "Unsure", &desk.rules, desk.now()).await.unwrap();
    let all = desk.store.events(&ws, 0, 100).await.unwrap();
    let lines: Vec<_> =
        all.events.iter().map(|event| (event.seq, event.what.as_str(), event.kind())).collect();
    assert_eq!(
        lines,
        [
            (1, "triaged", "ticket"),
            (2, "refund held", "refund"),
            (3, "escalated", "ticket"),
            (4, "refund terms changed", "refund"),
        ]
    );
    assert_eq!(all.events[3].refund.as_ref(), Some(&held.id));
    assert_eq!(all.events[3].state.as_deref(), Some("terms_changed"));
    // What is refused by the store leaves nothing.
    let refused = desk.store.escalate(&ws, &by, &name, "Again", &desk.rules, desk.now()).await;
    assert!(refused.is_err());
    let after = desk.store.events(&ws, 4, 100).await.unwrap();
    assert_eq!((after.events.len(), after.newest), (0, 4));
}

async fn a_cursor_reads_on_from_where_it_was(desk: Desk) {
    for name in ["T-101", "T-102", "T-103"] {
        desk.triage(&sandbox(), name).await;
    }
    let some = desk.store.events(&sandbox(), 1, 1).await.unwrap();
    assert_eq!((some.events.len(), some.events[0].seq, some.oldest, some.newest), (1, 2, Some(1), 3));
    let of_one = desk.store.record(&sandbox(), Some(&ticket("T-102")), 9).await.unwrap();
    assert_eq!(of_one, some.events);
    let newest = desk.store.record(&sandbox(), None, 2).await.unwrap();
    assert_eq!(newest.iter().map(|event| event.seq).collect::<Vec<_>>(), [3, 2]);
    assert!(desk.store.record(&Workspace::try_from("other").unwrap(), None, 9).await.unwrap().is_empty());
}

async fn old_events_go_and_an_old_cursor_can_tell(desk: Desk) {
    desk.triage(&sandbox(), "T-101").await;
    desk.pass(4 * 86_400);
    desk.triage(&sandbox(), "T-103").await;
    desk.pass(3 * 86_400 + 1);
    desk.store.sweep(desk.now()).await.unwrap();
    let kept = desk.store.events(&sandbox(), 0, 9).await.unwrap();
    assert_eq!((kept.events.len(), kept.oldest, kept.newest), (1, Some(2), 2));
}

async fn a_listener_hears_every_change_once(desk: Desk) {
    let heard: Arc<Mutex<Vec<(String, String)>>> = Arc::default();
    let ears = heard.clone();
    desk.store.listen(move |workspace, events| {
        for event in events {
            ears.lock().unwrap().push((workspace.to_string(), event.what.clone()));
        }
    });
    desk.store.listen(|_, _| panic!("only the first listener counts"));
    let held = desk.held("T-101", 8_900).await;
    desk.paid(&held.id, &desk.ledger()).await;
    desk.store.stop_everywhere(&Actor::Desk, true, desk.now()).await.unwrap();
    assert!(desk.stage(&sandbox(), "T-999", 1, &agent("x")).await.is_err());
    let heard = heard.lock().unwrap().clone();
    let said: Vec<_> = heard.iter().map(|(workspace, what)| (workspace.as_str(), what.as_str())).collect();
    assert_eq!(
        said,
        [
            ("a1b2c3", "triaged"),
            ("a1b2c3", "refund held"),
            ("a1b2c3", "approval opened"),
            ("a1b2c3", "refund being paid"),
            ("a1b2c3", "refund paid"),
            ("pristine", "agents stopped"),
        ]
    );
}
