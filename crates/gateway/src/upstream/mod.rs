//! The servers: starting them, asking what they offer, carrying requests, and containing what goes wrong.

mod bucket;
mod connection;
mod greet;
mod http;
pub(crate) mod lines;
mod look;
mod process;
mod server;
mod sse;

pub(crate) use connection::{CallError, Connection, FromServer};
pub(crate) use greet::{Asking, Era, LATEST_LEGACY, LEGACY, MODERN};
pub(crate) use look::{Look, look_once};
pub(crate) use server::{Hub, Phase, Running, Server, close};
