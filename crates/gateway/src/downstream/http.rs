//! The endpoint over HTTP: streamable HTTP of both eras on one address.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body as HttpBody;
use axum::extract::{DefaultBodyLimit, State};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use futures_util::stream;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use subtle::ConstantTimeEq as _;
use tokio::sync::mpsc;
use web::ApiError;

use super::gateway::Gateway;
use super::session::{Session, Sink};
use crate::pin::json::members;
use crate::rpc::{self, Body, Message, code, edit};
use crate::upstream::MODERN;

/// The longest message a host may send.
const LONGEST: usize = 16 * 1024 * 1024;

/// How long a session may be silent.
const IDLE: Duration = Duration::from_secs(3600);

/// How many sessions there may be at once.
const MOST: usize = 1000;

#[derive(Debug)]
struct Talk {
    session: Arc<Session>,
    standing: Arc<tokio::sync::Mutex<mpsc::Receiver<String>>>,
    used: Instant,
}

#[derive(Debug)]
struct Face {
    gateway: Arc<Gateway>,
    /// The hosts this endpoint answers to.
    hosts: Vec<String>,
    token: Option<String>,
    talks: Mutex<HashMap<String, Talk>>,
}

/// The endpoint at `/mcp`. `hosts` are the `host:port` it may be asked as; a page of any other origin is refused.
pub(crate) fn router(gateway: Arc<Gateway>, hosts: Vec<String>, token: Option<String>) -> Router {
    let face = Arc::new(Face { gateway, hosts, token, talks: Mutex::default() });
    Router::new()
        .route("/mcp", post(take).get(standing).delete(end))
        .layer(DefaultBodyLimit::max(LONGEST))
        .with_state(face)
}

impl Face {
    fn admit(&self, headers: &HeaderMap) -> Result<(), ApiError> {
        let refused = |code, says: &str| Err(ApiError::new(StatusCode::FORBIDDEN, code, says));
        let host = web::host::requested(headers);
        if !self.hosts.contains(&host) {
            return refused("HOST", "The gateway does not answer to this host name.");
        }
        if let Some(origin) = headers.get(header::ORIGIN) {
            let own = self.hosts.iter().any(|host| origin.as_bytes() == format!("http://{host}").as_bytes());
            if !own {
                return refused("CROSS_ORIGIN", "Pages of other origins may not use the gateway.");
            }
        }
        if let Some(token) = &self.token {
            let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
            let given = given.and_then(|value| value.strip_prefix("Bearer ")).unwrap_or("");
            if !bool::from(given.as_bytes().ct_eq(token.as_bytes())) {
                return Err(ApiError::new(
                    StatusCode::UNAUTHORIZED,
                    "TOKEN",
                    "The gateway's token is needed.",
                ));
            }
        }
        Ok(())
    }

    fn talks(&self) -> std::sync::MutexGuard<'_, HashMap<String, Talk>> {
        let mut talks = self.talks.lock().unwrap_or_else(PoisonError::into_inner);
        let gone: Vec<String> =
            talks.iter().filter(|(_, talk)| talk.used.elapsed() > IDLE).map(|(id, _)| id.clone()).collect();
        for id in gone {
            if let Some(talk) = talks.remove(&id) {
                self.gateway.leave(&talk.session);
            }
        }
        talks
    }

    fn talk_of(&self, headers: &HeaderMap) -> Result<Arc<Session>, ApiError> {
        let missing = || {
            ApiError::new(
                StatusCode::BAD_REQUEST,
                "SESSION",
                "Mcp-Session-Id is missing; begin with initialize.",
            )
        };
        let id = headers.get("mcp-session-id").and_then(|id| id.to_str().ok()).ok_or_else(missing)?;
        let mut talks = self.talks();
        let talk = talks.get_mut(id).ok_or_else(ApiError::not_found)?;
        talk.used = Instant::now();
        Ok(Arc::clone(&talk.session))
    }
}

