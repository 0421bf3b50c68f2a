//! A server at an address: streamable HTTP, of both eras.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::{HeaderName, HeaderValue, Method, Request, StatusCode, Uri, header};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use tokio::sync::mpsc;
use tokio::task::AbortHandle;

use super::connection::{Connection, FromServer, Wire};
use super::greet::MODERN;
use super::sse::Events;
use crate::config::{Limits, Remote};
use crate::rpc::{self, code, edit};

type HttpClient = Client<HttpsConnector<HttpConnector>, Full<Bytes>>;

/// What is known of the conversation.
#[derive(Clone, Debug, Default)]
struct Talk {
    session: Option<HeaderValue>,
    version: Option<HeaderValue>,
}

/// Posts messages and reads what comes back.
#[derive(Debug)]
pub(super) struct HttpWire {
    client: HttpClient,
    uri: Uri,
    headers: Vec<(HeaderName, HeaderValue)>,
    talk: Arc<Mutex<Talk>>,
    open: Arc<Mutex<HashMap<u64, AbortHandle>>>,
}

/// A connection to an address. Nothing is sent yet.
///
/// # Errors
/// The address or a header can't be used.
pub(super) fn start(
    remote: &Remote,
    limits: Limits,
    said: mpsc::Sender<FromServer>,
) -> std::io::Result<Connection> {
    let wrong = |what: &'static str| move || std::io::Error::new(std::io::ErrorKind::InvalidInput, what);
    let connector = HttpsConnectorBuilder::new()
        .with_provider_and_webpki_roots(rustls::crypto::ring::default_provider())
        .map_err(|_| wrong("TLS can't be used")())?
        .https_or_http()
        .enable_http1()
        .build();
    let wire = HttpWire {
        client: Client::builder(TokioExecutor::new()).build(connector),
        uri: remote.url.parse().map_err(|_| wrong("its url can't be used")())?,
        headers: read_headers(&remote.headers).ok_or_else(wrong("one of its headers can't be used"))?,
        talk: Arc::default(),
        open: Arc::default(),
    };
    Ok(Connection::new(Wire::Http(Box::new(wire)), limits, said))
}

fn read_headers(headers: &BTreeMap<String, String>) -> Option<Vec<(HeaderName, HeaderValue)>> {
    headers
        .iter()
        .map(|(name, value)| {
            let mut value = HeaderValue::try_from(value).ok()?;
            value.set_sensitive(true);
            Some((HeaderName::try_from(name).ok()?, value))
        })
        .collect()
}

/// A value as the 2026-07-28 revision writes it into a header.
pub(super) fn header_text(text: &str) -> String {
    let plain = !text.is_empty()
        && text.bytes().all(|byte| (0x20..0x7f).contains(&byte))
        && text.trim() == text
        && !(text.starts_with("=?base64?") && text.ends_with("?="));
    if plain { text.to_owned() } else { format!("=?base64?{}?=", STANDARD.encode(text)) }
}

impl HttpWire {
    fn talk(&self) -> Talk {
        self.talk.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// From now on every request names this version.
    pub(super) fn speak(&self, version: &str) {
        self.talk.lock().unwrap_or_else(PoisonError::into_inner).version =
            HeaderValue::try_from(version).ok();
    }

    fn build(&self, method: Method, talk: &Talk, body: String) -> Option<Request<Full<Bytes>>> {
        let mut request = Request::builder()
            .method(method)
            .uri(self.uri.clone())
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::ACCEPT, "application/json, text/event-stream")
            .header(header::USER_AGENT, concat!("quarantine-gateway/", env!("CARGO_PKG_VERSION")));
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        if let Some(session) = &talk.session {
            request = request.header("mcp-session-id", session);
        }
        if let Some(version) = &talk.version {
            request = request.header("mcp-protocol-version", version);
        }
        request.body(Full::new(Bytes::from(body))).ok()
    }

