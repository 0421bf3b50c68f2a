//! The pages.

use axum::Router;

use crate::http::App;

/// The desk's pages.
pub fn desk_router() -> Router<App> {
    Router::new()
}

/// The console's pages.
pub fn console_router() -> Router<App> {
    Router::new()
}

/// Style sheets and icons.
pub fn files() -> Router<App> {
    Router::new()
}
