//! The pages.

use axum::Router;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use http::header;

use crate::http::App;
use crate::http::caller::Visitor;

/// The desk's pages.
pub fn desk_router() -> Router<App> {
    Router::new().route("/", get(desk)).route("/t/{id}", get(desk)).route("/proof.html", get(desk))
}

/// The console's pages.
pub fn console_router() -> Router<App> {
    Router::new()
}

/// Style sheets and icons.
pub fn files() -> Router<App> {
    Router::new()
}

async fn desk(visitor: Visitor) -> Response {
    let mut response = Html("<!doctype html><title>Quarantine</title>").into_response();
    if let Some(cookie) = visitor.cookie {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}
