//! The one shape of an error: `{"error": CODE, "reason": SENTENCE}`.

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// What a caller is told when something is refused or fails. It never carries what was sent, nor a cause.
#[derive(Clone, Debug, PartialEq)]
pub struct ApiError {
    /// The HTTP status.
    pub status: StatusCode,
    /// UPPER_SNAKE, for programs.
    pub code: &'static str,
    /// One sentence, for people.
    pub reason: String,
    /// More fields of the body; rarely any.
    pub more: Map<String, Value>,
    /// Seconds until it is worth trying again.
    pub retry_after: Option<u64>,
}

/// The body of an error.
#[derive(Debug, Serialize, ToSchema)]
pub struct Problem {
    /// UPPER_SNAKE.
    pub error: String,
    /// One sentence.
    pub reason: String,
}

impl ApiError {
    /// An error with this status, code and sentence.
    pub fn new(status: StatusCode, code: &'static str, reason: impl Into<String>) -> ApiError {
        ApiError { status, code, reason: reason.into(), more: Map::new(), retry_after: None }
    }

    /// The same with one more field in its body.
    #[must_use]
    pub fn with(mut self, field: &str, value: impl Into<Value>) -> ApiError {
        self.more.insert(field.to_owned(), value.into());
        self
    }

    /// The same with a `Retry-After` of this many seconds.
    #[must_use]
    pub fn retry_after(mut self, seconds: u64) -> ApiError {
        self.retry_after = Some(seconds);
        self
    }

    /// Nothing is there.
    pub fn not_found() -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, "NOT_FOUND", "There is nothing at this address.")
    }

    /// The store or something else it needs did not answer. Says that nothing was changed.
    pub fn unavailable() -> ApiError {
        ApiError::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "UNAVAILABLE",
            "The desk can't write to its store right now. Nothing was changed; try again in a moment.",
        )
        .retry_after(2)
    }

    /// Something went wrong that is ours to mend; the log has it.
    pub fn internal() -> ApiError {
        ApiError::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "INTERNAL",
            "Something went wrong on our side. It has been logged.",
        )
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        // The contract fixes the order: `error`, then `reason`.
        let mut body = String::from("{\"error\":");
        body.push_str(&Value::from(self.code).to_string());
        body.push_str(",\"reason\":");
        body.push_str(&Value::from(self.reason).to_string());
        for (field, value) in &self.more {
            body.push(',');
            body.push_str(&Value::from(field.as_str()).to_string());
            body.push(':');
            body.push_str(&value.to_string());
        }
        body.push('}');
        let mut response = (self.status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt as _;

    use super::*;

    #[tokio::test]
    async fn the_code_comes_before_the_sentence() {
        let error = ApiError::new(StatusCode::CONFLICT, "OUTSIDE_WINDOW", "Order is \"old\".")
            .with("address", "/t/T-1");
        let response = error.into_response();
        assert_eq!(response.status(), StatusCode::CONFLICT);
        let body = response.into_body().collect().await.unwrap().to_bytes();
        assert_eq!(
            body.as_ref(),
            br#"{"error":"OUTSIDE_WINDOW","reason":"Order is \"old\".","address":"/t/T-1"}"#
        );
    }
}
