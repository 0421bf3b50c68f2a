//! The MCP gateway: a new server is in quarantine, its tools are neither listed nor callable until a person has
//! looked; a tool that changes afterwards goes back.
//!
//! From the outside in:
//! - `commands` is the program: `run` and the verbs a person types.
//! - `config` reads the common `mcpServers` file. It says which servers there are, never what is approved.
//! - `record` is what a person has decided, in one state file. `record::gate` is the only place that says whether an
//!   item may be listed or called. Taking something out of quarantine asks for a [`person`] value, which only a typed
//!   code or a press on the review page makes.
//! - `pin` is the canonical form and the hash that an approval is about.
//! - `upstream` starts and watches servers, asks what they offer and carries requests to them.
//! - `downstream` is the one MCP endpoint that an agent's host sees, on stdio or HTTP.
//! - `review` shows what a server offers to a person: findings, differences, hidden characters.
//! - `page` is the review page and REST; `import` puts the gateway in front of a host's servers.
//!
//! What is absent: no text of a server decides anything, stdout of `run` carries nothing but the protocol, and no
//! message of an agent reaches [`person`].
#![deny(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, missing_docs)]

pub mod commands;

mod clock;
mod config;
mod downstream;
mod import;
mod page;
mod person;
mod pin;
mod record;
mod review;
mod rpc;
mod upstream;
