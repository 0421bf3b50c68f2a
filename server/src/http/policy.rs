//! What is permitted now.

use axum::extract::{Query, State};
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use web::error::Problem;
use web::{ApiError, Json};
use wire::permit::{Explanation, Permit};

use crate::http::app::{App, known};
use crate::http::caller::Caller;
use crate::http::shape;

/// The routes of the permit.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(permit)).routes(routes!(explain))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Of {
    /// The ticket: `T-101`.
    ticket: String,
}

/// What a ticket's agent holds now, and what may be refunded.
#[utoipa::path(get, path = "/api/policy", tag = "permit", params(Of), responses(
    (status = 200, body = Permit), (status = 403, body = Problem), (status = 404, body = Problem)))]
async fn permit(
    State(app): State<App>,
    caller: Caller,
    Query(of): Query<Of>,
) -> Result<Json<Permit>, ApiError> {
    let ticket = known(of.ticket)?;
    caller.require_subject(&ticket)?;
    let (view, permit) = app.view(caller.workspace(), &ticket).await?;
    Ok(Json(shape::permit(&view, &permit)))
}

/// Why a refund is or isn't permitted. Names no tool.
#[utoipa::path(get, path = "/api/policy/explain", tag = "permit", params(Of), responses(
    (status = 200, body = Explanation), (status = 403, body = Problem), (status = 404, body = Problem)))]
async fn explain(
    State(app): State<App>,
    caller: Caller,
    Query(of): Query<Of>,
) -> Result<Json<Explanation>, ApiError> {
    let ticket = known(of.ticket)?;
    caller.require_subject(&ticket)?;
    let (view, permit) = app.view(caller.workspace(), &ticket).await?;
    Ok(Json(shape::explanation(&view, &permit)))
}
