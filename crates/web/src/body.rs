//! JSON bodies: one extractor whose refusals have our own shape and never repeat what was sent.

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{HeaderValue, Method, StatusCode, header};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::ApiError;

/// A JSON value in a body. As an extractor it takes any content type, so that a plain `curl -d` works; cross-origin
/// requests are told apart by their origin, not by a content type.
#[derive(Clone, Copy, Debug)]
pub struct Json<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Json<T>, ApiError> {
        let bytes = read(request, state).await?;
        parse(&bytes).map(Json)
    }
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        match serde_json::to_vec(&self.0) {
            Ok(body) => {
                let mut response = body.into_response();
                response
                    .headers_mut()
                    .insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
                response
            }
            Err(_) => ApiError::internal().into_response(),
        }
    }
}

/// A middleware that reads a body to its end before anything answers. An answer that comes while the body is still on
/// its way ends the connection, and a client that keeps connections then loses its next request.
pub async fn whole(request: Request, next: Next) -> Response {
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return next.run(request).await;
    }
    let (head, body) = request.into_parts();
    match read(Request::from_parts(head.clone(), body), &()).await {
        Ok(bytes) => next.run(Request::from_parts(head, Body::from(bytes))).await,
        Err(refused) => refused.into_response(),
    }
}

async fn read<S: Send + Sync>(request: Request, state: &S) -> Result<Bytes, ApiError> {
    Bytes::from_request(request, state).await.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => ApiError::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "TOO_LARGE",
            "The body is larger than this route accepts.",
        ),
        _ => ApiError::new(StatusCode::BAD_REQUEST, "BAD_BODY", "The body could not be read to its end."),
    })
}

/// Reads a JSON text.
///
/// # Errors
/// `BAD_JSON` if it isn't JSON, `BAD_BODY` if it is but has wrong, missing or unknown fields.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    let text = if bytes.is_empty() { b"{}".as_slice() } else { bytes };
    serde_json::from_slice(text).map_err(|error| match error.classify() {
        serde_json::error::Category::Data => ApiError::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "BAD_BODY",
            "The body has a wrong, missing or unknown field; /docs lists what this route takes.",
        ),
        _ => ApiError::new(StatusCode::BAD_REQUEST, "BAD_JSON", "The body is not JSON."),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Probe {
        #[serde(rename = "a")]
        _a: u8,
    }

    fn code(text: &str) -> &'static str {
        parse::<Probe>(text.as_bytes()).map_or_else(|error| error.code, |_| "")
    }

    #[test]
    fn each_mistake_has_its_code_and_repeats_nothing() {
        assert_eq!(code(r#"{"a":1}"#), "");
        assert_eq!(code("secret words"), "BAD_JSON");
        assert_eq!(code(r#"{"a":1"#), "BAD_JSON");
        assert_eq!(code(r#"{"a":"secret"}"#), "BAD_BODY");
        assert_eq!(code(r#"{"a":1,"secret":2}"#), "BAD_BODY");
        assert_eq!(code(""), "BAD_BODY");
        assert_eq!(code(&format!("{{\"a\":{}", "[".repeat(200))), "BAD_BODY");
        let error = parse::<Probe>(br#"{"secret":2}"#).unwrap_err();
        assert!(!error.reason.contains("secret"));
    }
}
