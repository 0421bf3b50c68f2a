//! What is not answered with 2xx.

use serde_json::{Value, json};

use crate::door::Answer;

/// A refusal: a code for programs, a sentence for people.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Refusal {
    status: u16,
    code: &'static str,
    reason: String,
    more: Option<(&'static str, Value)>,
}

impl Refusal {
    pub(super) fn new(status: u16, code: &'static str, reason: impl Into<String>) -> Refusal {
        Refusal { status, code, reason: reason.into(), more: None }
    }

    pub(super) fn with(self, name: &'static str, value: Value) -> Refusal {
        Refusal { more: Some((name, value)), ..self }
    }

    pub(super) fn forbidden() -> Refusal {
        Refusal::new(403, "FORBIDDEN", "This is not for agents.")
    }

    pub(super) fn not_found() -> Refusal {
        Refusal::new(404, "NOT_FOUND", "There is nothing here.")
    }

    pub(super) fn not_subject(other: &str) -> Refusal {
        let refusal = Refusal::new(
            403,
            "NOT_SUBJECT",
            "This session is about another ticket. Open that ticket's page to work on it.",
        );
        refusal.with("address", json!(format!("/t/{other}")))
    }

    pub(super) fn not_available() -> Refusal {
        Refusal::new(409, "NOT_AVAILABLE", "This can't be done with the ticket as it is now.")
    }

    pub(super) fn bad_body() -> Refusal {
        Refusal::new(422, "BAD_BODY", "The body is not what this address takes.")
    }

    pub(super) fn bad_nonce() -> Refusal {
        Refusal::new(403, "BAD_NONCE", "Approval must come from the in-page form.")
    }

    pub(super) fn decided() -> Refusal {
        Refusal::new(409, "ALREADY_DECIDED", "This refund has been decided already.")
    }

    pub(super) fn terms_changed(what: &'static str) -> Refusal {
        let refusal = Refusal::new(409, "TERMS_CHANGED", "What was shown is no longer what is on record.");
        refusal.with("changed", json!([what]))
    }

    pub(super) fn answer(self) -> Answer {
        // Written by hand where the order of the fields matters to the byte.
        let mut body = format!("{{\"error\":{},\"reason\":{}", json!(self.code), json!(self.reason));
        if let Some((name, value)) = self.more {
            body.push_str(&format!(",{}:{value}", json!(name)));
        }
        body.push('}');
        Answer { status: self.status, body }
    }
}

/// An answer of 2xx.
pub(super) fn good(status: u16, body: &impl serde::Serialize) -> Result<Answer, Refusal> {
    let body = serde_json::to_string(body)
        .map_err(|_| Refusal::new(500, "INTERNAL", "The answer could not be written."))?;
    Ok(Answer { status, body })
}
