//! The store, through its public door, on SQLite and on PostgreSQL.

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
