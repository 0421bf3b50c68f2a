//! What happened.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// One event of a stream: ids and states, never text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Event {
    /// `ticket`, `refund`, `workspace`, `beat` or `resync`.
    pub kind: String,
    /// The ticket it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ticket: Option<String>,
    /// The refund it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refund: Option<String>,
    /// The state it is in now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
}

/// The trail, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Record {
    /// One line each.
    pub entries: Vec<Entry>,
}

/// One line of the trail: no text of customers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Entry {
    /// Its place.
    pub seq: i64,
    /// RFC 3339.
    pub at: String,
    /// `agent`, `person playing the agent`, `person`, `approver` or `desk`.
    pub who: String,
    /// What was done: `triaged`, `refund held`, …
    pub what: String,
    /// The ticket.
    pub ticket_id: Option<String>,
    /// The refund.
    pub refund_id: Option<String>,
    /// A refusal's code.
    pub code: Option<String>,
    /// Major units with the currency.
    pub amount: Option<String>,
}
