//! One host's conversation: its open calls, what servers asked it, what it subscribed to.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use tokio::sync::{Notify, mpsc};

use crate::pin::json::quoted;
use crate::upstream::{Asking, Connection, Era};

/// Where texts for the host go.
pub(crate) type Sink = mpsc::Sender<String>;

/// A request of the host's that has no answer yet.
#[derive(Debug)]
pub(crate) struct OpenCall {
    /// Which server has it, and under which id; once it was passed on.
    pub(super) at: Option<(usize, u64)>,
    pub(super) cancel: Arc<Notify>,
    pub(super) sink: Sink,
    /// The progress token as the server knows it, and as the host does.
    pub(super) token: Option<(String, String)>,
}

/// A request of a server's that the host has not answered yet.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) server: usize,
    pub(super) connection: Connection,
    /// The server's id for it; `None` if the gateway itself asked on the server's behalf.
    pub(super) id: String,
    /// Where the answer goes if the gateway waits for it.
    pub(super) answer: Option<tokio::sync::oneshot::Sender<crate::rpc::Body<String>>>,
}

/// A stream that a 2026-07-28 host asked for.
#[derive(Clone, Debug)]
pub(super) struct Listening {
    /// The id of its request, which marks everything on it.
    pub(super) id: String,
    pub(super) kinds: HashSet<String>,
    pub(super) uris: HashSet<String>,
    pub(super) sink: Sink,
}

/// A host.
#[derive(Debug)]
pub(crate) struct Session {
    pub(super) number: u64,
    /// What it said of itself, once it did.
    asking: RwLock<Option<Asking>>,
    /// Where what belongs to no call goes.
    standing: Sink,
    pub(super) open: Mutex<HashMap<String, OpenCall>>,
    pub(super) asked: Mutex<HashMap<String, Asked>>,
    pub(super) subscribed: Mutex<HashSet<String>>,
    pub(super) listening: Mutex<Vec<Listening>>,
    /// The lists it was shown: only their changes are news to it.
    pub(super) shown: Mutex<HashSet<&'static str>>,
    next: AtomicU64,
    /// True if the end of a call's stream is the host's way to cancel it.
    pub(super) stream_is_call: bool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Session {
    pub(super) fn new(number: u64, standing: Sink, stream_is_call: bool) -> Session {
        Session {
            number,
            asking: RwLock::new(None),
            standing,
            open: Mutex::default(),
            asked: Mutex::default(),
            subscribed: Mutex::default(),
            listening: Mutex::default(),
            shown: Mutex::default(),
            next: AtomicU64::new(1),
            stream_is_call,
        }
    }

    pub(super) fn asking(&self) -> Option<Asking> {
        self.asking.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn introduce(&self, asking: Asking) {
        *self.asking.write().unwrap_or_else(PoisonError::into_inner) = Some(asking);
    }

    /// True if it speaks the revision without sessions.
    pub(super) fn is_modern(&self) -> bool {
        self.asking().is_some_and(|asking| asking.era == Era::Modern)
    }

    pub(super) fn open(&self) -> MutexGuard<'_, HashMap<String, OpenCall>> {
        lock(&self.open)
    }

    pub(super) fn asked(&self) -> MutexGuard<'_, HashMap<String, Asked>> {
        lock(&self.asked)
    }

    pub(super) fn subscribed(&self) -> MutexGuard<'_, HashSet<String>> {
        lock(&self.subscribed)
    }

    pub(super) fn listening(&self) -> MutexGuard<'_, Vec<Listening>> {
        lock(&self.listening)
    }

    pub(super) fn shown(&self) -> MutexGuard<'_, HashSet<&'static str>> {
        lock(&self.shown)
    }

    /// An id of ours for a request to the host.
    pub(super) fn next_id(&self) -> String {
        quoted(&format!("quarantine-{}", self.next.fetch_add(1, Ordering::Relaxed)))
    }

    /// Says something that belongs to no call. A host that does not read loses it.
    pub(super) fn tell(&self, text: String) {
        if self.standing.try_send(text).is_err() {
            tracing::debug!(session = self.number, "the host does not read; a message was dropped");
        }
    }

    /// Where something about a server goes: the stream of the call that this server has open for this host, if there
    /// is one.
    pub(super) fn sink_of(&self, server: usize) -> Option<Sink> {
        self.open()
            .values()
            .find(|call| call.at.is_some_and(|(at, _)| at == server))
            .map(|call| call.sink.clone())
    }

    pub(super) fn standing(&self) -> Sink {
        self.standing.clone()
    }
}
