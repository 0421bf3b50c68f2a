//! Staging, waiting and outcomes.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

/// `POST /api/refund/stage`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// The ticket.
    pub ticket_id: String,
    /// Major units, as it was written: `89`, `89.00` or `"89.00"`.
    #[schema(value_type = String)]
    pub amount: Box<RawValue>,
    /// The agent's words, at most 280 characters; the approver sees them as the agent's.
    pub justification: Option<String>,
}

/// What staging answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Staged {
    /// Unguessable.
    pub refund_id: String,
    /// The ticket.
    pub ticket_id: String,
    /// The state of the refund.
    pub state: String,
    /// What was asked for, major units.
    pub asked: String,
    /// ISO 4217.
    pub currency: String,
    /// RFC 3339.
    pub expires_at: String,
    /// True if it waits with a call that was there before.
    pub joined: bool,
    /// Set if the outcome is known already.
    pub outcome: Option<Outcome>,
}

/// What waiting and withdrawing answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Standing {
    /// The refund.
    pub refund_id: String,
    /// Its state.
    pub state: String,
    /// Set once it has ended, or if the caller asked with `wait` and the time ran out.
    pub outcome: Option<Outcome>,
}

/// How a call for a refund ended, or where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// Paid.
    Refunded,
    /// A person said no.
    Rejected,
    /// Nobody decided in time.
    Expired,
    /// Taken back, or whoever asked went away.
    Withdrawn,
    /// What it stood on no longer holds.
    TermsChanged,
    /// The provider refused, or the bank sent it back.
    Failed,
    /// Nothing has been paid; it still waits.
    Held,
    /// It may have been paid.
    Processing,
}

impl End {
    /// One sentence for the agent that called.
    pub const fn reason(self) -> &'static str {
        match self {
            End::Refunded => "A person approved, and the refund was paid.",
            End::Rejected => "A person rejected the refund.",
            End::Expired => "Nobody decided in time; nothing has been paid.",
            End::Withdrawn => "The request was taken back; nothing has been paid.",
            End::TermsChanged => "The order or the ticket changed meanwhile; nothing has been paid.",
            End::Failed => "The payment provider did not pay; no money has arrived.",
            End::Held => "Nothing has been paid; call again to go on waiting.",
            End::Processing => {
                "It may have been paid. Tell the customer neither, and do not ask again until the outcome is known."
            }
        }
    }
}

/// What the agent's call returns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Outcome {
    /// How it ended.
    pub outcome: End,
    /// The refund.
    pub refund_id: String,
    /// The ticket.
    pub ticket_id: String,
    /// What was asked for, major units.
    pub asked: String,
    /// What was or would be paid, major units.
    pub amount: String,
    /// ISO 4217.
    pub currency: String,
    /// The provider's reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// The approver's note meant for the customer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// One sentence.
    pub reason: String,
    /// `person`, once somebody approved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approved_by: Option<String>,
    /// True if an earlier, equal call led to it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub repeated: bool,
    /// Names of the tools that exist now.
    pub tools: Vec<String>,
}

/// `POST /api/refund/{id}/withdraw`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Withdraw {
    /// Said by a page of the tab that held the call: it is gone. An agent's own word for it does not count.
    #[serde(default)]
    pub gone: bool,
}
