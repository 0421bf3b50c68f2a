//! The HTTP face, through the whole router.

mod bad_input;
mod client;
mod console;
mod contract;
mod credentials;
mod description;
mod events;
mod journey;
mod pages;
