//! The desk and its console: one listener, told apart by the host a request names.

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use http::request::Parts;
use http::{HeaderName, HeaderValue, StatusCode};
use tower::ServiceExt as _;
use web::{ApiError, host};

use crate::http::App;

/// Which face of the desk a request is for.
#[derive(Clone, Debug, Default)]
pub struct Face {
    /// True on the console's host.
    pub console: bool,
    /// The origin its own pages have.
    pub origin: String,
}

impl Face {
    /// The face that a request was sorted to.
    pub fn of(parts: &Parts) -> Face {
        parts.extensions.get::<Face>().cloned().unwrap_or_default()
    }
}

/// The hosts a desk answers to.
#[derive(Clone, Debug)]
pub struct Hosts {
    desk: Vec<(String, String)>,
    console: (String, String),
}

impl Hosts {
    /// The desk's public host and, where it listens on this machine, its loopback names; and the console's host.
    pub fn new(public_url: &str, console_url: &str, port: u16, loopback: bool) -> Hosts {
        let pair =
            |url: &str| (host::authority(url).unwrap_or_default(), host::origin(url).unwrap_or_default());
        let mut desk = vec![pair(public_url)];
        if loopback {
            desk.extend(
                ["localhost", "127.0.0.1", "[::1]"].map(|name| pair(&format!("http://{name}:{port}"))),
            );
        }
        Hosts { desk, console: pair(console_url) }
    }

    fn face(&self, host: &str) -> Option<Face> {
        let (console, origin) = &self.console;
        if host == console {
            return Some(Face { console: true, origin: origin.clone() });
        }
        let (_, origin) = self.desk.iter().find(|(name, _)| name == host)?;
        Some(Face { console: false, origin: origin.clone() })
    }
}

/// One router that sends each request to the face its host names.
pub fn sorted(app: App, desk: Router, console: Router) -> Router {
    Router::new()
        .fallback(|| async { ApiError::not_found() })
        .layer(middleware::from_fn_with_state((app, desk, console), sort))
}

async fn sort(
    State((app, desk, console)): State<(App, Router, Router)>,
    mut request: Request,
    _next: Next,
) -> Response {
    let Some(face) = app.hosts().face(&host::requested(request.headers())) else {
        return ApiError::new(
            StatusCode::MISDIRECTED_REQUEST,
            "UNKNOWN_HOST",
            "This desk does not answer to that host name; `--public-url` sets the one it does.",
        )
        .into_response();
    };
    let is_console = face.console;
    request.extensions_mut().insert(face);
    let mut response = if is_console { console } else { desk }.oneshot(request).await.into_response();
    if is_console {
        // No page of the console has or shows a tool to an agent.
        let none = HeaderValue::from_static("tools=()");
        response.headers_mut().insert(HeaderName::from_static("permissions-policy"), none);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_that_is_not_ours_has_no_face() {
        let hosts = Hosts::new("http://localhost:8080", "http://console.localhost:8080", 8080, true);
        assert!(hosts.face("console.localhost:8080").unwrap().console);
        assert!(!hosts.face("localhost:8080").unwrap().console);
        assert_eq!(hosts.face("127.0.0.1:8080").unwrap().origin, "http://127.0.0.1:8080");
        assert!(hosts.face("localhost:8081").is_none());
        assert!(hosts.face("evil.example").is_none());
        assert!(hosts.face("").is_none());
        let public = Hosts::new("https://desk.example", "https://console.example", 8080, false);
        assert!(public.face("localhost:8080").is_none());
    }
}
