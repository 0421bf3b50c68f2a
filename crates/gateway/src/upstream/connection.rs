//! One connection to one server: requests that wait for their answer, and what the server says of itself.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot, watch};

use super::bucket::Bucket;
use super::http::HttpWire;
use crate::config::Limits;
use crate::rpc::{self, Body, Message, code};

/// Something a server says without being asked.
#[derive(Debug)]
pub(crate) enum FromServer {
    Request { id: String, method: String, params: Option<String> },
    Notification { method: String, params: Option<String> },
}

/// Why a call has no answer of the server's.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(crate) enum CallError {
    #[error("The server stopped before it answered.")]
    Closed,
    #[error("The server did not answer in time.")]
    TimedOut,
    #[error("Too many calls to this server are open.")]
    Busy,
}

impl CallError {
    /// The error an agent gets.
    pub(crate) fn body(&self) -> Body<String> {
        let code = match self {
            CallError::TimedOut => code::TIMEOUT,
            CallError::Closed | CallError::Busy => code::UNAVAILABLE,
        };
        rpc::error(code, &self.to_string())
    }
}

/// How messages reach the server.
#[derive(Debug)]
pub(super) enum Wire {
    Lines(mpsc::Sender<String>),
    Http(Box<HttpWire>),
}

#[derive(Debug)]
struct Inner {
    wire: Wire,
    limits: Limits,
    next: AtomicU64,
    waiting: Mutex<HashMap<u64, oneshot::Sender<Body<String>>>>,
    /// Why it is over, once it is.
    over: watch::Sender<Option<&'static str>>,
    said: mpsc::Sender<FromServer>,
    bucket: Bucket,
    /// Lines that were no message, and answers to nothing.
    nonsense: AtomicU64,
    last_sign: Mutex<Instant>,
    room: Arc<Semaphore>,
    /// True once nothing of it is left running.
    gone: watch::Sender<bool>,
}

/// How much nonsense is put up with. Some servers print a greeting to their standard output.
const MOST_NONSENSE: u64 = 1000;

/// A connection; its copies are the same one.
#[derive(Clone, Debug)]
pub(crate) struct Connection(Arc<Inner>);

/// A request that was sent.
#[derive(Debug)]
pub(crate) struct Ticket {
    connection: Connection,
    /// Its id on the server's side.
    pub(crate) id: u64,
    answer: oneshot::Receiver<Body<String>>,
    _room: OwnedSemaphorePermit,
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.connection.waiting().remove(&self.id);
        if let Wire::Http(http) = &self.connection.0.wire {
            http.forget(self.id);
        }
    }
}

impl Connection {
    pub(super) fn new(wire: Wire, limits: Limits, said: mpsc::Sender<FromServer>) -> Connection {
        Connection(Arc::new(Inner {
            wire,
            limits,
            next: AtomicU64::new(1),
            waiting: Mutex::new(HashMap::new()),
            over: watch::Sender::new(None),
            said,
            bucket: Bucket::new(limits.messages_per_second),
            nonsense: AtomicU64::new(0),
            last_sign: Mutex::new(Instant::now()),
            room: Arc::new(Semaphore::new(limits.open_calls.clamp(1, 10_000))),
            gone: watch::Sender::new(false),
        }))
    }

    fn waiting(&self) -> std::sync::MutexGuard<'_, HashMap<u64, oneshot::Sender<Body<String>>>> {
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn wire(&self) -> &Wire {
        &self.0.wire
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// Ends it; every open request gets an error. The first reason stays.
    pub(super) fn close(&self, why: &'static str) {
        self.0.over.send_if_modified(|over| {
            let first = over.is_none();
            if first {
                *over = Some(why);
            }
            first
        });
        self.waiting().clear();
    }

    /// Resolves when it is over, with the reason.
    pub(crate) async fn closed(&self) -> &'static str {
        let mut over = self.0.over.subscribe();
        match over.wait_for(Option::is_some).await {
            Ok(why) => why.unwrap_or("it stopped"),
            Err(_) => "it stopped",
        }
    }

    /// Nothing of the program is left.
    pub(super) fn set_gone(&self) {
        self.0.gone.send_replace(true);
    }

