//! The review page and REST: on an origin of its own for people, and, without any verb that opens something, beside the
//! MCP endpoint for agents.

mod actions;
mod events;
mod html;
mod rest;
mod session;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};
use http::HeaderMap;
use web::ApiError;

use crate::config::{Config, Settings};
use crate::record::{State, Store, StoreError};

use session::Sessions;
pub(crate) use session::SignedIn;

/// The name of the page's host: none other's cookies reach it.
const HOST: &str = "gateway.localhost";

/// Where the page is.
pub(crate) fn address(settings: &Settings) -> String {
    settings.page.clone().unwrap_or_else(|| format!("http://{HOST}:7412"))
}

/// Where the page listens unless it is told otherwise.
pub(crate) fn default_listen() -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], 7412))
}

/// A listener for the page, and the address people open.
///
/// # Errors
/// The address is taken, or is not this machine's own.
pub(crate) fn listen(address: SocketAddr) -> std::io::Result<(tokio::net::TcpListener, String)> {
    if !address.ip().is_loopback() {
        return Err(std::io::Error::other(
            "The review page listens on this machine's own addresses only; put a proxy with TLS in front of it.",
        ));
    }
    let listener = web::accept::listen(address)?;
    let port = listener.local_addr()?.port();
    Ok((listener, format!("http://{HOST}:{port}")))
}

/// Who is served.
#[derive(Clone, Debug)]
pub(crate) enum Face {
    /// People, who sign in.
    Page,
    /// Agents, at these hosts, with this token if there is one. Nothing can be opened here.
    Agents(Vec<String>, Option<String>),
}

/// What every handler has.
#[derive(Debug)]
struct Desk {
    config: Arc<Config>,
    store: Arc<Store>,
    face: Face,
    sessions: Sessions,
}

type Shared = axum::extract::State<Arc<Desk>>;

/// The page with REST, or REST alone.
pub(crate) fn router(config: Arc<Config>, store: Arc<Store>, face: Face) -> Router {
    let is_page = matches!(face, Face::Page);
    let desk = Arc::new(Desk { config, store, face, sessions: Sessions::default() });
    let mut router = Router::new()
        .route("/api/servers", get(rest::servers))
        .route("/api/servers/{server}", get(rest::server))
        .route("/api/servers/{server}/diff", get(rest::diff))
        .route("/api/servers/{server}/{verb}", post(rest::decide))
        .route("/api/events", get(events::stream));
    if is_page {
        router = router
            .route("/", get(html::overview))
            .route("/servers/{server}", get(html::server))
            .route("/sign-in", get(html::sign_in).post(actions::sign_in))
            .route("/sign-out", post(actions::sign_out))
            .route("/servers/{server}/decide", post(actions::decide))
            .route("/approve-by", post(actions::approve_by))
            .route("/gateway.css", get(html::style))
            .route("/gateway.js", get(html::script))
            .fallback(|| async { ApiError::not_found() })
            .layer(axum::middleware::from_fn(web::headers::secure));
    }
    router.layer(axum::extract::DefaultBodyLimit::max(1024 * 1024)).with_state(desk)
}

impl Desk {
    fn state(&self) -> Result<Arc<State>, ApiError> {
        self.store.read().map_err(|error| unavailable(&error))
    }

    /// The origin the request came to, if the page may be asked as that. The port is whatever it listens on.
    fn own_origin(&self, headers: &HeaderMap) -> Result<String, ApiError> {
        let host = web::host::requested(headers);
        let configured = web::host::authority(&address(&self.config.settings));
        let named = host.split_once(':').map_or(host.as_str(), |(name, _)| name) == HOST;
        if named || Some(&host) == configured.as_ref() {
            let scheme = if address(&self.config.settings).starts_with("https://") && !named {
                "https"
            } else {
                "http"
            };
            return Ok(format!("{scheme}://{host}"));
        }
        Err(ApiError::new(
            http::StatusCode::FORBIDDEN,
            "HOST",
            "The review page answers only to its own name; open it at the address that was printed.",
        ))
    }
}

fn unavailable(error: &StoreError) -> ApiError {
    tracing::error!(%error, "the state can't be used");
    ApiError::new(
        http::StatusCode::SERVICE_UNAVAILABLE,
        "UNAVAILABLE",
        "The state file can't be read or written. Nothing was changed.",
    )
}
