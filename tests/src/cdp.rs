//! A connection to a browser's debugging port.
//!
//! Commands and events are plain JSON values: what a browser adds or leaves out from one version to the next can't make
//! this fail to read a message.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio::sync::{mpsc, oneshot};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

use crate::deadline::within;

/// The runtime that connections live on. A browser is shared by tests, each of which has a runtime of its own that
/// ends with it.
pub fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| {
        tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime for the browser's connection")
    })
}

/// Something the browser told of its own accord.
#[derive(Debug)]
pub struct Event {
    /// `Page.loadEventFired`, …
    pub method: String,
    /// As the browser sent them.
    pub params: Value,
}

/// Why the browser refused a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// JSON-RPC's code.
    pub code: i64,
    /// The browser's sentence.
    pub message: String,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} ({})", self.message, self.code)
    }
}

type Answer = Result<Value, Refused>;
type Listener = mpsc::UnboundedSender<Arc<Event>>;

#[derive(Debug, Default)]
struct Shared {
    next: AtomicU64,
    waiting: Mutex<HashMap<u64, oneshot::Sender<Answer>>>,
    listeners: Mutex<Vec<(String, Listener)>>,
}

/// A connection; clones share it.
#[derive(Clone, Debug)]
pub struct Cdp {
    out: mpsc::UnboundedSender<Message>,
    shared: Arc<Shared>,
}

impl Cdp {
    /// Connects to `ws://127.0.0.1:PORT/devtools/browser/…`.
    pub async fn connect(url: &str) -> Cdp {
        let url = url.to_owned();
        runtime().spawn(async move { Cdp::open(&url).await }).await.expect("a connection to the browser")
    }

    async fn open(url: &str) -> Cdp {
        // A screenshot or a full page of text is one message.
        let config = WebSocketConfig::default().max_message_size(None).max_frame_size(None);
        let (socket, _) = tokio_tungstenite::connect_async_with_config(url, Some(config), true)
            .await
            .unwrap_or_else(|error| panic!("the browser's debugging port does not answer: {error}"));
        let (mut write, mut read) = socket.split();
        let (out, mut queue) = mpsc::unbounded_channel();
        let shared = Arc::new(Shared::default());
        tokio::spawn(async move {
            while let Some(message) = queue.recv().await {
                if write.send(message).await.is_err() {
                    break;
                }
            }
        });
        let reading = Arc::clone(&shared);
        tokio::spawn(async move {
            while let Some(Ok(message)) = read.next().await {
                if let Message::Text(text) = message {
                    reading.receive(text.as_str());
                }
            }
            reading.close();
        });
        Cdp { out, shared }
    }

    /// The browser itself, as a session without a target.
    pub fn browser(&self) -> Session {
        Session { cdp: self.clone(), id: String::new() }
    }

    /// The session that `Target.attachToTarget` named.
    pub fn session(&self, id: &str) -> Session {
        Session { cdp: self.clone(), id: id.to_owned() }
    }
}

impl Shared {
    fn receive(&self, text: &str) {
        let Ok(message) = serde_json::from_str::<Value>(text) else { return };
        if let Some(id) = message["id"].as_u64() {
            let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
            if let Some(waiting) = waiting {
                let _ = waiting.send(answer(message));
            }
            return;
        }
        let session = message["sessionId"].as_str().unwrap_or_default();
        let event = Arc::new(Event {
            method: message["method"].as_str().unwrap_or_default().to_owned(),
            params: message["params"].clone(),
        });
        let mut listeners = self.listeners.lock().unwrap_or_else(PoisonError::into_inner);
        listeners.retain(|(of, listener)| of != session || listener.send(Arc::clone(&event)).is_ok());
    }

    fn close(&self) {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

fn answer(mut message: Value) -> Answer {
    match message.get("error") {
        Some(error) => Err(Refused {
            code: error["code"].as_i64().unwrap_or_default(),
            message: error["message"].as_str().unwrap_or_default().to_owned(),
        }),
        None => Ok(message["result"].take()),
    }
}

/// Commands to one target, and its events.
#[derive(Clone, Debug)]
pub struct Session {
    cdp: Cdp,
    id: String,
}

impl Session {
    /// The connection it belongs to.
    pub fn cdp(&self) -> &Cdp {
        &self.cdp
    }

    /// Sends a command and waits for its answer.
    pub async fn call(&self, method: &str, params: Value) -> Answer {
        let receiver = self.send(method, params);
        match within(method, receiver).await {
            Ok(answer) => answer,
            Err(_) => Err(Refused {
                code: 0,
                message: format!("the browser closed the connection during {method}"),
            }),
        }
    }

    /// As [`Session::call`], for commands that can't be refused.
    pub async fn must(&self, method: &str, params: Value) -> Value {
        match self.call(method, params).await {
            Ok(result) => result,
            Err(refused) => panic!("{method}: {refused}"),
        }
    }

    /// Sends a command; the answer comes on the channel.
    pub fn send(&self, method: &str, params: Value) -> oneshot::Receiver<Answer> {
        let id = self.cdp.shared.next.fetch_add(1, Ordering::Relaxed);
        let mut message = json!({"id": id, "method": method, "params": params});
        if !self.id.is_empty() {
            message["sessionId"] = json!(self.id);
        }
        let (sender, receiver) = oneshot::channel();
        self.cdp.shared.waiting.lock().unwrap_or_else(PoisonError::into_inner).insert(id, sender);
        if self.cdp.out.send(Message::text(message.to_string())).is_err() {
            self.cdp.shared.close();
        }
        receiver
    }

    /// Every event of this target from now on.
    pub fn events(&self) -> mpsc::UnboundedReceiver<Arc<Event>> {
        let (sender, receiver) = mpsc::unbounded_channel();
        let mut listeners = self.cdp.shared.listeners.lock().unwrap_or_else(PoisonError::into_inner);
        listeners.push((self.id.clone(), sender));
        receiver
    }
}
