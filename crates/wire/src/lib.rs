//! What crosses a door: the tool catalogue, the permit, a held call's answers. Shapes only; they are documented in
//! `docs/API-DESIGN.md`.
#![deny(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, missing_docs)]

pub mod approval;
pub mod catalogue;
pub mod event;
pub mod permit;
pub mod refund;
pub mod ticket;
