//! What the rules mean, written by hand: nothing here computes an expected answer by calling the rules.
#![expect(clippy::unwrap_used, reason = "a test may stop where its records are not as it wrote them")]

mod order_of_reasons;
mod pure;
mod setting;
mod single_rules;
mod tiers;
mod tools_held;
mod window;
