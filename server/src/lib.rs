//! server
pub mod payments;
mod seed;
pub mod store;
