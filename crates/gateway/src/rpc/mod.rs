//! JSON-RPC as it crosses the gateway: envelopes are read, their contents are carried as they were written.

pub(crate) mod edit;
mod message;

pub(crate) use message::{Body, Message, error, notification, request, response};

/// The JSON-RPC error codes the gateway itself answers with.
pub(crate) mod code {
    pub(crate) const PARSE: i64 = -32700;
    pub(crate) const INVALID_REQUEST: i64 = -32600;
    pub(crate) const METHOD_NOT_FOUND: i64 = -32601;
    pub(crate) const INVALID_PARAMS: i64 = -32602;
    pub(crate) const INTERNAL: i64 = -32603;
    /// In the range that MCP leaves to implementations: a server can't be asked right now.
    pub(crate) const UNAVAILABLE: i64 = -32010;
    /// As the SDKs do: no answer in time.
    pub(crate) const TIMEOUT: i64 = -32001;
    pub(crate) const HEADER_MISMATCH: i64 = -32020;
    pub(crate) const UNSUPPORTED_VERSION: i64 = -32022;
}
