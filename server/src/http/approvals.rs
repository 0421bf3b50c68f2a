//! Refunds from the side that decides.

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::routing::{get, post};
use desk::id::{RefundId, TicketId};
use desk::refund::State as RefundState;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use web::error::Problem;
use web::{ApiError, Json, token};
use wire::approval::{Approvals, Card, Decide, Decided, Lower, Open, Opened};

use crate::http::app::{App, known, under_rules};
use crate::http::caller::Approver;
use crate::http::refunds::amount;
use crate::http::tickets::within;
use crate::http::{events, refused, shape};
use crate::store::{self, AgentKind, Approved, Mint, Press, Refund, StoreError};

/// Seconds a nonce is good for. The press itself fetches it and uses it at once.
const NONCE_LIFE: u64 = 60;

/// The most cards that one list has.
const CARDS: u32 = 200;

/// The routes of approvals.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(open))
        .routes(routes!(lower))
        .routes(routes!(decide))
}

/// The same on the console's host, where the console's cookie is what counts.
pub fn console_routes() -> Router<App> {
    Router::new()
        .route("/api/approvals", get(list))
        .route("/api/approvals/{id}/open", post(open))
        .route("/api/approvals/{id}/amount", post(lower))
        .route("/api/refund/decide", post(decide))
        .route("/api/events", get(events::console_stream))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Of {
    /// Only those of this ticket.
    ticket: Option<String>,
}

/// The refunds that wait for a person, oldest first.
#[utoipa::path(get, path = "/api/approvals", tag = "approvals", params(Of), responses(
    (status = 200, body = Approvals), (status = 403, body = Problem)))]
async fn list(
    State(app): State<App>,
    approver: Approver,
    Query(of): Query<Of>,
) -> Result<Json<Approvals>, ApiError> {
    let ticket: Option<TicketId> = of.ticket.map(known).transpose()?;
    let cards = cards(&app, &approver, ticket.as_ref()).await?;
    Ok(Json(Approvals {
        approvals: cards.iter().map(|card| shape::card(card, waits(&app, &card.refund))).collect(),
    }))
}

/// What an approver may decide now, oldest first.
pub(crate) async fn cards(
    app: &App,
    approver: &Approver,
    ticket: Option<&TicketId>,
) -> Result<Vec<store::Card>, ApiError> {
    let now = app.now();
    let cards = under_rules!(app, active => async {
        match &approver.workspace {
            Some(workspace) => app.store().cards(workspace, ticket, active, now).await,
            None => app.store().cards_everywhere(active, now, CARDS).await,
        }
    });
    Ok(cards?)
}

/// True while somebody waits for the answer of a refund.
pub(crate) fn waits(app: &App, refund: &Refund) -> bool {
    match refund.by.kind {
        AgentKind::Tab | AgentKind::Played => app.presence().is_here(&refund.workspace),
        AgentKind::Direct | AgentKind::Anonymous => app.live().is_awaited(&refund.workspace, &refund.id),
    }
}

/// A refund that this approver may see.
pub(crate) async fn seen(app: &App, approver: &Approver, id: &RefundId) -> Result<Refund, ApiError> {
    let refund = app.store().refund(id).await?;
    let visible = match &approver.workspace {
        Some(workspace) => refund.workspace == *workspace,
        None => refund.workspace.payable(),
    };
    if visible { Ok(refund) } else { Err(ApiError::not_found()) }
}

/// Makes a nonce for one press: for this approver, this refund, and exactly what the card shows.
#[utoipa::path(post, path = "/api/approvals/{id}/open", tag = "approvals", params(("id" = String, Path)),
    request_body = Open, responses(
    (status = 200, body = Opened), (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 409, body = Problem)))]
async fn open(
    State(app): State<App>,
    approver: Approver,
    Path(id): Path<String>,
    Json(body): Json<Open>,
) -> Result<Json<Opened>, ApiError> {
    let nonce = mint(&app, &approver, &known(id)?, &body.digest).await?;
    Ok(Json(Opened { nonce, expires_in: NONCE_LIFE }))
}

async fn mint(app: &App, approver: &Approver, id: &RefundId, digest: &str) -> Result<String, ApiError> {
    let refund = seen(app, approver, id).await?;
    let nonce = token::random();
    let hash = hash(&nonce);
    let now = app.now();
    let wanted = Mint {
        refund: &refund.id,
        approver: &approver.approver,
        digest,
        nonce_hash: &hash,
        expires_at: now.plus_seconds(NONCE_LIFE),
    };
    under_rules!(app, active => app.store().mint(wanted, active, now))?;
    Ok(nonce)
}

