//! What an approval is about: a canonical form and its hash.

mod canonical;
mod definition;
pub(crate) mod json;
mod number;

pub(crate) use canonical::canonical;
pub(crate) use definition::{Definition, Kind, Problem};