async fn take(State(face): State<Arc<Face>>, headers: HeaderMap, body: Bytes) -> Result<Response, ApiError> {
    face.admit(&headers)?;
    let bad = |code, says| problem(StatusCode::BAD_REQUEST, "null", code, says);
    let Ok(text) = std::str::from_utf8(&body) else {
        return Ok(bad(code::PARSE, "This is not UTF-8."));
    };
    match Message::read(text) {
        None => Ok(bad(code::INVALID_REQUEST, "The body must be one JSON-RPC message.")),
        Some(Message::Request { id, method, params }) => {
            if is_modern(&headers, params) {
                if let Err(says) = headers_agree(&headers, &method, params) {
                    return Ok(problem(StatusCode::BAD_REQUEST, id, code::HEADER_MISMATCH, says));
                }
                Ok(modern(&face, id, text).await)
            } else if method == "initialize" {
                initialize(&face, id, text).await
            } else {
                let session = face.talk_of(&headers)?;
                let (sink, texts) = mpsc::channel(256);
                face.gateway.take(&session, text, &sink).await;
                drop(sink);
                Ok(answer(id, texts, StatusCode::OK, None).await)
            }
        }
        Some(_) => {
            if headers.get("mcp-protocol-version").is_some_and(|version| version == MODERN) {
                return Ok(StatusCode::ACCEPTED.into_response());
            }
            let session = face.talk_of(&headers)?;
            let (sink, _texts) = mpsc::channel(1);
            face.gateway.take(&session, text, &sink).await;
            Ok(StatusCode::ACCEPTED.into_response())
        }
    }
}

fn problem(status: StatusCode, id: &str, code: i64, says: &str) -> Response {
    json(status, rpc::response(id, &rpc::error(code, says)))
}

fn json(status: StatusCode, text: String) -> Response {
    (status, [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], text).into_response()
}

fn is_modern(headers: &HeaderMap, params: Option<&str>) -> bool {
    let header = headers.get("mcp-protocol-version").is_some_and(|version| version == MODERN);
    let inside =
        params.and_then(members).and_then(|all| all.one("_meta")).and_then(members).is_some_and(|meta| {
            meta.0.iter().any(|(name, _)| name == "io.modelcontextprotocol/protocolVersion")
        });
    header || inside
}

/// The headers of 2026-07-28 must say what the body says, so that nothing on the way is told otherwise.
fn headers_agree(headers: &HeaderMap, method: &str, params: Option<&str>) -> Result<(), &'static str> {
    let header = |name: &str| {
        let value = headers.get(name)?.to_str().ok()?;
        match value.strip_prefix("=?base64?").and_then(|value| value.strip_suffix("?=")) {
            Some(encoded) => String::from_utf8(STANDARD.decode(encoded).ok()?).ok(),
            None => Some(value.to_owned()),
        }
    };
    let meta = params.and_then(members).and_then(|all| all.one("_meta"));
    let version = meta.and_then(|meta| edit::string(meta, "io.modelcontextprotocol/protocolVersion"));
    if header("mcp-protocol-version") != version {
        return Err("MCP-Protocol-Version and the body's _meta differ.");
    }
    if header("mcp-method").as_deref() != Some(method) {
        return Err("Mcp-Method and the body's method differ.");
    }
    let named = match method {
        "tools/call" | "prompts/get" => Some("name"),
        "resources/read" => Some("uri"),
        _ => None,
    };
    if let Some(member) = named
        && header("mcp-name") != params.and_then(|params| edit::string(params, member))
    {
        return Err("Mcp-Name and the body differ.");
    }
    Ok(())
}

/// A request that is a conversation of its own.
async fn modern(face: &Arc<Face>, id: &str, text: &str) -> Response {
    let (sink, texts) = mpsc::channel(256);
    let session = face.gateway.join(sink.clone(), true);
    face.gateway.take(&session, text, &sink).await;
    drop(sink);
    let guest = Guest { gateway: Arc::clone(&face.gateway), session };
    answer(id, texts, StatusCode::OK, Some(guest)).await
}

/// Takes the conversation of one request away when its stream ends.
struct Guest {
    gateway: Arc<Gateway>,
    session: Arc<Session>,
}

impl Drop for Guest {
    fn drop(&mut self) {
        self.gateway.leave(&self.session);
    }
}

