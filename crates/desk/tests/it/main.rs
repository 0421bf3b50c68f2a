//! What the records mean, written by hand: nothing here computes an expected answer by calling the rules.
#![expect(clippy::unwrap_used, reason = "a test may stop where its world is not as it should be")]

mod calls;
mod facts;
mod moments;
mod pure;
mod sequences;
mod tickets_of_the_demo;
mod world;
