//! What an order and a ticket's state permit.
//!
//! [`policy`] is a pure function from records to a [`Permit`]. Nothing in this crate can carry text of a customer or of
//! an agent, and nothing in it reads a clock, a file or the network: it builds without the standard library, and age is
//! an argument. A message can't change what it never reaches.
//!
//! - [`facts`]: what goes in. Only the `desk` crate makes these from records.
//! - [`rules`]: what a shop decides: window, limits, tiers, budgets.
//! - [`permit`]: what comes out: tools, reasons, and the rules that fired.
//! - [`decide`](mod@decide): the function itself.
#![cfg_attr(not(test), no_std)]
#![deny(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, missing_docs)]

extern crate alloc;

mod code;
mod decide;
mod facts;
mod permit;
mod rules;
mod tool;

pub use code::{Code, Reasons};
pub use decide::{Purpose, policy};
pub use facts::{Age, Currency, OrderFacts, OwnRefund, Stage, TicketState};
pub use permit::{Outcome, Permit, Refund, Step, WindowAge};
pub use rules::{Budget, DAY, Measured, Rules, Starts, Strength, Tier, Window};
pub use tool::{Tool, ToolSet};
