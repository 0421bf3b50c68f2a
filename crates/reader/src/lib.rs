//! Reading untrusted text behind glass.
//!
//! Whoever reads a stranger's text has no power to act; whoever acts gets typed fields and the names of sealed
//! values, never the text.
//!
//! - [`schema`]: what may cross, and how many bits that is at most.
//! - [`extraction`]: a model's reply, or a structured result, held to a schema.
//! - [`model`]: the reading model that fills them in.
//! - [`names`], [`store`]: the names of sealed values, and where they are kept.
//! - [`report`]: what a person is told about a text.
//! - [`sink`], [`dereference`]: where a reference may be resolved.
#![deny(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, missing_docs)]

mod code;
pub mod dereference;
pub mod extraction;
mod guards;
mod label;
mod members;
pub mod model;
pub mod names;
pub mod report;
pub mod schema;
pub mod sink;
pub mod store;

pub use code::{Code, Withheld};
pub use detect::visible;
pub use extraction::{Crossing, Extraction, Sealed};
pub use guards::{Guard, Guards};
pub use label::label;
pub use members::Members;
pub use model::Model;
pub use names::{Name, Prefix};
pub use report::Report;
pub use schema::{Capacity, Field, Kind, Refused, Schema};
pub use sink::Sink;
pub use store::{Origin, Session};
