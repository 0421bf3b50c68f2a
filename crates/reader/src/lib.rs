//! Reading untrusted text behind glass.
//!
//! Whoever reads a stranger's text has no power to act; whoever acts gets typed fields and the names of sealed
//! values, never the text.
#![deny(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, missing_docs)]

mod label;

pub use detect::visible;
pub use label::label;
