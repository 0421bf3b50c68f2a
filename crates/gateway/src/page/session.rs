//! Who is signed in on the page. Kept in memory: when the program ends, everybody signs in again.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use http::{HeaderMap, HeaderValue};
use web::ApiError;
use web::cookie::Cookie;
use web::limit::Limit;

use crate::person::Passphrase;

/// How long a session lasts without a request.
const IDLE: Duration = Duration::from_secs(3600);

/// And at most.
const LONGEST: Duration = Duration::from_secs(12 * 3600);

const COOKIE: Cookie = Cookie { name: "quarantine_gateway", always_host: true };

/// Somebody who is signed in, on a request from the page's own origin.
#[derive(Debug)]
pub(crate) struct SignedIn(());

#[derive(Debug)]
pub(super) struct Sessions {
    open: Mutex<HashMap<String, (Instant, Instant)>>,
    attempts: Limit,
}

impl Default for Sessions {
    fn default() -> Sessions {
        Sessions { open: Mutex::default(), attempts: Limit::new(1, 5) }
    }
}

impl Sessions {
    /// Signs in; gives the cookie.
    ///
    /// # Errors
    /// The passphrase is wrong, none is set, or there were too many attempts.
    pub(super) async fn sign_in(
        &self,
        known: Option<Passphrase>,
        given: String,
    ) -> Result<HeaderValue, ApiError> {
        self.attempts.take("page".to_owned())?;
        let refused = |code, says: &str| ApiError::new(http::StatusCode::FORBIDDEN, code, says);
        let known = known.ok_or_else(|| {
            refused(
                "NO_PASSPHRASE",
                "No passphrase is set yet: run quarantine-gateway passphrase at a terminal.",
            )
        })?;
        let right = tokio::task::spawn_blocking(move || known.is(&given)).await.unwrap_or(false);
        if !right {
            return Err(refused("WRONG_PASSPHRASE", "That is not the passphrase."));
        }
        let token = web::token::random();
        let now = Instant::now();
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|_, (_, used)| used.elapsed() < IDLE);
        open.insert(web::token::hash("gateway page", &token), (now, now));
        COOKIE.set(&token, LONGEST.as_secs(), false).ok_or_else(ApiError::internal)
    }

    /// Whether a request is of somebody who is signed in. For reading only: it says nothing about where it comes from.
    pub(super) fn may_read(&self, headers: &HeaderMap) -> bool {
        let Some(token) = COOKIE.read(headers, false) else { return false };
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        match open.get_mut(&web::token::hash("gateway page", &token)) {
            Some((began, used)) if began.elapsed() < LONGEST && used.elapsed() < IDLE => {
                *used = Instant::now();
                true
            }
            _ => false,
        }
    }

    /// Somebody who may decide: signed in, and on a request that a page of our own made.
    ///
    /// # Errors
    /// `NEEDS_PERSON` or `CROSS_ORIGIN`.
    pub(super) fn require(&self, headers: &HeaderMap, own: &str) -> Result<SignedIn, ApiError> {
        web::origin::require_own(headers, own)?;
        if self.may_read(headers) {
            return Ok(SignedIn(()));
        }
        Err(ApiError::new(http::StatusCode::FORBIDDEN, "NEEDS_PERSON", "Sign in on the review page first."))
    }

    /// Ends a session.
    pub(super) fn sign_out(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        if let Some(token) = COOKIE.read(headers, false) {
            let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            open.remove(&web::token::hash("gateway page", &token));
        }
        COOKIE.set("", 0, false)
    }
}
