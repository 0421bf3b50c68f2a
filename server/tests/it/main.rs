//! The store, through its public door, on SQLite and on PostgreSQL.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod crash;
mod deciding;
mod fixture;
mod log;
mod money;
mod outage;
mod paying;
mod postgres;
mod races;
mod reading;
mod sandboxes;
mod staging;
mod tickets;
mod waiting;
