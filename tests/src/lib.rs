//! What the end-to-end tests stand on: a browser driven over its own debugging protocol, WebMCP as an agent outside
//! the page sees it, and a desk that is started, killed and started again.
//!
//! Everything here panics with a sentence when something is not as it should be: it serves tests only.

pub mod accessibility;
pub mod cdp;
pub mod chromium;
pub mod deadline;
pub mod desk;
pub mod foreign;
pub mod holder;
pub mod http;
pub mod input;
pub mod openapi;
pub mod page;
pub mod programs;
pub mod site;
pub mod traffic;
pub mod webmcp;
