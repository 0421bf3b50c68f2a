//! server
pub mod assets;
