//! The server, through its public doors.
#![expect(clippy::unwrap_used, reason = "a test that fails to prepare should fail")]

mod http;
mod store;
