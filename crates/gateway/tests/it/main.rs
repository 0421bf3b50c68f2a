//! The gateway through real processes: its own program, servers that misbehave, and hosts that speak raw JSON-RPC.
#![expect(clippy::unwrap_used, reason = "a test that can't go on stops")]

mod bytes;
mod contained;
mod first_slice;
mod foreign;
mod holes;
mod person;
mod scan;
mod support;
mod web;
