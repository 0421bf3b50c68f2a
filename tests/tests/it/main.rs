//! End to end: real browsers, real processes, real databases.

mod driver;
mod walls;
