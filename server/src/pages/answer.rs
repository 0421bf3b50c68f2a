//! From a template to an answer, and from an error to a page that a person can read.

use askama::Template;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Redirect, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde_json::Value;
use web::{ApiError, host};

use super::notice::Notice;
use super::problem::Problem;
use super::view::ProblemPage;
use crate::http::App;

/// The largest error body that is looked into.
const ERROR_BODY: usize = 16 * 1024;

/// A page.
pub(super) fn page(template: &impl Template) -> Response {
    match template.render() {
        Ok(text) => Html(text).into_response(),
        Err(error) => {
            tracing::error!(%error, "a page can't be rendered");
            ApiError::internal().into_response()
        }
    }
}

/// The page with a cookie to set, if there is one.
pub(super) fn with_cookie(mut response: Response, cookie: Option<HeaderValue>) -> Response {
    if let Some(cookie) = cookie {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

/// Back to a page of ours, with the line of what happened. `to` may have a query of its own.
pub(super) fn back(to: &str, notice: Notice) -> Response {
    let join = if to.contains('?') { '&' } else { '?' };
    Redirect::to(&format!("{to}{join}done={}", notice.code())).into_response()
}

/// What a person is told of an error after sending a form; none if it deserves a page of its own.
pub(super) fn notice_of(error: &ApiError) -> Option<Notice> {
    Some(match error.code {
        "NOT_AVAILABLE" => Notice::NotAvailable,
        "NOT_FOUND" => Notice::NotFound,
        "BAD_BODY" => Notice::BadForm,
        "AMOUNT_INVALID" => Notice::AmountInvalid,
        "TERMS_CHANGED" if error.more.get("ended") == Some(&Value::Bool(true)) => Notice::NoLonger,
        "TERMS_CHANGED" => Notice::TermsChanged,
        "NOBODY_WAITS" => Notice::NobodyWaits,
        "ALREADY_DECIDED" | "BAD_NONCE" => Notice::AlreadyDecided,
        "NOT_STRONG_ENOUGH" => Notice::NotStrongEnough,
        "BAD_CODE" => Notice::LinkUsed,
        "UNAVAILABLE" | "INTERNAL" | "TOO_MANY_SANDBOXES" => Notice::NotStored,
        _ => return None,
    })
}

/// Back with what happened, or with what is in the way.
///
/// # Errors
/// Those that deserve a page of their own.
pub(super) fn done(to: &str, done: Result<Notice, ApiError>) -> Result<Response, ApiError> {
    match done {
        Ok(notice) => Ok(back(to, notice)),
        Err(error) => notice_of(&error).map(|notice| back(to, notice)).ok_or(error),
    }
}

/// Turns errors into pages for whoever asks for pages. Routes of the API keep their own shape.
pub async fn for_people(State(app): State<App>, request: Request, next: Next) -> Response {
    let wanted = wants_page(request.headers()) && !request.uri().path().starts_with("/api/");
    let ticket = request.uri().path().starts_with("/t/");
    let console = Some(host::requested(request.headers())) == host::authority(&app.config().console_url);
    let response = next.run(request).await;
    let status = response.status();
    if !wanted || !(status.is_client_error() || status.is_server_error()) || is_page(&response) {
        return response;
    }
    let (parts, body) = response.into_parts();
    let body = axum::body::to_bytes(body, ERROR_BODY).await.unwrap_or_default();
    let problem = Problem::new(status, serde_json::from_slice(&body).unwrap_or_default(), ticket, console);
    let mut response = page(&ProblemPage { shell: problem.shell(!console), problem });
    *response.status_mut() = status;
    for name in [header::RETRY_AFTER, header::ALLOW] {
        if let Some(value) = parts.headers.get(&name) {
            response.headers_mut().insert(name, value.clone());
        }
    }
    response
}

fn wants_page(headers: &HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    accept.is_some_and(|accept| accept.contains("text/html"))
}

fn is_page(response: &Response) -> bool {
    let kind = response.headers().get(header::CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"))
}

/// A form that can't be read.
pub(super) fn bad_form() -> ApiError {
    ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "BAD_BODY", "The form could not be read.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_travels_as_a_code() {
        let location = |response: Response| response.headers()[header::LOCATION].to_str().unwrap().to_owned();
        assert_eq!(location(back("/t/T-101", Notice::Triaged)), "/t/T-101?done=triaged");
        assert_eq!(location(back("/?refund=r1", Notice::Paid)), "/?refund=r1&done=paid");
        assert_eq!(back("/", Notice::Reset).status(), StatusCode::SEE_OTHER);
    }

    #[test]
    fn a_refusal_is_told_on_the_page_it_came_from() {
        let refused = ApiError::new(StatusCode::CONFLICT, "TERMS_CHANGED", "").with("ended", false);
        assert_eq!(notice_of(&refused), Some(Notice::TermsChanged));
        assert_eq!(notice_of(&refused.with("ended", true)), Some(Notice::NoLonger));
        let foreign = ApiError::new(StatusCode::FORBIDDEN, "CROSS_ORIGIN", "");
        assert_eq!(notice_of(&foreign), None);
        assert!(done("/", Err(foreign)).is_err());
    }
}
