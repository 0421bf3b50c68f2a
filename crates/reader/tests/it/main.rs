//! The reader through its public door.

#![expect(clippy::unwrap_used, reason = "a test ends where its set-up fails")]

mod extraction;
mod report;
mod schema;
mod store;
