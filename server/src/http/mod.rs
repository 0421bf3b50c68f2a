//! The HTTP face: one file per resource, each with its own `router()`. Thin: extract, call the store, shape the answer.

pub mod app;
pub mod approvals;
pub mod caller;
pub mod console;
pub mod events;
pub mod face;
pub mod files;
pub mod health;
pub mod measure;
pub mod openapi;
pub mod policy;
pub mod record;
pub mod refunds;
pub mod refused;
pub mod sandbox;
pub mod shape;
pub mod tickets;

use std::any::Any;
use std::time::Duration;

use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Router, middleware};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::timeout::TimeoutLayer;
use utoipa_axum::router::OpenApiRouter;
use web::{ApiError, headers};

pub use app::App;

/// The largest body a route takes: 256 KiB. A message is at most 64 KiB and may be escaped in full.
const BODY: usize = 256 * 1024;

/// The longest a request may take: a minute of waiting and what surrounds it.
const TIME: Duration = Duration::from_secs(75);

/// Every route of the API, with its description.
pub fn api() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .merge(tickets::router())
        .merge(policy::router())
        .merge(refunds::router())
        .merge(approvals::router())
        .merge(events::router())
        .merge(record::router())
        .merge(sandbox::router())
        .merge(health::router())
}

/// Everything this process answers.
pub fn router(app: App) -> Router {
    let (api, document) = api().split_for_parts();
    let shared = Router::new().merge(files::router()).merge(openapi::router(document));
    let desk = api.merge(shared.clone()).merge(crate::pages::desk_router());
    let console = approvals::console_routes().merge(shared).merge(crate::pages::console_router());
    let finish = |router: Router<App>| {
        router
            .fallback(async || ApiError::not_found())
            .method_not_allowed_fallback(async || {
                ApiError::new(
                    StatusCode::METHOD_NOT_ALLOWED,
                    "METHOD_NOT_ALLOWED",
                    "This address does not take that method; /docs lists what it takes.",
                )
            })
            .layer(middleware::from_fn(web::body::whole))
            .layer(DefaultBodyLimit::max(BODY))
            .layer(middleware::from_fn_with_state(app.clone(), measure::count))
            .layer(middleware::from_fn_with_state(app.clone(), measure::limit))
            .with_state(app.clone())
    };
    face::sorted(app.clone(), finish(desk), finish(console))
        .layer(TimeoutLayer::with_status_code(StatusCode::GATEWAY_TIMEOUT, TIME))
        .layer(middleware::map_response(plain_errors))
        .layer(middleware::from_fn_with_state(app.clone(), crate::pages::answer::for_people))
        .layer(middleware::from_fn(headers::secure))
        .layer(CatchPanicLayer::custom(on_panic))
}

/// Errors that a library answered without a body get one of our shape.
async fn plain_errors(response: Response) -> Response {
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() {
        return response;
    }
    let typed = response.headers().get(http::header::CONTENT_TYPE).is_some_and(|value| {
        value.as_bytes().starts_with(b"application/json") || value.as_bytes().starts_with(b"text/html")
    });
    if typed {
        return response;
    }
    match status {
        StatusCode::GATEWAY_TIMEOUT => ApiError::new(status, "TIMED_OUT", "The request took too long."),
        StatusCode::PAYLOAD_TOO_LARGE => {
            ApiError::new(status, "TOO_LARGE", "The body is larger than this route accepts.")
        }
        _ if status.is_server_error() => ApiError::internal(),
        _ => ApiError::new(
            status,
            "BAD_REQUEST",
            "The address or the query has a part this route can't read; /docs lists what it takes.",
        ),
    }
    .into_response()
}

fn on_panic(_: Box<dyn Any + Send>) -> Response {
    tracing::error!("a handler panicked; the panic's place is on the line before");
    ApiError::internal().into_response()
}
