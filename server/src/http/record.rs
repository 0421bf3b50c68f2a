//! The trail of what happened.

use axum::extract::{Query, State};
use desk::id::TicketId;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use web::error::Problem;
use web::{ApiError, Json};
use wire::event::{Entry, Record};

use crate::clock::rfc3339;
use crate::http::app::{App, known};
use crate::http::caller::Page;
use crate::store::{Event, Workspace};

/// The most entries that one answer has.
const ENTRIES: u32 = 200;

/// The route of the trail.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(record))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Of {
    /// Only what concerns this ticket.
    ticket: Option<String>,
}

/// What happened in this sandbox, newest first.
#[utoipa::path(get, path = "/api/record", tag = "record", params(Of), responses(
    (status = 200, body = Record), (status = 403, body = Problem)))]
async fn record(State(app): State<App>, page: Page, Query(of): Query<Of>) -> Result<Json<Record>, ApiError> {
    let ticket: Option<TicketId> = of.ticket.map(known).transpose()?;
    Ok(Json(Record { entries: entries(&app, &page.workspace, ticket.as_ref()).await? }))
}

/// The trail of a sandbox or of one of its tickets, newest first.
pub(crate) async fn entries(
    app: &App,
    workspace: &Workspace,
    ticket: Option<&TicketId>,
) -> Result<Vec<Entry>, ApiError> {
    let events = app.store().record(workspace, ticket, ENTRIES).await?;
    Ok(events.into_iter().map(entry).collect())
}

fn entry(event: Event) -> Entry {
    Entry {
        seq: event.seq,
        at: rfc3339(event.at),
        who: event.who,
        what: event.what,
        ticket_id: event.ticket.map(|id| id.to_string()),
        refund_id: event.refund.map(|id| id.to_string()),
        code: event.code,
        amount: event.amount.map(|(amount, currency)| amount.display(currency)),
    }
}
