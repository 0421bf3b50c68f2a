//! Signing in to the console: a one-use link, then a cookie on the console's host alone.

use desk::Millis;
use http::HeaderValue;
use web::{ApiError, token};

use crate::config::Config;
use crate::http::App;
use crate::http::caller::CONSOLE_COOKIE;
use crate::store::{Store, StoreError};

/// Seconds a sign-in link is good for: an hour.
const LINK_LIFE: u64 = 3_600;

/// Seconds a session lasts: twelve hours.
const SESSION_LIFE: u64 = 43_200;

/// Makes a one-use link to the console.
///
/// # Errors
/// The store does not answer.
pub async fn sign_in_link(store: &Store, config: &Config, now: Millis) -> Result<String, StoreError> {
    let code = token::random();
    store.add_console_code(&code_hash(&code), now.plus_seconds(LINK_LIFE)).await?;
    Ok(format!("{}/sign-in?code={code}", config.console_url))
}

/// Uses up a code; answers the cookie of the new session.
///
/// # Errors
/// `BAD_CODE`, 403; or the store does not answer.
pub(crate) async fn sign_in(app: &App, code: &str) -> Result<HeaderValue, ApiError> {
    let session = token::random();
    let now = app.now();
    let approver = format!("approver-{}", token::random_name());
    let begun = app
        .store()
        .begin_console_session(
            &code_hash(code),
            &session_hash(&session),
            &approver,
            now.plus_seconds(SESSION_LIFE),
            now,
        )
        .await?;
    if !begun {
        return Err(ApiError::new(
            http::StatusCode::FORBIDDEN,
            "BAD_CODE",
            "This sign-in link was used before or has expired; start the desk again for a new one.",
        ));
    }
    CONSOLE_COOKIE.set(&session, SESSION_LIFE, app.https()).ok_or_else(ApiError::internal)
}

/// Ends a session; answers the cookie that removes it.
///
/// # Errors
/// The store does not answer.
pub(crate) async fn sign_out(app: &App, cookie: &str) -> Result<HeaderValue, ApiError> {
    app.store().end_console_session(&session_hash(cookie)).await?;
    CONSOLE_COOKIE.set("", 0, app.https()).ok_or_else(ApiError::internal)
}

/// What is stored of a session.
pub(crate) fn session_hash(session: &str) -> String {
    token::hash("console session", session)
}

fn code_hash(code: &str) -> String {
    token::hash("console code", code)
}
