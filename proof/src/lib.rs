//! What Quarantine claims, as cases that can fail, and what runs them.
//!
//! A [`Case`] is a ticket, some steps, the expected answers and one sentence of human reasoning. All of them stand in
//! `proof/cases/*.toml`; their expected values are written by hand. They are run through a [`Door`]: a server over
//! HTTP (`quarantine prove`), a server from within a browser's page (`/proof.html`), or [`memory::Memory`], which is the
//! domain's own functions behind the same contract.
//!
//! - [`case`]: the cases.
//! - [`door`]: what a case is run through.
//! - [`run`]: runs them; [`expect`](mod@expect) compares.
//! - [`variants`]: texts of strangers, thousands of them.
//! - [`memory`]: a desk in memory, in which one rule at a time can be broken on purpose.
//! - [`controls`]: breaks each rule and looks whether exactly the named cases notice.
//! - [`over_http`]: a desk over HTTP, whoever carries the bytes.
//! - [`report`]: what came of it.
#![deny(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, missing_docs)]

pub mod case;
pub mod controls;
pub mod door;
pub mod expect;
pub mod memory;
pub mod over_http;
pub mod ready;
pub mod report;
pub mod run;
mod strangers;
pub mod variants;

pub use case::{Case, Group};
pub use door::Door;
pub use report::{Checked, Report, Verdict};
