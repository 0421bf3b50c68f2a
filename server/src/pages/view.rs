//! The templates and what each is given.

use askama::Template;

use super::api::ApiView;
use super::card::Console;
use super::plain::Piece;
use super::problem::Problem;
use super::queue::Queue;
use super::record::Trail;
use super::rules::RulesView;
use super::shell::Shell;
use super::ticket::TicketView;

/// `/`.
#[derive(Debug, Template)]
#[template(path = "desk.html")]
pub struct DeskPage {
    /// Round it.
    pub shell: Shell,
    /// Left.
    pub queue: Queue,
    /// The orders a message can be about.
    pub orders: Vec<OrderChoice>,
}

/// An order that a message can be about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrderChoice {
    /// `A-5510`.
    pub id: String,
    /// `$89.00, 6 days old`.
    pub about: String,
}

/// `/t/{id}`.
#[derive(Debug, Template)]
#[template(path = "ticket.html")]
pub struct TicketPage {
    /// Round it.
    pub shell: Shell,
    /// Left.
    pub queue: Queue,
    /// Middle.
    pub ticket: TicketView,
    /// Where an approver decides; none under `in_page`.
    pub console: Option<String>,
}

/// `/` on the console's host, for a signed-in approver.
#[derive(Debug, Template)]
#[template(path = "console.html")]
pub struct ConsolePage {
    /// Round it.
    pub shell: Shell,
    /// What waits.
    pub console: Console,
}

/// `/sign-in` on the console's host, and `/` there for somebody who is signed out.
#[derive(Debug, Template)]
#[template(path = "sign_in.html")]
pub struct SignInPage {
    /// Round it.
    pub shell: Shell,
    /// The code of the link; none for somebody who has no link.
    pub code: Option<String>,
}

/// `/record`.
#[derive(Debug, Template)]
#[template(path = "record.html")]
pub struct RecordPage {
    /// Round it.
    pub shell: Shell,
    /// The trail.
    pub trail: Trail,
}

/// `/policy`.
#[derive(Debug, Template)]
#[template(path = "policy.html")]
pub struct RulesPage {
    /// Round it.
    pub shell: Shell,
    /// The rules and what they decide.
    pub rules: RulesView,
}

/// `/docs`.
#[derive(Debug, Template)]
#[template(path = "api.html")]
pub struct ApiPage {
    /// Round it.
    pub shell: Shell,
    /// The document.
    pub api: ApiView,
}

/// `/proof.html`.
#[derive(Debug, Template)]
#[template(path = "proof.html")]
pub struct ProofPage {
    /// Round it.
    pub shell: Shell,
}

/// A page for what went wrong.
#[derive(Debug, Template)]
#[template(path = "problem.html")]
pub struct ProblemPage {
    /// Round it.
    pub shell: Shell,
    /// What went wrong.
    pub problem: Problem,
}
