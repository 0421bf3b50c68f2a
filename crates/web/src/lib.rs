//! What every web face of ours shares: errors, bodies, headers, Host and Origin, tokens, limits, the accept loop, logs.
#![deny(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]

pub mod accept;
pub mod body;
pub mod cookie;
pub mod error;
pub mod headers;
pub mod host;
pub mod limit;
pub mod log;
pub mod origin;
pub mod token;

pub use body::Json;
pub use error::ApiError;
