//! What happened, newest last. A bounded list: the record of a decision is on the item itself.

use serde::{Deserialize, Serialize};

/// How many are kept.
pub(super) const KEPT: usize = 500;

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Event {
    pub(crate) seq: u64,
    pub(crate) at: String,
    /// `server_new`, `launch_changed`, `item_new`, `item_changed`, `item_restored`, `item_gone`, `item_back`,
    /// `annotations_changed`, `approved`, `auto_approved`, `blocked`, `unblocked`, `quarantined`, `live`, `trust`.
    pub(crate) kind: String,
    pub(crate) server: String,
    /// The item's key; empty where it is about the server.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) item: String,
    /// `terminal`, `page`, `agent`, `trust:scan`, `trust:auto`, or empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) by: String,
}
