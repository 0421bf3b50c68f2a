//! The cases run in memory, and every control behaves.
#![expect(clippy::unwrap_used, reason = "a test may stop where its cases can't be read")]

mod cases;
mod controls;
mod variants;
