//! Pages for what went wrong. One sentence that says what happened, and one way on.

use super::shell::Shell;

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The HTTP status.
    pub status: u16,
    /// The code that the API would answer.
    pub code: &'static str,
    /// What happened, in a few words.
    pub title: &'static str,
    /// What happened and what to do.
    pub reason: &'static str,
    /// A way on.
    pub href: &'static str,
    /// What the way on is called.
    pub link: &'static str,
}

/// No page has this address.
pub const NO_PAGE: Problem = Problem {
    status: 404,
    code: "NOT_FOUND",
    title: "There is no page here",
    reason: "The address has no page. It may have been mistyped, or the link to it is old.",
    href: "/",
    link: "Go to the desk",
};

/// No ticket has this name.
pub const NO_TICKET: Problem = Problem {
    status: 404,
    code: "NOT_FOUND",
    title: "There is no such ticket",
    reason: "This sandbox has no ticket of that name. A ticket that you wrote is gone once the demo is reset.",
    href: "/",
    link: "See all tickets",
};

/// Not for this caller.
pub const FORBIDDEN: Problem = Problem {
    status: 403,
    code: "FORBIDDEN",
    title: "This is not yours to do",
    reason: "What you asked for needs another sign-in than the one this browser has here. Nothing was changed.",
    href: "/",
    link: "Go back to the start",
};

/// A form from somewhere else.
pub const CROSS_ORIGIN: Problem = Problem {
    status: 403,
    code: "CROSS_ORIGIN",
    title: "That form came from another site",
    reason: "Only pages of this desk may change something here. Nothing was changed.",
    href: "/",
    link: "Go to the desk",
};

/// Too much at once.
pub const TOO_MANY: Problem = Problem {
    status: 429,
    code: "TOO_MANY_REQUESTS",
    title: "Too much at once",
    reason: "This browser asks faster than the desk answers. Wait a moment and load the page again; nothing was lost.",
    href: "/",
    link: "Try again",
};

/// The store does not answer, or something failed that should not.
pub const UNAVAILABLE: Problem = Problem {
    status: 503,
    code: "UNAVAILABLE",
    title: "The desk can’t reach its records",
    reason: "Nothing you see was lost, and held refunds go on waiting. Load the page again in a moment.",
    href: "/",
    link: "Try again",
};

impl Problem {
    /// The page of a status that has none of its own.
    pub fn of_status(status: u16) -> Problem {
        match status {
            404 => NO_PAGE,
            403 | 401 => FORBIDDEN,
            429 => TOO_MANY,
            _ => UNAVAILABLE,
        }
    }

    /// The page round it.
    pub fn shell(&self, desk: bool) -> Shell {
        use super::shell::{DeskHead, Here};
        if desk {
            Shell::desk(self.title, Here::Nowhere, DeskHead::default())
        } else {
            Shell::console(self.title, false)
        }
    }
}
