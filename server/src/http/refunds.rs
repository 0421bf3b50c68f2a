//! Refunds from the side that asks: staging, waiting, taking back.

use std::time::Duration;

use axum::extract::{Path, Query, State};
use desk::id::{RefundId, TicketId};
use desk::money::{self, AmountError, Minor};
use http::StatusCode;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use web::error::Problem;
use web::{ApiError, Json};
use wire::refund::{Outcome, Stage, Staged, Standing, Withdraw};

use crate::clock::rfc3339;
use crate::http::app::{App, known, under_rules};
use crate::http::caller::{Agent, Caller, forbidden};
use crate::http::shape;
use crate::http::tickets::within;
use crate::store::{self, Ask, Refund};

/// The longest a request may wait, in seconds.
const LONGEST_WAIT: u64 = 60;

/// The routes of refunds.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(stage)).routes(routes!(standing)).routes(routes!(withdraw))
}

/// Asks for a refund. Nothing is paid: it is held until a person decides.
#[utoipa::path(post, path = "/api/refund/stage", tag = "refunds", request_body = Stage, responses(
    (status = 201, body = Staged, description = "It is held now."),
    (status = 200, body = Staged, description = "It joined a call that waits, or its outcome is known."),
    (status = 409, body = Problem), (status = 422, body = Problem)))]
async fn stage(
    State(app): State<App>,
    caller: Caller,
    Json(body): Json<Stage>,
) -> Result<(StatusCode, Json<Staged>), ApiError> {
    let Caller::Agent(agent) = &caller else { return Err(only_agents()) };
    let ticket: TicketId = known(body.ticket_id)?;
    caller.require_subject(&ticket)?;
    let words =
        body.justification.as_deref().map(|text| within("justification", text, 0, 280)).transpose()?;
    let now = app.now();
    let (view, permit) = app.view(&agent.workspace, &ticket).await?;
    let Some(order) = &view.order else {
        return Err(store::StoreError::Policy { code: permit.code(), permit: Box::new(permit) }.into());
    };
    let amount = Minor::from_json(body.amount.get(), order.payment.currency).map_err(not_an_amount)?;
    let ask = Ask { by: &agent.credential, ticket: &ticket, amount, words };
    let staged = under_rules!(app, active => app.store().stage(&agent.workspace, ask, active, now))?;
    let (refund, status, joined, repeated) = match staged {
        store::Staged::Held(refund) => (refund, StatusCode::CREATED, false, false),
        store::Staged::Joined(refund) => (refund, StatusCode::OK, true, false),
        store::Staged::Repeated(refund) => (refund, StatusCode::OK, false, true),
    };
    let outcome = if repeated { Some(outcome(&app, agent, &refund, true).await?) } else { None };
    Ok((
        status,
        Json(Staged {
            refund_id: refund.id.to_string(),
            ticket_id: ticket.to_string(),
            state: refund.state.as_str().to_owned(),
            asked: refund.asked.to_text(refund.currency),
            currency: money::code(refund.currency),
            expires_at: rfc3339(refund.expires_at),
            joined,
            outcome,
        }),
    ))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Wait {
    /// Seconds to wait for the outcome, at most 60. With it the answer always has an outcome: `held` or `processing`
    /// if the time ran out.
    wait: Option<u64>,
}

/// How a refund stands; with `wait`, once it has ended or the time is over.
#[utoipa::path(get, path = "/api/refund/{id}", tag = "refunds", params(("id" = String, Path), Wait), responses(
    (status = 200, body = Standing), (status = 403, body = Problem), (status = 404, body = Problem)))]
async fn standing(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Query(Wait { wait }): Query<Wait>,
) -> Result<Json<Standing>, ApiError> {
    let id: RefundId = known(id)?;
    let first = own(&app, &caller, &id).await?;
    let refund = match wait.unwrap_or(0).min(LONGEST_WAIT) {
        0 => first,
        _ if first.state.ended() => first,
        seconds => waited(&app, first, Duration::from_secs(seconds)).await?,
    };
    standing_of(&app, &caller, refund, wait.is_some()).await
}

