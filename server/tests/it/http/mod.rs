//! The HTTP face, through the whole router.

mod bad_input;
mod client;
mod contract;
mod credentials;
mod description;
mod journey;
