//! Tickets: reading them and moving them on.

use axum::extract::{Path, State};
use desk::id::TicketId;
use desk::ticket;
use http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use web::error::Problem;
use web::{ApiError, Json};
use wire::ticket::{Acted, Compose, Composed, Escalate, Listed, Reply, Ticket, Tickets, Triage};

use crate::http::app::{App, known, under_rules};
use crate::http::caller::{Caller, Page};
use crate::http::shape;
use crate::store::{self, Actor, Workspace};

/// The routes of tickets.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, compose))
        .routes(routes!(read))
        .routes(routes!(triage))
        .routes(routes!(reply))
        .routes(routes!(escalate))
        .routes(routes!(resolve))
        .routes(routes!(reopen))
}

/// All tickets of the sandbox: states and addresses, no text of strangers.
#[utoipa::path(get, path = "/api/tickets", tag = "tickets", responses((status = 200, body = Tickets)))]
async fn list(State(app): State<App>, caller: Caller) -> Result<Json<Tickets>, ApiError> {
    let listed = app.store().tickets(caller.workspace()).await?;
    let line = |ticket: desk::ticket::Ticket| Listed {
        address: format!("/t/{}", ticket.id),
        ticket_id: ticket.id.to_string(),
        state: ticket::word(ticket.stage).to_owned(),
        order_id: ticket.order.map(|order| order.to_string()),
    };
    Ok(Json(Tickets { tickets: listed.into_iter().map(line).collect() }))
}

/// One ticket: the order's record, its refunds, and under `untrusted` the conversation.
#[utoipa::path(get, path = "/api/tickets/{id}", tag = "tickets", params(("id" = String, Path)), responses(
    (status = 200, body = Ticket), (status = 403, body = Problem), (status = 404, body = Problem)))]
async fn read(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Ticket>, ApiError> {
    let id: TicketId = known(id)?;
    caller.require_subject(&id)?;
    let workspace = caller.workspace();
    let (view, permit) = app.view(workspace, &id).await?;
    let conversation = app.store().conversation(workspace, &id).await?;
    let refunds = app.store().refunds(workspace, &id).await?;
    Ok(Json(shape::ticket(&view, &permit, conversation, &refunds)))
}

/// Writes a message as a customer would: never facts of an order.
#[utoipa::path(post, path = "/api/tickets", tag = "tickets", request_body = Compose, responses(
    (status = 201, body = Composed), (status = 403, body = Problem), (status = 404, body = Problem)))]
async fn compose(
    State(app): State<App>,
    page: Page,
    Json(body): Json<Compose>,
) -> Result<(StatusCode, Json<Composed>), ApiError> {
    let id = add(&app, &page.workspace, body).await?;
    Ok((StatusCode::CREATED, Json(Composed { address: format!("/t/{id}"), ticket_id: id.to_string() })))
}

/// Adds a ticket with a message of a customer.
pub(crate) async fn add(app: &App, workspace: &Workspace, body: Compose) -> Result<TicketId, ApiError> {
    let order = body.order_id.map(known).transpose()?;
    let compose = store::Compose {
        subject: within("subject", &body.subject, 1, 200)?,
        customer: within("customer", &body.customer, 1, 80)?,
        message: within("message", &body.message, 1, 65_536)?,
        order: order.as_ref(),
    };
    Ok(app.store().compose(workspace, &Actor::Person, compose, app.now()).await?)
}

/// What is done to a ticket.
pub(crate) enum Act<'a> {
    /// Sorts it.
    Triage(store::Triage<'a>),
    /// Writes to its customer.
    Reply(&'a str),
    /// Hands it to a person.
    Escalate(&'a str),
    /// Closes it.
    Resolve,
    /// Takes it up again.
    Reopen,
}

/// Sorts a new ticket.
#[utoipa::path(post, path = "/api/tickets/{id}/triage", tag = "tickets", params(("id" = String, Path)),
    request_body = Triage, responses((status = 200, body = Acted), (status = 409, body = Problem)))]
