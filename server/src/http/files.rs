//! Scripts, wasm, style sheets and icons: all embedded, all from our own origin.

use std::sync::LazyLock;

use axum::Router;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};

use crate::assets::{Asset, DESK_CONFIG, FILES};
use crate::http::App;

/// The desk's settings for its own widget, with the tool catalogue in it.
static DESK_SCRIPT: LazyLock<String> = LazyLock::new(|| {
    let tools = serde_json::to_string(&wire::catalogue::tools()).unwrap_or_default();
    DESK_CONFIG.replace("__TOOLS__", &tools)
});

/// Every embedded file at its address.
pub fn router() -> Router<App> {
    let files = FILES.into_iter().fold(Router::new(), |router, asset| {
        router.route(asset.path, get(async move |request: Request| file(asset, request.headers())))
    });
    files.route("/desk.js", get(desk_script)).merge(crate::pages::files())
}

async fn desk_script() -> Response {
    let mut response = DESK_SCRIPT.as_str().into_response();
    set(response.headers_mut(), header::CONTENT_TYPE, "text/javascript; charset=utf-8");
    set(response.headers_mut(), header::CACHE_CONTROL, "no-cache");
    response
}

fn file(asset: Asset, request: &HeaderMap) -> Response {
    let known = request.get(header::IF_NONE_MATCH).is_some_and(|tag| tag.as_bytes() == asset.etag.as_bytes());
    let gzip = request
        .get(header::ACCEPT_ENCODING)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|list| list.split(',').any(|one| one.trim().starts_with("gzip")));
    let mut response = if known {
        StatusCode::NOT_MODIFIED.into_response()
    } else if gzip {
        Bytes::from_static(asset.gzip).into_response()
    } else {
        Bytes::from_static(asset.body).into_response()
    };
    let headers = response.headers_mut();
    if gzip && !known {
        set(headers, header::CONTENT_ENCODING, "gzip");
    }
    set(headers, header::VARY, "accept-encoding");
    set(headers, header::CONTENT_TYPE, asset.content_type);
    set(headers, header::ETAG, asset.etag);
    // A path that names its content may be kept for good; one that doesn't is asked about each time.
    let keep = if asset.immutable { "public, max-age=31536000, immutable" } else { "no-cache" };
    set(headers, header::CACHE_CONTROL, keep);
    // The script tag stands on other sites too.
    set(headers, header::ACCESS_CONTROL_ALLOW_ORIGIN, "*");
    set(headers, http::HeaderName::from_static("cross-origin-resource-policy"), "cross-origin");
    response
}

fn set(headers: &mut HeaderMap, name: http::HeaderName, value: &'static str) {
    headers.insert(name, HeaderValue::from_static(value));
}
