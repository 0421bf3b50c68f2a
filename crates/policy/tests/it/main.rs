//! What the rules mean, written by hand: nothing here computes an expected answer by calling the rules.

mod order_of_reasons;
mod pure;
mod setting;
mod single_rules;
mod tiers;
mod tools_held;
mod window;
