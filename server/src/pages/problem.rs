//! Pages for what went wrong. What happened, in one sentence, and one way on.

use http::StatusCode;
use serde::Deserialize;

use super::shell::{DeskHead, Here, Shell};

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The HTTP status.
    pub status: u16,
    /// The code that the API answers.
    pub code: String,
    /// What happened, in a few words.
    pub title: &'static str,
    /// What happened and what to do.
    pub reason: String,
    /// A way on.
    pub href: &'static str,
    /// What the way on is called.
    pub link: &'static str,
}

/// The body of an error of the API.
#[derive(Debug, Default, Deserialize)]
pub struct Body {
    /// UPPER_SNAKE.
    #[serde(default)]
    pub error: String,
    /// One sentence, which never carries what was sent.
    #[serde(default)]
    pub reason: String,
}

impl Problem {
    /// The page of an error. `ticket` is true for the address of a ticket, `console` on the console's host.
    pub fn new(status: StatusCode, body: Body, ticket: bool, console: bool) -> Problem {
        let home = if console { "Go to the approvals" } else { "Go to the desk" };
        let (title, reason, link) = match (status.as_u16(), body.error.as_str()) {
            (404, _) if ticket => (
                "There is no such ticket",
                "This sandbox has no ticket of that name. A ticket that you wrote is gone once the demo is reset.",
                "See all tickets",
            ),
            (404, _) => (
                "There is no page here",
                "The address has no page. It may have been mistyped, or the link to it is old.",
                home,
            ),
            (403, "CROSS_ORIGIN") => (
                "That form came from another site",
                "Only pages of this desk may change something here. Nothing was changed.",
                home,
            ),
            (401 | 403, _) => (
                "This is not yours to do",
                "What you asked for needs another sign-in than this browser has here. Nothing was changed.",
                home,
            ),
            (429, _) => (
                "Too much at once",
                "This browser asks faster than the desk answers. Wait a moment and load the page again; nothing was \
                 lost.",
                "Try again",
            ),
            (500.., _) => (
                "The desk can’t reach its records",
                "Nothing you see was lost, and held refunds go on waiting. Load the page again in a moment.",
                "Try again",
            ),
            _ => ("That can’t be done here", "", home),
        };
        Problem {
            status: status.as_u16(),
            code: body.error,
            title,
            reason: if reason.is_empty() { body.reason } else { String::from(reason) },
            href: "/",
            link,
        }
    }

    /// What stands round it.
    pub fn shell(&self, desk: bool) -> Shell {
        if desk {
            Shell::desk(self.title, Here::Nowhere, DeskHead::default())
        } else {
            Shell::console(self.title, false)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_says_what_happened_and_where_to_go() {
        let missing = |ticket| Problem::new(StatusCode::NOT_FOUND, Body::default(), ticket, false).title;
        assert_ne!(missing(true), missing(false));
        let body = Body { error: "UNKNOWN_HOST".into(), reason: "No such host.".into() };
        let other = Problem::new(StatusCode::MISDIRECTED_REQUEST, body, false, false);
        assert_eq!((other.code.as_str(), other.reason.as_str()), ("UNKNOWN_HOST", "No such host."));
        let console = Problem::new(StatusCode::NOT_FOUND, Body::default(), false, true);
        assert_eq!(console.link, "Go to the approvals");
    }
}
