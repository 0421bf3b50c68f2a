//! What is permitted now, and why not.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a ticket's page registers: the answer of a `policyEndpoint`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Permit {
    /// The ticket.
    pub ticket_id: String,
    /// Where it stands: `new`, `triaged`, `escalated`, `resolved`.
    pub state: String,
    /// Names of the tools that exist now.
    pub tools: Vec<String>,
    /// What may be refunded, or why nothing may.
    pub refund: Refundable,
    /// The ticket's own refund that has not ended.
    pub own: Option<Own>,
    /// True while agents are stopped.
    pub stopped: bool,
    /// The newest event of the workspace that this answer knows.
    pub seq: i64,
}

/// What may be refunded, or why nothing may.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Refundable {
    /// `ELIGIBLE`, or the reason that decides.
    pub code: String,
    /// Its sentence.
    pub reason: String,
    /// All reasons against it, the decisive one first.
    pub reasons: Vec<Reason>,
    /// The most that may be asked for now, in major units.
    pub remaining: Option<String>,
    /// ISO 4217.
    pub currency: Option<String>,
}

/// A code and its sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Reason {
    /// UPPER_SNAKE.
    pub code: String,
    /// For a person.
    pub reason: String,
}

/// A refund that has not ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Own {
    /// Its unguessable name.
    pub refund_id: String,
    /// `held`, `paying` or `unknown`.
    pub state: String,
}

/// The answer of `explain_policy`: it names no tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Explanation {
    /// The ticket.
    pub ticket_id: String,
    /// Where it stands.
    pub state: String,
    /// `ELIGIBLE`, or the reason that decides.
    pub code: String,
    /// Its sentence.
    pub reason: String,
    /// All reasons against it, the decisive one first.
    pub reasons: Vec<Reason>,
}