    /// Posts a request; its answer comes to the connection.
    pub(super) fn request(
        &self,
        connection: &Connection,
        id: u64,
        method: &str,
        params: Option<&str>,
        text: String,
    ) {
        let talk = self.talk();
        let modern = talk.version.as_ref().is_some_and(|version| version.as_bytes() == MODERN.as_bytes());
        let request = self.build(Method::POST, &talk, text).and_then(|mut request| {
            if modern {
                let headers = request.headers_mut();
                headers.insert("mcp-method", HeaderValue::try_from(method).ok()?);
                let named = match method {
                    "tools/call" | "prompts/get" => Some("name"),
                    "resources/read" => Some("uri"),
                    _ => None,
                };
                if let Some(name) = named.and_then(|member| edit::string(params?, member)) {
                    headers.insert("mcp-name", HeaderValue::try_from(header_text(&name)).ok()?);
                }
            }
            Some(request)
        });
        let Some(request) = request else {
            connection.fail(id, rpc::error(code::INTERNAL, "The request can't be sent."));
            return;
        };
        let (client, connection) = (self.client.clone(), connection.clone());
        let (keep, open) = (Arc::clone(&self.talk), Arc::clone(&self.open));
        let first = method == "initialize";
        let task = tokio::spawn(async move {
            match client.request(request).await {
                Ok(response) => {
                    if first {
                        let session = response.headers().get("mcp-session-id").cloned();
                        keep.lock().unwrap_or_else(PoisonError::into_inner).session = session;
                    }
                    let gone = response.status() == StatusCode::NOT_FOUND && talk.session.is_some();
                    receive(response, &connection).await;
                    if gone {
                        connection.close("it has forgotten the session");
                    }
                    // An answer that never came is an answer too.
                    connection.fail(id, rpc::error(code::UNAVAILABLE, "The server gave no answer."));
                }
                Err(error) if error.is_connect() => connection.close("its address can't be reached"),
                Err(_) => {
                    connection.fail(id, rpc::error(code::UNAVAILABLE, "The server cut the connection."))
                }
            }
            open.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
        });
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if !task.is_finished() {
            open.insert(id, task.abort_handle());
        }
    }

    /// Nobody waits for this request any more: its stream is closed, which a modern server reads as a cancel.
    pub(super) fn forget(&self, id: u64) {
        if let Some(task) = self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(&id) {
            task.abort();
        }
    }

    /// Posts something that has no answer.
    pub(super) fn post(&self, connection: &Connection, text: String) {
        let Some(request) = self.build(Method::POST, &self.talk(), text) else { return };
        let (client, connection) = (self.client.clone(), connection.clone());
        tokio::spawn(async move {
            if let Ok(response) = client.request(request).await
                && response.status().is_success()
            {
                receive(response, &connection).await;
            }
        });
    }

    /// Listens to what the server says by itself (2025-03-26 to 2025-11-25); a server may have no such stream.
    pub(super) fn listen(&self, connection: &Connection) {
        let Some(request) = self.build(Method::GET, &self.talk(), String::new()) else { return };
        let (client, connection) = (self.client.clone(), connection.clone());
        tokio::spawn(async move {
            let received = async {
                if let Ok(response) = client.request(request).await
                    && response.status().is_success()
                {
                    receive(response, &connection).await;
                }
            };
            tokio::select! {
                () = received => {}
                _ = connection.closed() => {}
            }
        });
    }

    /// Tells the server that the session is over.
    pub(super) fn part(&self) {
        let talk = self.talk();
        if talk.session.is_none() {
            return;
        }
        if let Some(request) = self.build(Method::DELETE, &talk, String::new()) {
            let client = self.client.clone();
            tokio::spawn(async move {
                let _ = client.request(request).await;
            });
        }
    }
}

/// Reads a response, one JSON text or a stream of them, and hands every message to the connection.
async fn receive(response: http::Response<Incoming>, connection: &Connection) {
    let longest = connection.limits().message_bytes;
    let kind = response.headers().get(header::CONTENT_TYPE).map(|kind| kind.as_bytes().to_vec());
    let stream = kind.is_some_and(|kind| kind.starts_with(b"text/event-stream"));
    let mut body = response.into_body();
    let mut events = Events::default();
    let mut whole: Vec<u8> = Vec::new();
    while let Some(Ok(frame)) = body.frame().await {
        let Ok(data) = frame.into_data() else { continue };
        if stream {
            match events.feed(&data, longest) {
                Ok(texts) => {
                    texts.iter().filter(|text| !text.is_empty()).for_each(|text| connection.take(text))
                }
                Err(_) => {
                    connection.close("it sent a message larger than the limit");
                    return;
                }
            }
        } else if whole.len() + data.len() > longest {
            connection.close("it sent a message larger than the limit");
            return;
        } else {
            whole.extend_from_slice(&data);
        }
    }
    if let (false, Ok(text)) = (whole.is_empty(), std::str::from_utf8(&whole)) {
        connection.take(text);
    }
}

#[cfg(test)]
mod tests {
    use super::header_text;

    #[test]
    fn the_samples_of_the_revision_come_out_as_it_says() {
        assert_eq!(header_text("us-west1"), "us-west1");
        assert_eq!(header_text("Hello, 世界"), "=?base64?SGVsbG8sIOS4lueVjA==?=");
        assert_eq!(header_text(" padded "), "=?base64?IHBhZGRlZCA=?=");
        assert_eq!(header_text("line1\nline2"), "=?base64?bGluZTEKbGluZTI=?=");
        assert_eq!(header_text("=?base64?literal?="), "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=");
    }
}
