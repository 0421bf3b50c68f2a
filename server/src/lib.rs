//! server

pub mod pages;
pub mod seed;