fn hash(nonce: &str) -> String {
    token::hash("nonce", nonce)
}

/// Lowers what would be paid. Whoever approves then approves that.
#[utoipa::path(post, path = "/api/approvals/{id}/amount", tag = "approvals", params(("id" = String, Path)),
    request_body = Lower, responses(
    (status = 200, body = Card), (status = 404, body = Problem), (status = 409, body = Problem),
    (status = 422, body = Problem)))]
async fn lower(
    State(app): State<App>,
    approver: Approver,
    Path(id): Path<String>,
    Json(body): Json<Lower>,
) -> Result<Json<Card>, ApiError> {
    let card = lower_to(&app, &approver, &known(id)?, body.amount.get()).await?;
    Ok(Json(shape::card(&card, waits(&app, &card.refund))))
}

/// Lowers what would be paid to an amount as it was written.
pub(crate) async fn lower_to(
    app: &App,
    approver: &Approver,
    id: &RefundId,
    text: &str,
) -> Result<store::Card, ApiError> {
    let refund = seen(app, approver, id).await?;
    let amount = amount(text, refund.currency)?;
    let now = app.now();
    Ok(under_rules!(app, active => app.store().lower(&refund.id, &approver.approver, amount, active, now))?)
}

/// Approves or rejects, with the nonce of one press.
#[utoipa::path(post, path = "/api/refund/decide", tag = "approvals", request_body = Decide, responses(
    (status = 200, body = Decided), (status = 403, body = Problem), (status = 409, body = Problem)))]
async fn decide(
    State(app): State<App>,
    approver: Option<Approver>,
    Json(body): Json<Decide>,
) -> Result<Json<Decided>, ApiError> {
    let approver = approver.ok_or_else(refused::bad_nonce)?;
    press(&app, &approver, &body).await
}

/// A press of a page that works without script: mints a nonce and uses it at once.
pub(crate) async fn press_now(
    app: &App,
    approver: &Approver,
    id: &RefundId,
    mut body: Decide,
) -> Result<Json<Decided>, ApiError> {
    let digest = body.digest.as_deref().unwrap_or_default();
    body.nonce = mint(app, approver, id, digest).await?;
    press(app, approver, &body).await
}

async fn press(app: &App, approver: &Approver, body: &Decide) -> Result<Json<Decided>, ApiError> {
    let note = |field, text: &'_ Option<String>| -> Result<(), ApiError> {
        text.as_deref().map_or(Ok(()), |text| within(field, text, 0, 280).map(|_| ()))
    };
    note("note_to_customer", &body.note_to_customer)?;
    note("note_internal", &body.note_internal)?;
    let said = |text: &'_ Option<String>| text.clone().filter(|text| !text.trim().is_empty());
    let (to_customer, internal) = (said(&body.note_to_customer), said(&body.note_internal));
    let hash = hash(&body.nonce);
    let press = Press {
        nonce_hash: &hash,
        approver: &approver.approver,
        digest: body.digest.as_deref(),
        note_to_customer: to_customer.as_deref(),
        note_internal: internal.as_deref(),
    };
    let now = app.now();
    let refund = if body.approved {
        let refund = app.store().pressed(&hash, &approver.approver, now).await?;
        let tab = matches!(refund.by.kind, AgentKind::Tab | AgentKind::Played);
        if refund.state == RefundState::Held && tab && !waits(app, &refund) {
            return Err(refused::nobody_waits());
        }
        match under_rules!(app, active => app.store().approve(press, active, now))? {
            Approved::More(more, refund) => return Ok(decided(&refund, more)),
            Approved::Claimed(claimed) => pay(app, claimed).await?,
        }
    } else {
        under_rules!(app, active => app.store().reject(press, active, now))?
    };
    app.metrics().refunds.with_label_values(&[refund.state.as_str()]).inc();
    Ok(decided(&refund, 0))
}

/// Pays in a task of its own: a request that goes away must not take the payment along.
async fn pay(app: &App, claimed: store::Claimed) -> Result<Refund, ApiError> {
    let paying = app.clone();
    let paid =
        tokio::spawn(async move { paying.store().pay(paying.provider(), claimed, &*paying.clock()).await });
    match paid.await {
        Ok(refund) => Ok(refund?),
        Err(error) => {
            tracing::error!(%error, "the task that pays ended early; recovery will ask the provider");
            Err(StoreError::Unavailable.into())
        }
    }
}

fn decided(refund: &Refund, more: u8) -> Json<Decided> {
    Json(Decided {
        refund_id: refund.id.to_string(),
        state: refund.state.as_str().to_owned(),
        reference: refund.reference.clone(),
        waiting_for: more,
    })
}