async fn triage(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Json(body): Json<Triage>,
) -> Result<Json<Acted>, ApiError> {
    let id = named(id, body.ticket_id)?;
    let summary = body.summary.as_deref().map(|text| within("summary", text, 0, 280)).transpose()?;
    act(&app, &caller, &id, Act::Triage(store::Triage { category: body.category, summary })).await
}

/// Writes to the customer.
#[utoipa::path(post, path = "/api/tickets/{id}/reply", tag = "tickets", params(("id" = String, Path)),
    request_body = Reply, responses((status = 200, body = Acted), (status = 409, body = Problem)))]
async fn reply(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Json(body): Json<Reply>,
) -> Result<Json<Acted>, ApiError> {
    let id = named(id, body.ticket_id)?;
    act(&app, &caller, &id, Act::Reply(within("message", &body.message, 1, 4_000)?)).await
}

/// Hands the ticket to a person. A refund that is held ends.
#[utoipa::path(post, path = "/api/tickets/{id}/escalate", tag = "tickets", params(("id" = String, Path)),
    request_body = Escalate, responses((status = 200, body = Acted), (status = 409, body = Problem)))]
async fn escalate(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Json(body): Json<Escalate>,
) -> Result<Json<Acted>, ApiError> {
    let id = named(id, body.ticket_id)?;
    act(&app, &caller, &id, Act::Escalate(within("reason", &body.reason, 1, 280)?)).await
}

/// Closes the ticket. A refund that is held ends.
#[utoipa::path(post, path = "/api/tickets/{id}/resolve", tag = "tickets", params(("id" = String, Path)),
    responses((status = 200, body = Acted), (status = 403, body = Problem), (status = 409, body = Problem)))]
async fn resolve(
    State(app): State<App>,
    page: Page,
    Path(id): Path<String>,
) -> Result<Json<Acted>, ApiError> {
    act(&app, &Caller::Page(page), &known(id)?, Act::Resolve).await
}

/// Takes the ticket up again; lifts a rejection.
#[utoipa::path(post, path = "/api/tickets/{id}/reopen", tag = "tickets", params(("id" = String, Path)),
    responses((status = 200, body = Acted), (status = 403, body = Problem), (status = 409, body = Problem)))]
async fn reopen(State(app): State<App>, page: Page, Path(id): Path<String>) -> Result<Json<Acted>, ApiError> {
    act(&app, &Caller::Page(page), &known(id)?, Act::Reopen).await
}

/// Does something to a ticket.
pub(crate) async fn act(
    app: &App,
    caller: &Caller,
    id: &TicketId,
    act: Act<'_>,
) -> Result<Json<Acted>, ApiError> {
    caller.require_subject(id)?;
    let (workspace, actor, now) = (caller.workspace(), caller.actor(), app.now());
    let store = app.store();
    under_rules!(app, active => async {
        match &act {
            Act::Triage(triage) => store.triage(workspace, &actor, id, *triage, active, now).await,
            Act::Reply(message) => store.reply(workspace, &actor, id, message, active, now).await,
            Act::Escalate(reason) => store.escalate(workspace, &actor, id, reason, active, now).await,
            Act::Resolve => store.resolve(workspace, id, now).await,
            Act::Reopen => store.reopen(workspace, id, now).await,
        }
    })?;
    let (view, permit) = app.view(workspace, id).await?;
    Ok(Json(Acted {
        ticket_id: id.to_string(),
        state: ticket::word(view.ticket.stage).to_owned(),
        tools: shape::tool_names(permit.tools),
    }))
}

fn named(path: String, body: Option<String>) -> Result<TicketId, ApiError> {
    if body.is_some_and(|body| body != path) {
        return Err(ApiError::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "BAD_BODY",
            "The body names another ticket than the address.",
        ));
    }
    known(path)
}

/// A text of `least` to `most` characters; one of white space alone counts as empty.
///
/// # Errors
/// `BAD_BODY`, naming the field.
pub(crate) fn within<'a>(field: &str, text: &'a str, least: usize, most: usize) -> Result<&'a str, ApiError> {
    let says = if text.trim().chars().count() < least {
        format!("`{field}` is empty.")
    } else if text.chars().count() > most {
        format!("`{field}` is longer than {most} characters.")
    } else {
        return Ok(text);
    };
    Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "BAD_BODY", says))
}
