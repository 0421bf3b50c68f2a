//! Who calls: worked out from the credential alone, never from a body.

use std::net::IpAddr;

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use desk::Millis;
use desk::id::TicketId;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use policy::Strength;
use web::cookie::Cookie;
use web::{ApiError, origin, token};

use crate::http::App;
use crate::http::face::Face;
use crate::http::measure;
use crate::store::{self, Actor, AgentKind, Workspace};

/// The cookie of a person at the desk's page.
pub const PAGE_COOKIE: Cookie = Cookie { name: "quarantine", always_host: false };

/// The cookie of an approver, on the console's host only.
pub const CONSOLE_COOKIE: Cookie = Cookie { name: "quarantine_console", always_host: true };

/// Seconds a token of an agent is good for: a day.
const TOKEN_LIFE: u64 = 86_400;

const TOKEN_PREFIX: &str = "qa_";

const COOKIE_PREFIX: &str = "qc_";

/// What the proof's page has for a sandbox of its own. Script can read it, so it is good for that sandbox alone.
const PROOF_PREFIX: &str = "qp_";

/// Seconds a page cookie is kept: a month.
const COOKIE_LIFE: u64 = 2_592_000;

/// Whoever makes a request.
#[derive(Clone, Debug)]
pub enum Caller {
    /// An agent: with a token, or anonymous in the sandbox `demo`.
    Agent(Agent),
    /// The person at the desk's page.
    Page(Page),
}

/// An agent.
#[derive(Clone, Debug)]
pub struct Agent {
    /// The sandbox it works in.
    pub workspace: Workspace,
    /// The one ticket it works on; none: anonymous, whose subject is the ticket each request names.
    pub subject: Option<TicketId>,
    /// Its credential, for the record and for joining.
    pub credential: store::Agent,
}

/// The person at the desk's page.
#[derive(Clone, Debug)]
pub struct Page {
    /// The sandbox of that browser.
    pub workspace: Workspace,
}

/// Somebody who may approve, and what.
#[derive(Clone, Debug)]
pub struct Approver {
    /// Who it is, and how strong their approval is.
    pub approver: store::Approver,
    /// The one sandbox whose refunds they see; none: every sandbox but `demo`.
    pub workspace: Option<Workspace>,
}

impl Caller {
    /// Where it works.
    pub fn workspace(&self) -> &Workspace {
        match self {
            Caller::Agent(agent) => &agent.workspace,
            Caller::Page(page) => &page.workspace,
        }
    }

    /// Who it is on the record.
    pub fn actor(&self) -> Actor {
        match self {
            Caller::Agent(agent) => Actor::Agent(agent.credential.clone()),
            Caller::Page(_) => Actor::Person,
        }
    }

    /// Passes if this caller may work on the ticket. A page may work on every ticket of its sandbox.
    ///
    /// # Errors
    /// `NOT_SUBJECT`, with the address of the page to open instead.
    pub fn require_subject(&self, ticket: &TicketId) -> Result<(), ApiError> {
        match self {
            Caller::Agent(Agent { subject: Some(subject), .. }) if subject != ticket => Err(ApiError::new(
                StatusCode::FORBIDDEN,
                "NOT_SUBJECT",
                "This session is about another ticket. Open that ticket's page to work on it.",
            )
            .with("address", format!("/t/{ticket}"))),
            _ => Ok(()),
        }
    }
}

/// Makes tokens of agents.
pub fn agent_token(
    app: &App,
    workspace: &Workspace,
    kind: AgentKind,
    subject: &TicketId,
) -> (String, Millis) {
    let expires = app.now().plus_seconds(TOKEN_LIFE);
    // A token over HTTP is a credential of its own; those of one page are the same, so that two of its tabs join.
    let id = match kind {
        AgentKind::Direct => token::random_name(),
        _ => String::new(),
    };
    let payload = format!("{}|{}|{}|{}|{id}", workspace.as_str(), kind.as_str(), subject.as_str(), expires.0);
    (app.signer().sign(TOKEN_PREFIX, &payload), expires)
}

fn read_token(app: &App, text: &str) -> Option<Agent> {
    let payload = app.signer().open(TOKEN_PREFIX, text)?;
    let mut parts = payload.split('|');
    let workspace = Workspace::try_from(parts.next()?).ok()?;
    let kind = AgentKind::parse(parts.next()?)?;
    let subject = TicketId::try_from(parts.next()?).ok()?;
    let expires = Millis(parts.next()?.parse().ok()?);
    let id = parts.next()?;
    if app.now() > expires {
        return None;
    }
    let credential = store::Agent { kind, credential: format!("{}:{id}", kind.as_str()) };
    Some(Agent { workspace, subject: Some(subject), credential })
}

/// Makes a sandbox for the proof's page: what its person is known by.
///
/// # Errors
/// `TOO_MANY_REQUESTS`: new sandboxes are limited.
pub fn proof_page(app: &App, address: IpAddr) -> Result<String, ApiError> {
    app.limits().cookies.take(address.to_string())?;
    Ok(app.signer().sign(PROOF_PREFIX, &token::random()))
}

