//! End to end: real browsers, real processes, real databases.

mod accessible;
mod bad_input;
mod console;
mod contract;
mod crash;
mod driver;
mod foreign;
mod held;
mod kept;
mod proof;
mod replies;
mod security;
mod tabs;
mod walls;
