//! The domain of a support desk that pays refunds: money, orders, tickets and the refund machine.
//!
//! Pure: no I/O and no clock; it builds without the standard library. Nothing here can carry text of a customer or of
//! an agent: identifiers are the shop's, of a closed alphabet ([`id`]). This crate is the only maker of the policy's
//! facts ([`facts`]).
//!
//! - [`money`]: minor units of a currency, read from a number as it was written.
//! - [`order`], [`ticket`]: the records, and what moves them.
//! - [`refund`]: the states of a refund and what leads from one to the next.
//! - [`call`]: what a call for a refund comes to: a new hold, a join, an outcome that is known, or a refusal.
//! - [`card`]: what an approver is shown, and its digest.
//! - [`explain`]: one sentence for each code.
//! - [`demo`]: the records of the demonstration.
#![cfg_attr(not(test), no_std)]
#![deny(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, missing_docs)]

extern crate alloc;

pub mod call;
pub mod card;
pub mod demo;
pub mod explain;
pub mod facts;
pub mod id;
pub mod money;
pub mod order;
pub mod refund;
pub mod ticket;

/// A moment: milliseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Millis(pub i64);

impl Millis {
    /// Whole seconds from an earlier moment to this one; 0 if the earlier one is later.
    pub fn seconds_since(self, earlier: Millis) -> u64 {
        u64::try_from(self.0.saturating_sub(earlier.0) / 1_000).unwrap_or(0)
    }

    /// This moment and a number of seconds.
    #[must_use]
    pub fn plus_seconds(self, seconds: u64) -> Millis {
        let millis = i64::try_from(seconds).unwrap_or(i64::MAX).saturating_mul(1_000);
        Millis(self.0.saturating_add(millis))
    }

    /// This moment less a number of seconds.
    #[must_use]
    pub fn minus_seconds(self, seconds: u64) -> Millis {
        let millis = i64::try_from(seconds).unwrap_or(i64::MAX).saturating_mul(1_000);
        Millis(self.0.saturating_sub(millis))
    }
}