async fn initialize(face: &Arc<Face>, id: &str, text: &str) -> Result<Response, ApiError> {
    if face.talks().len() >= MOST {
        return Err(ApiError::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "TOO_MANY",
            "Too many sessions are open.",
        ));
    }
    let (standing, waiting) = mpsc::channel(256);
    let session = face.gateway.join(standing, false);
    let (sink, texts): (Sink, _) = mpsc::channel(16);
    face.gateway.take(&session, text, &sink).await;
    drop(sink);
    let mut response = answer(id, texts, StatusCode::OK, None).await;
    if session.asking().is_none() {
        face.gateway.leave(&session);
        return Ok(response);
    }
    let name = web::token::random();
    if let Ok(value) = HeaderValue::try_from(&name) {
        response.headers_mut().insert("mcp-session-id", value);
    }
    let standing = Arc::new(tokio::sync::Mutex::new(waiting));
    face.talks().insert(name, Talk { session, standing, used: Instant::now() });
    Ok(response)
}

/// One JSON text if the answer is the first thing to say, else a stream that ends with it.
async fn answer(
    id: &str,
    mut texts: mpsc::Receiver<String>,
    status: StatusCode,
    guest: Option<Guest>,
) -> Response {
    let is_last = |text: &str, id: &str| matches!(Message::read(text), Some(Message::Response { id: of, .. }) if of == id || of == "null");
    let Some(first) = texts.recv().await else {
        // Cancelled: there is nothing to say.
        return StatusCode::ACCEPTED.into_response();
    };
    if is_last(&first, id) {
        let unknown = matches!(
            Message::read(&first),
            Some(Message::Response { body: Body::Error(error), .. })
                if guest.is_some() && error.starts_with(&format!("{{\"code\":{},", code::METHOD_NOT_FOUND))
        );
        let refused = matches!(
            Message::read(&first),
            Some(Message::Response { body: Body::Error(error), .. })
                if error.starts_with(&format!("{{\"code\":{},", code::UNSUPPORTED_VERSION))
        );
        let status = match (unknown, refused) {
            (true, _) => StatusCode::NOT_FOUND,
            (_, true) => StatusCode::BAD_REQUEST,
            _ => status,
        };
        return json(status, first);
    }
    let id = id.to_owned();
    let events =
        stream::unfold((Some(first), texts, guest, false), move |(first, mut texts, guest, done)| {
            let id = id.clone();
            async move {
                if done {
                    return None;
                }
                let text = match first {
                    Some(text) => text,
                    None => texts.recv().await?,
                };
                let done = is_last(&text, &id);
                Some((Ok::<_, Infallible>(event(&text)), (None, texts, guest, done)))
            }
        });
    events_response(HttpBody::from_stream(events))
}

fn event(text: &str) -> Bytes {
    Bytes::from(format!("event: message\ndata: {}\n\n", text.replace(['\n', '\r'], " ")))
}

fn events_response(body: HttpBody) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (http::HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
    ];
    (headers, body).into_response()
}

/// What belongs to no request, for a host with a session. One reader at a time.
async fn standing(State(face): State<Arc<Face>>, headers: HeaderMap) -> Result<Response, ApiError> {
    face.admit(&headers)?;
    if headers.get("mcp-protocol-version").is_some_and(|version| version == MODERN) {
        return Ok(StatusCode::METHOD_NOT_ALLOWED.into_response());
    }
    let session = face.talk_of(&headers)?;
    let waiting = face
        .talks()
        .values()
        .find(|talk| Arc::ptr_eq(&talk.session, &session))
        .map(|talk| Arc::clone(&talk.standing));
    let waiting = waiting.ok_or_else(ApiError::not_found)?;
    let Ok(texts) = waiting.try_lock_owned() else {
        return Err(ApiError::new(
            StatusCode::CONFLICT,
            "STREAM_OPEN",
            "This session's stream is open already.",
        ));
    };
    let events = stream::unfold(texts, |mut texts| async move {
        let bytes = tokio::select! {
            text = texts.recv() => event(&text?),
            () = tokio::time::sleep(Duration::from_secs(15)) => Bytes::from_static(b":\n\n"),
        };
        Some((Ok::<_, Infallible>(bytes), texts))
    });
    Ok(events_response(HttpBody::from_stream(events)))
}

async fn end(State(face): State<Arc<Face>>, headers: HeaderMap) -> Result<Response, ApiError> {
    face.admit(&headers)?;
    let session = face.talk_of(&headers)?;
    face.talks().retain(|_, talk| !Arc::ptr_eq(&talk.session, &session));
    face.gateway.leave(&session);
    Ok(StatusCode::NO_CONTENT.into_response())
}