async fn waited(app: &App, first: Refund, longest: Duration) -> Result<Refund, ApiError> {
    let interest = app.live().refund(&first.workspace, &first.id);
    let waiting = app.metrics().waiting.clone();
    waiting.inc();
    let _left = Left(waiting);
    let until = tokio::time::sleep(longest);
    let mut until = std::pin::pin!(until);
    loop {
        let moved = interest.next();
        let refund = app.store().refund(&first.id).await?;
        if refund.state.ended() {
            return Ok(refund);
        }
        tokio::select! {
            () = moved => {}
            () = &mut until => return Ok(refund),
            () = app.closed() => return Ok(refund),
        }
    }
}

/// Counts down when the wait ends, however it ends.
struct Left(prometheus::IntGauge);

impl Drop for Left {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// Takes a call back. The last one that waits withdraws the refund; earlier ones only leave. From a page it says that
/// the tab which held the call is gone.
#[utoipa::path(post, path = "/api/refund/{id}/withdraw", tag = "refunds", params(("id" = String, Path)),
    request_body = Withdraw, responses(
    (status = 200, body = Standing), (status = 403, body = Problem), (status = 404, body = Problem)))]
async fn withdraw(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    _said: Json<Withdraw>,
) -> Result<Json<Standing>, ApiError> {
    let id: RefundId = known(id)?;
    let refund = own(&app, &caller, &id).await?;
    let refund = match &caller {
        Caller::Agent(agent) => app.store().withdraw(&refund.id, &agent.credential, app.now()).await?,
        Caller::Page(_) => app.store().gone(&refund.id, &caller.actor(), app.now()).await?,
    };
    standing_of(&app, &caller, refund, false).await
}

/// A refund that this caller may know of: of its sandbox and, for an agent, of its subject.
async fn own(app: &App, caller: &Caller, id: &RefundId) -> Result<Refund, ApiError> {
    let refund = app.store().refund(id).await?;
    if refund.workspace != *caller.workspace() {
        return Err(ApiError::not_found());
    }
    caller.require_subject(&refund.ticket)?;
    Ok(refund)
}

async fn standing_of(
    app: &App,
    caller: &Caller,
    refund: Refund,
    always: bool,
) -> Result<Json<Standing>, ApiError> {
    let outcome = match caller {
        _ if !always && !refund.state.ended() => None,
        Caller::Agent(agent) => Some(outcome(app, agent, &refund, false).await?),
        Caller::Page(_) => Some(shape::outcome(&refund, policy::ToolSet::EMPTY, false)),
    };
    Ok(Json(Standing { refund_id: refund.id.to_string(), state: refund.state.as_str().to_owned(), outcome }))
}

/// The outcome for the agent that asked; one that is final then counts as received.
async fn outcome(app: &App, agent: &Agent, refund: &Refund, repeated: bool) -> Result<Outcome, ApiError> {
    app.store().receive(&refund.id, &agent.credential, app.now()).await?;
    let (_, permit) = app.view(&refund.workspace, &refund.ticket).await?;
    Ok(shape::outcome(refund, permit.tools, repeated))
}

fn only_agents() -> ApiError {
    ApiError {
        reason: "Only an agent asks for a refund; play the agent from the panel.".to_owned(),
        ..forbidden()
    }
}

fn not_an_amount(error: AmountError) -> ApiError {
    ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "AMOUNT_INVALID", error.to_string())
}

/// An amount that a person typed.
///
/// # Errors
/// `AMOUNT_INVALID`, 422.
pub(crate) fn amount(raw: &str, currency: money::Currency) -> Result<Minor, ApiError> {
    Minor::from_json(raw, currency).map_err(not_an_amount)
}
