//! What the records mean, written by hand: nothing here computes an expected answer by calling the rules.

mod calls;
mod facts;
mod moments;
mod pure;
mod sequences;
mod tickets_of_the_demo;
mod world;
