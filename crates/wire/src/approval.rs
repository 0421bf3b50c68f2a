//! What an approver sees and sends.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::ticket::Order;

/// The refunds that wait, oldest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Approvals {
    /// One card each.
    pub approvals: Vec<Card>,
}

/// What an approval is given on: records, then the agent's words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Card {
    /// The refund.
    pub refund_id: String,
    /// Its ticket.
    pub ticket_id: String,
    /// What would be paid, major units.
    pub amount: String,
    /// What was asked for, major units.
    pub asked: String,
    /// ISO 4217.
    pub currency: String,
    /// The amount for a person: `$89.00`.
    pub display: String,
    /// The order's record.
    pub order: Order,
    /// The payment it comes from.
    pub payment_id: String,
    /// The versions of all that decides.
    pub versions: Versions,
    /// SHA-256 of what is approved; sent back with the press.
    pub digest: String,
    /// `in_page`, `console` or `passkey`.
    pub strength: String,
    /// How many people approve.
    pub people: u8,
    /// How many have.
    pub approved_by: u8,
    /// RFC 3339.
    pub staged_at: String,
    /// RFC 3339.
    pub expires_at: String,
    /// False if nobody waits for the answer any more.
    pub waiting: bool,
    /// True if the customer wrote after it was staged.
    pub newer_message: bool,
    /// The state of the refund.
    pub state: String,
    /// The agent's words.
    pub untrusted: Words,
}

/// What the agent wrote; not checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Words {
    /// One entry a joined call that said something new, each at most 280 characters.
    pub agent_words: Vec<String>,
}

/// The versions of all that decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Versions {
    /// Of the order.
    pub order: u64,
    /// Of the ticket.
    pub ticket: u64,
    /// Of the rules.
    pub rules: u64,
}

/// `POST /api/approvals/{id}/open`.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Open {
    /// The digest of the card that is shown.
    pub digest: String,
}

/// A nonce, for one press.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Opened {
    /// Sent back once.
    pub nonce: String,
    /// Seconds.
    pub expires_in: u64,
}

/// `POST /api/approvals/{id}/amount`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Lower {
    /// Major units, as it was written.
    #[schema(value_type = String)]
    pub amount: Box<RawValue>,
}

/// `POST /api/refund/decide`.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Decide {
    /// From `open`.
    pub nonce: String,
    /// Yes or no.
    pub approved: bool,
    /// The digest of the card that is shown.
    pub digest: Option<String>,
    /// May reach the customer; at most 280 characters.
    pub note_to_customer: Option<String>,
    /// Stays with the staff; at most 280 characters.
    pub note_internal: Option<String>,
}

/// What deciding answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Decided {
    /// The refund.
    pub refund_id: String,
    /// Its state.
    pub state: String,
    /// The provider's reference, once paid.
    pub reference: Option<String>,
    /// How many more people have to approve.
    pub waiting_for: u8,
}
