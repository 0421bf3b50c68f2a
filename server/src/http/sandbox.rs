//! A browser's own sandbox: reset, stop, resume, and tokens for agents that come over HTTP.

use std::net::SocketAddr;

use axum::Extension;
use axum::extract::{ConnectInfo, State};
use desk::id::TicketId;
use http::{HeaderMap, StatusCode};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use web::error::Problem;
use web::{ApiError, Json};

use crate::clock::rfc3339;
use crate::http::app::{App, known};
use crate::http::caller::{self, Page};
use crate::http::health::Fine;
use crate::http::measure;
use crate::store::{Actor, AgentKind};

/// The routes of a sandbox.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(reset))
        .routes(routes!(stop))
        .routes(routes!(resume))
        .routes(routes!(agent))
        .routes(routes!(proof))
}

/// Makes the sandbox as it was at first. Refunds that are held end.
#[utoipa::path(post, path = "/api/reset", tag = "sandbox", responses(
    (status = 200, body = Fine), (status = 403, body = Problem)))]
async fn reset(State(app): State<App>, page: Page) -> Result<Json<Fine>, ApiError> {
    app.store().reset(&page.workspace, &Actor::Person, app.now()).await?;
    Ok(Fine::YES)
}

/// Takes every acting tool away from agents. Held refunds stay decidable.
#[utoipa::path(post, path = "/api/stop", tag = "sandbox", responses(
    (status = 200, body = Fine), (status = 403, body = Problem)))]
async fn stop(State(app): State<App>, page: Page) -> Result<Json<Fine>, ApiError> {
    app.store().stop(&page.workspace, &Actor::Person, true, app.now()).await?;
    Ok(Fine::YES)
}

/// Lets agents go on.
#[utoipa::path(post, path = "/api/resume", tag = "sandbox", responses(
    (status = 200, body = Fine), (status = 403, body = Problem)))]
async fn resume(State(app): State<App>, page: Page) -> Result<Json<Fine>, ApiError> {
    app.store().stop(&page.workspace, &Actor::Person, false, app.now()).await?;
    Ok(Fine::YES)
}

/// `POST /api/agents`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Subject {
    /// The one ticket the agent works on.
    ticket_id: String,
}

/// A token for an agent.
#[derive(Debug, Serialize, ToSchema)]
struct Token {
    /// Goes into `Authorization: Bearer …`.
    token: String,
    /// RFC 3339.
    expires_at: String,
}

/// Makes a token for an agent that works on one ticket over HTTP.
#[utoipa::path(post, path = "/api/agents", tag = "sandbox", request_body = Subject, responses(
    (status = 201, body = Token), (status = 403, body = Problem), (status = 404, body = Problem)))]
async fn agent(
    State(app): State<App>,
    page: Page,
    Json(body): Json<Subject>,
) -> Result<(StatusCode, Json<Token>), ApiError> {
    let ticket: TicketId = known(body.ticket_id)?;
    app.store().view(&page.workspace, &ticket, app.now()).await?;
    let (token, expires) = caller::agent_token(&app, &page.workspace, AgentKind::Direct, &ticket);
    Ok((StatusCode::CREATED, Json(Token { token, expires_at: rfc3339(expires) })))
}

/// What the proof's page is known by.
#[derive(Debug, Serialize, ToSchema)]
struct Proof {
    /// Goes into `Authorization: Bearer …`.
    page: String,
}

/// Makes a sandbox of its own for the proof's page. Its person has no cookie: what the page can read opens nothing else.
#[utoipa::path(post, path = "/api/proof", tag = "sandbox", responses(
    (status = 201, body = Proof), (status = 403, body = Problem), (status = 429, body = Problem)))]
async fn proof(
    State(app): State<App>,
    _: Page,
    peer: Option<Extension<ConnectInfo<SocketAddr>>>,
    headers: HeaderMap,
) -> Result<(StatusCode, Json<Proof>), ApiError> {
    let address = measure::address(&app, &headers, peer.as_deref());
    Ok((StatusCode::CREATED, Json(Proof { page: caller::proof_page(&app, address)? })))
}
