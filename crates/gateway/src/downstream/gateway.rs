//! The gateway's middle: servers on one side, hosts on the other, the record between them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use tokio::sync::OnceCell;

use super::catalog::Catalog;
use super::session::{Session, Sink};
use crate::clock::now;
use crate::config::{Config, ServerEntry};
use crate::pin::Definition;
use crate::record::{Store, observe, register, server_reason};
use crate::review::{peers_of, report_of, verdict_word};
use crate::upstream::{Asking, FromServer, Hub, Look, Phase, Server};

/// How often the state file is looked at when nothing is called.
const GLANCE: Duration = Duration::from_millis(300);

/// One running gateway.
#[derive(Debug)]
pub(crate) struct Gateway {
    pub(crate) config: Config,
    pub(crate) store: Arc<Store>,
    pub(super) servers: Vec<Arc<Server>>,
    catalog: RwLock<Arc<Catalog>>,
    pub(super) sessions: Mutex<HashMap<u64, Arc<Session>>>,
    next: AtomicU64,
    /// Serialises drawing, so that a picture is never replaced by an older one.
    drawing: Mutex<()>,
    started: OnceCell<()>,
    ending: AtomicBool,
}

impl Gateway {
    /// A gateway that has started nothing yet. Servers that are new get their record, in quarantine.
    pub(crate) fn new(config: Config, store: Arc<Store>) -> Arc<Gateway> {
        let approve = config.settings.approve;
        let registered = store.change(|state| {
            state.approve = state.approve.max(approve);
            register(state, &config.servers, &now());
        });
        if let Err(error) = registered {
            tracing::error!(%error, "nothing new can be put on the record; what is not on it stays closed");
        }
        let servers: Vec<Arc<Server>> =
            config.servers.iter().cloned().map(|entry| Arc::new(Server::new(entry))).collect();
        let catalog = Catalog::draw(&config, store.read_or_closed(), &servers);
        Arc::new(Gateway {
            config,
            store,
            servers,
            catalog: RwLock::new(Arc::new(catalog)),
            sessions: Mutex::default(),
            next: AtomicU64::new(1),
            drawing: Mutex::new(()),
            started: OnceCell::new(),
            ending: AtomicBool::new(false),
        })
    }

    /// Starts keeping the servers, once: on behalf of this host, or of nobody.
    pub(crate) async fn start(self: &Arc<Gateway>, asking: &Asking) {
        self.started
            .get_or_init(|| async {
                let sweep = Duration::from_secs(self.config.settings.sweep_seconds.max(5));
                for (index, server) in self.servers.iter().enumerate() {
                    tokio::spawn(Arc::clone(server).keep(index, Arc::clone(self), asking.clone(), sweep));
                }
                let weak = Arc::downgrade(self);
                tokio::spawn(async move {
                    loop {
                        tokio::time::sleep(GLANCE).await;
                        let Some(gateway) = weak.upgrade() else { return };
                        gateway.current();
                    }
                });
            })
            .await;
    }

    /// The newest picture: drawn again if the state file is another one.
    pub(super) fn current(&self) -> Arc<Catalog> {
        let state = self.store.read_or_closed();
        let known = Arc::clone(&self.catalog.read().unwrap_or_else(PoisonError::into_inner));
        if Arc::ptr_eq(&known.state, &state) { known } else { self.draw() }
    }

    /// Draws the picture again and tells the hosts what is different.
    pub(super) fn draw(&self) -> Arc<Catalog> {
        let drawing = self.drawing.lock().unwrap_or_else(PoisonError::into_inner);
        let catalog = Arc::new(Catalog::draw(&self.config, self.store.read_or_closed(), &self.servers));
        let before = std::mem::replace(
            &mut *self.catalog.write().unwrap_or_else(PoisonError::into_inner),
            Arc::clone(&catalog),
        );
        drop(drawing);
        for (server, entry) in self.servers.iter().zip(&self.config.servers) {
            if server_reason(&before.state, entry) != server_reason(&catalog.state, entry) {
                server.turn.notify_one();
            }
        }
        for method in catalog.differences(&before) {
            self.announce(method);
        }
        catalog
    }