    /// Resolves when nothing of the program is left; at once for an address.
    pub(crate) async fn gone(&self) {
        if let Wire::Lines(_) = &self.0.wire {
            let mut gone = self.0.gone.subscribe();
            let _ = gone.wait_for(|gone| *gone).await;
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.0.over.borrow().is_some()
    }

    /// Sends a request.
    ///
    /// # Errors
    /// The connection is over, or as many calls are open as may be.
    pub(crate) async fn send(&self, method: &str, params: Option<&str>) -> Result<Ticket, CallError> {
        let room = Arc::clone(&self.0.room).try_acquire_owned().map_err(|_| CallError::Busy)?;
        let id = self.0.next.fetch_add(1, Ordering::Relaxed);
        let (answer, answered) = oneshot::channel();
        self.waiting().insert(id, answer);
        let ticket = Ticket { connection: self.clone(), id, answer: answered, _room: room };
        if self.is_over() {
            return Err(CallError::Closed);
        }
        let text = rpc::request(&id.to_string(), method, params);
        match &self.0.wire {
            Wire::Lines(lines) => lines.send(text).await.map_err(|_| CallError::Closed)?,
            Wire::Http(http) => http.request(self, id, method, params, text),
        }
        Ok(ticket)
    }

    /// Sends a request and waits for its answer as long as the server shows signs of life.
    ///
    /// # Errors
    /// The server stopped, or took longer than `patience`.
    pub(crate) async fn ask(
        &self,
        method: &str,
        params: Option<&str>,
        patience: Duration,
    ) -> Result<Body<String>, CallError> {
        let ticket = self.send(method, params).await?;
        ticket.wait(patience).await
    }

    /// Says something that has no answer. A server that does not read it loses it.
    pub(crate) async fn tell(&self, method: &str, params: Option<&str>) {
        let text = rpc::notification(method, params);
        self.put(text).await;
    }

    /// Answers a request of the server's.
    pub(crate) async fn answer(&self, id: &str, body: &Body<String>) {
        self.put(rpc::response(id, body)).await;
    }

    async fn put(&self, text: String) {
        match &self.0.wire {
            Wire::Lines(lines) => {
                let _ = tokio::time::timeout(Duration::from_secs(5), lines.send(text)).await;
            }
            Wire::Http(http) => http.post(self, text),
        }
    }

    /// Takes a message from the server.
    pub(super) fn take(&self, text: &str) {
        match Message::read(text) {
            Some(Message::Response { id, body }) => {
                let waiting = id.parse().ok().and_then(|id: u64| self.waiting().remove(&id));
                match waiting {
                    Some(waiting) => {
                        let body = match body {
                            Body::Result(result) => Body::Result(result.to_owned()),
                            Body::Error(error) => Body::Error(error.to_owned()),
                        };
                        // Whoever asked may have gone.
                        let _ = waiting.send(body);
                    }
                    None => self.nonsense(),
                }
            }
            Some(Message::Request { id, method, params }) => {
                if self.0.bucket.take() {
                    let request = FromServer::Request {
                        id: id.to_owned(),
                        method: method.into_owned(),
                        params: params.map(str::to_owned),
                    };
                    if self.0.said.try_send(request).is_err() {
                        tracing::debug!("a request of a server was dropped");
                    }
                } else {
                    self.nonsense();
                }
            }
            Some(Message::Notification { method, params }) => {
                if method == "notifications/progress" {
                    *self.0.last_sign.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
                }
                if self.0.bucket.take() {
                    let _ = self.0.said.try_send(FromServer::Notification {
                        method: method.into_owned(),
                        params: params.map(str::to_owned),
                    });
                }
            }
            None => self.nonsense(),
        }
    }

    /// Counts something that should not have been said; ends the connection when there is too much of it.
    pub(super) fn nonsense(&self) {
        if self.0.nonsense.fetch_add(1, Ordering::Relaxed) == MOST_NONSENSE {
            self.close("it sends what is no answer to anything");
        }
    }

    pub(super) fn fail(&self, id: u64, body: Body<String>) {
        if let Some(waiting) = self.waiting().remove(&id) {
            let _ = waiting.send(body);
        }
    }
}

impl Ticket {
    /// Waits for the answer. Progress counts as a sign of life.
    ///
    /// # Errors
    /// The server stopped, or was silent for longer than `patience`.
    pub(crate) async fn wait(mut self, patience: Duration) -> Result<Body<String>, CallError> {
        let started = Instant::now();
        loop {
            let sign = *self.connection.0.last_sign.lock().unwrap_or_else(PoisonError::into_inner);
            let until = sign.max(started) + patience;
            tokio::select! {
                answer = &mut self.answer => return answer.map_err(|_| CallError::Closed),
                () = tokio::time::sleep_until(until.into()) => {
                    let sign = *self.connection.0.last_sign.lock().unwrap_or_else(PoisonError::into_inner);
                    if sign + patience <= Instant::now() {
                        let params = format!("{{\"requestId\":{},\"reason\":\"timed out\"}}", self.id);
                        self.connection.tell("notifications/cancelled", Some(&params)).await;
                        return Err(CallError::TimedOut);
                    }
                }
            }
        }
    }
}