/// The sandbox that a page cookie, or what the proof's page has instead, names. Only those that this desk made name
/// one: whoever wants many has to ask for many, and that is limited.
fn workspace_of(app: &App, prefix: &str, text: &str) -> Option<Workspace> {
    let token = app.signer().open(prefix, text)?;
    let hash = token::hash("sandbox", &token);
    Workspace::try_from(hash.get(..32)?).ok()
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers
        .get(header::AUTHORIZATION)
        .map(|value| value.to_str().ok().and_then(|value| value.strip_prefix("Bearer ")).unwrap_or(""))
}

/// Only people do this.
pub fn forbidden() -> ApiError {
    ApiError::new(StatusCode::FORBIDDEN, "FORBIDDEN", "Only a person of the desk can do this.")
}

fn bad_token() -> ApiError {
    ApiError::new(
        StatusCode::UNAUTHORIZED,
        "BAD_TOKEN",
        "The agent token is not valid or has expired. Reload the ticket's page.",
    )
}

fn changes(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

impl FromRequestParts<App> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Caller, ApiError> {
        if let Some(text) = bearer(&parts.headers) {
            if let Some(workspace) = workspace_of(app, PROOF_PREFIX, text) {
                return Ok(Caller::Page(Page { workspace }));
            }
            return read_token(app, text).map(Caller::Agent).ok_or_else(bad_token);
        }
        let cookie = PAGE_COOKIE.read(&parts.headers, app.https());
        if let Some(workspace) = cookie.as_deref().and_then(|cookie| workspace_of(app, COOKIE_PREFIX, cookie))
        {
            if changes(&parts.method) {
                origin::require_own(&parts.headers, &Face::of(parts).origin)?;
            }
            return Ok(Caller::Page(Page { workspace }));
        }
        Ok(Caller::Agent(Agent {
            workspace: Workspace::DEMO,
            subject: None,
            credential: store::Agent { kind: AgentKind::Anonymous, credential: "anonymous".to_owned() },
        }))
    }
}

/// Somebody who opens a page, perhaps for the first time.
#[derive(Clone, Debug)]
pub struct Visitor {
    /// The sandbox of that browser. It is written at its first change.
    pub workspace: Workspace,
    /// The cookie to set, if the browser has none of ours.
    pub cookie: Option<HeaderValue>,
}

impl FromRequestParts<App> for Visitor {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Visitor, ApiError> {
        let cookie = PAGE_COOKIE.read(&parts.headers, app.https());
        if let Some(workspace) = cookie.as_deref().and_then(|cookie| workspace_of(app, COOKIE_PREFIX, cookie))
        {
            return Ok(Visitor { workspace, cookie: None });
        }
        let address = measure::address(app, &parts.headers, parts.extensions.get());
        app.limits().cookies.take(address.to_string())?;
        let cookie = app.signer().sign(COOKIE_PREFIX, &token::random());
        let workspace = workspace_of(app, COOKIE_PREFIX, &cookie).ok_or_else(ApiError::internal)?;
        Ok(Visitor { workspace, cookie: PAGE_COOKIE.set(&cookie, COOKIE_LIFE, app.https()) })
    }
}

impl FromRequestParts<App> for Page {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Page, ApiError> {
        match Caller::from_request_parts(parts, app).await? {
            Caller::Page(page) => Ok(page),
            Caller::Agent(_) => Err(forbidden()),
        }
    }
}

impl FromRequestParts<App> for Approver {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Approver, ApiError> {
        let face = Face::of(parts);
        let proof = |text| !face.console && workspace_of(app, PROOF_PREFIX, text).is_some();
        if bearer(&parts.headers).is_some_and(|text| !proof(text)) {
            return Err(forbidden());
        }
        if face.console {
            let cookie = CONSOLE_COOKIE.read(&parts.headers, app.https()).ok_or_else(forbidden)?;
            if changes(&parts.method) {
                origin::require_own(&parts.headers, &face.origin)?;
            }
            let id = app.console_session(&cookie).await?.ok_or_else(forbidden)?;
            let approver = store::Approver { id, strength: Strength::Console };
            return Ok(Approver { approver, workspace: None });
        }
        let page = Page::from_request_parts(parts, app).await?;
        if app.config().strength != Strength::InPage {
            return Err(ApiError::new(
                StatusCode::FORBIDDEN,
                "NOT_STRONG_ENOUGH",
                "Refunds of this desk are approved on its console.",
            ));
        }
        let id = format!("page:{}", page.workspace);
        let approver = store::Approver { id, strength: Strength::InPage };
        Ok(Approver { approver, workspace: Some(page.workspace) })
    }
}

impl OptionalFromRequestParts<App> for Approver {
    type Rejection = ApiError;

    /// None without a credential that approves; an agent token is an error all the same.
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Approver>, ApiError> {
        match <Approver as FromRequestParts<App>>::from_request_parts(parts, app).await {
            Ok(approver) => Ok(Some(approver)),
            Err(error) if error.code == "FORBIDDEN" && bearer(&parts.headers).is_none() => Ok(None),
            Err(error) => Err(error),
        }
    }
}
