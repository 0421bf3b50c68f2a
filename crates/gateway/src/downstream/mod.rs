//! The one MCP endpoint that an agent's host sees.

mod call;
mod catalog;
mod dispatch;
mod gateway;
mod hello;
mod http;
mod lists;
mod own_tools;
mod relay;
mod session;
mod stdio;

pub(crate) use gateway::Gateway;
pub(crate) use http::router;
pub(crate) use stdio::serve as serve_stdio;
