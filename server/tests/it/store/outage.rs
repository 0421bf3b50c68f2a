//! A database that is full, read-only, busy or gone: one answer, and nothing half-written.

use server::store::{Actor, Compose, Database, Limits, Store, StoreError};
use sqlx::Connection as _;

use crate::store::fixture::{Desk, agent, approver, sandbox, ticket};

#[tokio::test]
async fn a_full_disk_is_unavailable_and_nothing_is_half_written() {
    let desk = Desk::limited(Limits { database_bytes: Some(600_000), ..Limits::default() }).await;
    let held = desk.held("T-101", 8_900).await;
    let message = "x".repeat(60_000);
    let compose = || Compose { subject: "S", customer: "C", message: &message, order: None };
    let mut made = 0;
    let full = loop {
        match desk.store.compose(&sandbox(), &Actor::Person, compose(), desk.now()).await {
            Ok(_) => made += 1,
            Err(error) => break error,
        }
    };
    assert_eq!(full, StoreError::Unavailable);
    assert!(made > 0);
    let tickets = desk.store.tickets(&sandbox()).await.unwrap();
    assert_eq!(tickets.len(), 8 + made);
    for one in &tickets {
        let said = desk.store.conversation(&sandbox(), &one.id).await.unwrap();
        assert_eq!(said.messages.len(), 1, "no ticket without its message");
    }
    let newest = desk.store.events(&sandbox(), 0, 1).await.unwrap().newest;
    assert_eq!(newest, i64::try_from(made).unwrap() + 2, "no place without its event");
    assert_eq!(desk.money("T-101").await, (0, 8_900));
    assert_eq!(desk.refund(&held.id).await, held);
}

#[tokio::test]
async fn a_read_only_database_is_read_and_not_written() {
    let desk = Desk::sqlite().await;
    let held = desk.held("T-101", 8_900).await;
    let nonce = desk.nonce(&held.id, &approver("ann")).await.unwrap();
    desk.store.close().await;
    let Database::Sqlite(folder) = &desk.database else { panic!("not SQLite") };
    read_only(&folder.join("quarantine.db"));
    let store = Store::open(&desk.database, Limits::default(), desk.now()).await.unwrap();
    assert!(store.ping().await);
    assert_eq!(store.refund(&held.id).await.unwrap(), held);
    let (ws, now, name) = (sandbox(), desk.now(), ticket("T-101"));
    let unavailable = StoreError::Unavailable;
    let ask = server::store::Ask {
        by: &agent("tab-1"),
        ticket: &name,
        amount: desk::money::Minor(8_900),
        words: None,
    };
    assert_eq!(store.stage(&ws, ask, &desk.rules, now).await.unwrap_err(), unavailable);
    assert_eq!(store.reset(&ws, &Actor::Person, now).await.unwrap_err(), unavailable);
    let by = approver("ann");
    let press = crate::store::fixture::press(&nonce, &by);
    assert_eq!(store.approve(press, &desk.rules, now).await.unwrap_err(), unavailable);
    assert_eq!(store.refund(&held.id).await.unwrap(), held);
}

/// A write version above 2 makes SQLite treat a file as read-only (its file format, section 1.3.3). Permissions would not
/// stop root.
fn read_only(file: &std::path::Path) {
    let mut bytes = std::fs::read(file).unwrap();
    bytes[18] = 3;
    std::fs::write(file, bytes).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_only_postgres_is_read_and_not_written() {
    let Some(desk) = Desk::postgres().await else { return };
    let held = desk.held("T-101", 8_900).await;
    let Database::Postgres(url) = &desk.database else { panic!("not PostgreSQL") };
    let mut connection = sqlx::AnyConnection::connect(url).await.unwrap();
    let database = url.rsplit('/').next().unwrap();
    let statement = format!("ALTER DATABASE {database} SET default_transaction_read_only = on");
    sqlx::query(sqlx::AssertSqlSafe(statement)).execute(&mut connection).await.unwrap();
    let store = Store::open(&desk.database, Limits::default(), desk.now()).await.unwrap();
    assert_eq!(store.refund(&held.id).await.unwrap(), held);
    let refused = store.stop(&sandbox(), &Actor::Person, true, desk.now()).await;
    assert_eq!(refused.unwrap_err(), StoreError::Unavailable);
    let view = store.view(&sandbox(), &ticket("T-101"), desk.now()).await.unwrap();
    assert!(!view.stopped);
}

#[tokio::test]
async fn a_place_that_cannot_be_opened_is_unavailable() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a file");
    std::fs::write(&file, "not a folder").unwrap();
    for place in [file.clone(), file.join("below")] {
        let opened =
            Store::open(&Database::Sqlite(place), Limits::default(), crate::store::fixture::START).await;
        assert_eq!(opened.unwrap_err(), StoreError::Unavailable);
    }
    let damaged = folder.path().join("damaged.db");
    std::fs::write(&damaged, "this is not a database, and long enough to be looked at closely".repeat(99))
        .unwrap();
    let opened =
        Store::open(&Database::Sqlite(damaged), Limits::default(), crate::store::fixture::START).await;
    assert_eq!(opened.unwrap_err(), StoreError::Unavailable);
}

#[tokio::test]
async fn a_file_that_ends_in_db_is_the_database() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sub").join("records.db");
    let database = Database::Sqlite(file.clone());
    let store = Store::open(&database, Limits::default(), crate::store::fixture::START).await.unwrap();
    assert!(store.ping().await && file.is_file());
    store.close().await;
    assert!(!store.ping().await);
}
