//! What the store refuses, as a caller is told of it.

use desk::explain::sentence;
use http::StatusCode;
use serde_json::Value;
use web::ApiError;

use crate::store::{Changed, StoreError};

/// `BAD_NONCE`, in the words of the original contract.
pub fn bad_nonce() -> ApiError {
    ApiError::new(StatusCode::FORBIDDEN, "BAD_NONCE", "Approval must come from the in-page form.")
}

/// What was approved is not what would be paid now.
pub fn terms_changed(changed: &[Changed], ended: bool) -> ApiError {
    let reason = if ended {
        "The shop's rules no longer permit this refund; it has ended and nothing has been paid."
    } else {
        "What you approve has changed since it was shown. Look again, then decide."
    };
    let words: Vec<Value> = changed.iter().map(|part| part.as_str().into()).collect();
    ApiError::new(StatusCode::CONFLICT, "TERMS_CHANGED", reason).with("changed", words).with("ended", ended)
}

/// Nobody waits for the answer right now.
pub fn nobody_waits() -> ApiError {
    ApiError::new(
        StatusCode::CONFLICT,
        "NOBODY_WAITS",
        "The page that asked is away. Nothing was decided; press again once it is back.",
    )
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> ApiError {
        let conflict = |code, reason: &str| ApiError::new(StatusCode::CONFLICT, code, reason);
        match error {
            StoreError::NotFound => ApiError::not_found(),
            StoreError::NotAvailable => conflict(
                "NOT_AVAILABLE",
                "That is not possible from where the ticket stands now; read the ticket again.",
            ),
            StoreError::Policy { code, permit } => conflict(code.as_str(), &sentence(code, &permit)),
            StoreError::AmountInvalid => {
                conflict("AMOUNT_INVALID", "The amount is more than what can still be refunded.")
            }
            StoreError::BadNonce => bad_nonce(),
            StoreError::TermsChanged { changed, ended } => terms_changed(&changed, ended),
            StoreError::AlreadyDecided => conflict(
                "ALREADY_DECIDED",
                "This refund does not wait any more; somebody decided, or it ended.",
            ),
            StoreError::NotStrongEnough => ApiError::new(
                StatusCode::FORBIDDEN,
                "NOT_STRONG_ENOUGH",
                "This amount needs a stronger approval than this page can give.",
            ),
            StoreError::NotPayable => ApiError::new(
                StatusCode::FORBIDDEN,
                "NOT_PAYABLE",
                "Nothing staged in the shared demonstration is ever paid; open the desk in a browser for a sandbox \
                 of your own.",
            ),
            StoreError::TooManySandboxes => ApiError::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "TOO_MANY_SANDBOXES",
                "The desk has as many sandboxes as it can hold; try again later.",
            )
            .retry_after(600),
            StoreError::OtherRules | StoreError::Unavailable => ApiError::unavailable(),
        }
    }
}