    /// A new host.
    pub(crate) fn join(&self, standing: Sink, stream_is_call: bool) -> Arc<Session> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let session = Arc::new(Session::new(number, standing, stream_is_call));
        self.sessions().insert(number, Arc::clone(&session));
        session
    }

    /// A host is gone: its open calls are cancelled, its streams end.
    pub(crate) fn leave(&self, session: &Session) {
        self.sessions().remove(&session.number);
        for call in session.open().values() {
            call.cancel.notify_one();
        }
        session.listening().clear();
    }

    /// Lets every server go and waits, for a bounded time, until none is left.
    pub(crate) async fn stop(&self) {
        self.ending.store(true, Ordering::SeqCst);
        let running: Vec<_> = self.servers.iter().filter_map(|server| server.running()).collect();
        for one in &running {
            crate::upstream::close(&one.connection);
        }
        let gone = futures_util::future::join_all(running.iter().map(|one| one.connection.gone()));
        let _ = tokio::time::timeout(Duration::from_secs(3), gone).await;
    }

    pub(super) fn sessions(&self) -> std::sync::MutexGuard<'_, HashMap<u64, Arc<Session>>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits, for a bounded time, until every live server has shown what it offers.
    pub(super) async fn settled(&self) {
        let state = self.store.read_or_closed();
        let deadline = tokio::time::Instant::now() + Duration::from_secs(30);
        for server in &self.servers {
            if server_reason(&state, &server.entry).is_ok() {
                let mut phase = server.phase.subscribe();
                let done = phase.wait_for(|phase| *phase != Phase::Starting);
                if tokio::time::timeout_at(deadline, done).await.is_err() {
                    return;
                }
            }
        }
    }

    /// Where the review page is, for people.
    pub(crate) fn page(&self) -> String {
        crate::page::address(&self.config.settings)
    }
}

impl Hub for Gateway {
    fn is_ending(&self) -> bool {
        self.ending.load(Ordering::SeqCst)
    }

    fn is_live(&self, entry: &ServerEntry) -> bool {
        server_reason(&self.store.read_or_closed(), entry).is_ok()
    }

    async fn saw(&self, server: usize, look: Look) {
        let Some(entry) = self.servers.get(server).map(|server| server.entry.clone()) else { return };
        let store = Arc::clone(&self.store);
        // The file is small and on a local disk; still, a slow one must not hold up other servers.
        let recorded = tokio::task::spawn_blocking(move || {
            let peers = peers_of(&store.read_or_closed());
            let scan = |entry: &ServerEntry, one: &Definition| {
                verdict_word(report_of(&entry.name, one.kind, &one.raw, &peers).verdict).to_owned()
            };
            store.change(|state| observe(state, &entry, &look.definitions, &look.asked, &scan, &now()))
        })
        .await;
        if let Ok(Err(error)) = recorded {
            tracing::error!(%error, "what a server offers can't be put on the record; what is new stays closed");
        }
        self.draw();
    }

    async fn heard(&self, server: usize, said: FromServer) {
        self.relay(server, said).await;
    }

    async fn turned(&self, server: usize, trouble: Option<&'static str>) {
        let Some(name) = self.servers.get(server).map(|server| server.entry.name.clone()) else { return };
        let trouble = trouble.unwrap_or("");
        let known = self.store.read_or_closed();
        if known.servers.get(&name).is_some_and(|record| record.trouble != trouble) {
            let store = Arc::clone(&self.store);
            let noted = tokio::task::spawn_blocking(move || {
                store.change(|state| {
                    if let Some(record) = state.servers.get_mut(&name) {
                        trouble.clone_into(&mut record.trouble);
                    }
                })
            });
            // It is only for people to read; that it could not be written is said elsewhere.
            let _ = noted.await;
        }
        self.draw();
    }
}
