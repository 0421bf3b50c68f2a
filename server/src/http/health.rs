//! Whether it runs, whether it can work, and its numbers.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, header};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use web::error::Problem;
use web::{ApiError, Json};

use crate::http::App;

/// The routes of health.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(healthz)).routes(routes!(readyz)).routes(routes!(metrics))
}

/// Yes.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Fine {
    ok: bool,
}

impl Fine {
    /// It was done.
    pub(super) const YES: Json<Fine> = Json(Fine { ok: true });
}

/// The process runs.
#[utoipa::path(get, path = "/healthz", tag = "health", responses((status = 200, body = Fine)))]
async fn healthz() -> Json<Fine> {
    Fine::YES
}

/// The store answers.
#[utoipa::path(get, path = "/readyz", tag = "health", responses(
    (status = 200, body = Fine), (status = 503, body = Problem)))]
async fn readyz(State(app): State<App>) -> Result<Json<Fine>, ApiError> {
    if app.store().ping().await { Ok(Fine::YES) } else { Err(ApiError::unavailable()) }
}

/// Numbers for Prometheus.
#[utoipa::path(get, path = "/metrics", tag = "health", responses(
    (status = 200, body = String, content_type = "text/plain")))]
async fn metrics(State(app): State<App>) -> Response {
    let mut response = app.metrics().text().into_response();
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8"));
    response
}
