//! Keeping one server: in quarantine it is asked what it offers and let go; live it is kept running, looked at again
//! when it says that something changed, and started again, ever later, when it stops.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use tokio::sync::{Notify, mpsc, watch};
use tokio::time::Instant;

use super::connection::{Connection, FromServer, Wire};
use super::greet::{Asking, Era, Hello, greet};
use super::look::{Look, look};
use super::{http, process};
use crate::config::{ServerEntry, Transport};

/// What keeps the servers: where looks go, and where it is known how a server stands.
pub(crate) trait Hub: Send + Sync + 'static {
    /// Whether the program is about to end.
    fn is_ending(&self) -> bool;
    /// Whether the server may be kept running.
    fn is_live(&self, entry: &ServerEntry) -> bool;
    /// Takes one look. After it, the record and what agents see agree with it.
    fn saw(&self, server: usize, look: Look) -> impl Future<Output = ()> + Send;
    /// Takes what a live server says by itself.
    fn heard(&self, server: usize, said: FromServer) -> impl Future<Output = ()> + Send;
    /// Something about the server is different: it runs, it stopped, it can't be reached.
    fn turned(&self, server: usize, trouble: Option<&'static str>) -> impl Future<Output = ()> + Send;
}

/// How far a server is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Nothing is known of it yet.
    Starting,
    /// It runs and has shown what it offers.
    Ready,
    /// It does not run, and is not about to: in quarantine, or switched off.
    Resting,
    /// It can't be reached; it is tried again.
    Failing,
}

/// A server that runs.
#[derive(Clone, Debug)]
pub(crate) struct Running {
    pub(crate) connection: Connection,
    pub(crate) hello: Arc<Hello>,
    /// What it showed last: hash by item.
    pub(crate) shown: Arc<HashMap<String, String>>,
    looked: Instant,
}

/// One server of the configuration.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) entry: ServerEntry,
    pub(crate) phase: watch::Sender<Phase>,
    running: RwLock<Option<Running>>,
    /// How it stands may have changed.
    pub(crate) turn: Notify,
    /// A new look is wanted; counts requests.
    wanted: watch::Sender<u64>,
    /// How many of them have been met.
    met: watch::Sender<u64>,
}

/// The shortest and the longest wait before a server is started again.
const BACK_OFF: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(60));

/// How long changes are gathered before they are looked at: a server that announces one change after another is
/// looked at once.
const GATHER: Duration = Duration::from_millis(50);

/// How long a server that has just been looked at is left alone, whatever it announces.
const REST: Duration = Duration::from_secs(1);

/// Opens a connection.
///
/// # Errors
/// A sentence.
pub(super) fn open(entry: &ServerEntry, said: mpsc::Sender<FromServer>) -> Result<Connection, &'static str> {
    match &entry.transport {
        Transport::Stdio(launch) => process::start(&entry.name, launch, entry.limits, said)
            .map_err(|_| "its command can't be started"),
        Transport::Http(remote) => {
            http::start(remote, entry.limits, said).map_err(|_| "its address or a header can't be used")
        }
    }
}

/// Lets a server go.
pub(crate) fn close(connection: &Connection) {
    if let Wire::Http(http) = connection.wire() {
        http.part();
    }
    connection.close("it was let go");
}

impl Server {
    pub(crate) fn new(entry: ServerEntry) -> Server {
        Server {
            entry,
            phase: watch::Sender::new(Phase::Starting),
            running: RwLock::new(None),
            turn: Notify::new(),
            wanted: watch::Sender::new(0),
            met: watch::Sender::new(0),
        }
    }

    /// The running server, if it is ready for calls.
    pub(crate) fn running(&self) -> Option<Running> {
        let running = self.running.read().unwrap_or_else(PoisonError::into_inner).clone();
        running.filter(|running| !running.connection.is_over())
    }

    fn show(&self, running: Option<Running>) {
        *self.running.write().unwrap_or_else(PoisonError::into_inner) = running;
    }

    fn set(&self, running: Option<Running>, phase: Phase) {
        self.show(running);
        self.phase.send_replace(phase);
    }

    /// Asks for a new look. What was shown before it stops counting as current until it is done.
    pub(crate) fn want_look(&self) {
        self.wanted.send_modify(|wanted| *wanted = wanted.wrapping_add(1));
    }

    /// Waits until every look that was asked for has been taken, or `patience` is over; false then.
    pub(crate) async fn looked_at(&self, patience: Duration) -> bool {
        let target = *self.wanted.borrow();
        let mut met = self.met.subscribe();
        let done = met.wait_for(|met| *met >= target);
        tokio::time::timeout(patience, done).await.is_ok_and(|met| met.is_ok())
    }

    /// True if the last look is older than this.
    pub(crate) fn is_stale(&self, age: Duration) -> bool {
        self.running().is_some_and(|running| running.looked.elapsed() > age)
    }

    /// Keeps the server until the program ends.
    pub(crate) async fn keep(
        self: Arc<Server>,
        index: usize,
        hub: Arc<impl Hub>,
        asking: Asking,
        sweep: Duration,
    ) {
        let mut back_off = BACK_OFF.0;
        let mut looked_in_quarantine = false;
        loop {
            if self.entry.disabled {
                self.set(None, Phase::Resting);
                return;
            }
            let live = hub.is_live(&self.entry);
            if !live && looked_in_quarantine {
                self.set(None, Phase::Resting);
                hub.turned(index, None).await;
                self.turn.notified().await;
                if !hub.is_live(&self.entry) {
                    continue;
                }
            }
            let started = Instant::now();
            let outcome = if hub.is_live(&self.entry) {
                looked_in_quarantine = false;
                self.run(index, &hub, &asking, sweep).await
            } else {
                match super::look::look_once(&self.entry, &asking).await {
                    Ok(look) => {
                        looked_in_quarantine = true;
                        hub.saw(index, look).await;
                        Ok(())
                    }
                    Err(why) => Err(why),
                }
            };
            if hub.is_ending() {
                return;
            }
            self.met.send_replace(*self.wanted.borrow());
            match outcome {
                Ok(()) => back_off = BACK_OFF.0,
                Err(why) => {
                    self.set(None, Phase::Failing);
                    hub.turned(index, Some(why)).await;
                    tracing::warn!(server = %self.entry.alias, why, "a server can't be used");
                    if started.elapsed() > BACK_OFF.1 {
                        back_off = BACK_OFF.0;
                    }
                    tokio::select! {
                        () = tokio::time::sleep(back_off) => {}
                        () = self.turn.notified() => {}
                    }
                    back_off = (back_off * 2).min(BACK_OFF.1);
                }
            }
        }
    }

    /// Runs a live server until it stops (an error) or is no longer live.
    async fn run(
        &self,
        index: usize,
        hub: &Arc<impl Hub>,
        asking: &Asking,
        sweep: Duration,
    ) -> Result<(), &'static str> {
        let (said, mut heard) = mpsc::channel(256);
        let connection = open(&self.entry, said)?;
        let result = async {
            let patience = Duration::from_secs(self.entry.limits.start_seconds);
            let hello = tokio::select! {
                hello = greet(&connection, asking, patience) => hello?,
                () = drain(&mut heard) => return Err("it stopped while it was starting"),
            };
            let hello = Arc::new(hello);
            let _listening = listen(&connection, &hello, asking).await;
            let mut target = *self.wanted.borrow();
            // What was asked for before it ran is met by the first look.
            let mut shown: HashMap<String, String> = HashMap::new();
            let mut kinds: Option<Vec<crate::pin::Kind>> = None;
            let mut wanted = self.wanted.subscribe();
            loop {
                let seen = {
                    let mut looking = std::pin::pin!(look(&connection, &hello, asking, kinds.as_deref()));
                    loop {
                        tokio::select! {
                            seen = &mut looking => break seen?,
                            why = connection.closed() => return Err(why),
                            // A server may ask something before it answers.
                            Some(said) = heard.recv() => hub.heard(index, said).await,
                        }
                    }
                };
                match &kinds {
                    None => shown = seen.hashes(),
                    Some(_) => {
                        shown.retain(|key, _| !seen.asked.iter().any(|kind| is_of(key, *kind)));
                        shown.extend(seen.hashes());
                    }
                }
                let running = Running {
                    connection: connection.clone(),
                    hello: Arc::clone(&hello),
                    shown: Arc::new(shown.clone()),
                    looked: Instant::now(),
                };
                // Ready only once the record and what agents see agree with what it showed.
                self.show(Some(running));
                hub.saw(index, seen).await;
                self.phase.send_replace(Phase::Ready);
                self.met.send_replace(target);
                hub.turned(index, None).await;
                let earliest = Instant::now() + REST;
                let next = Instant::now() + sweep;
                let mut changed: Option<Vec<crate::pin::Kind>> = None;
                let mut due = next;
                loop {
                    tokio::select! {
                        why = connection.closed() => return Err(why),
                        () = self.turn.notified() => {
                            if !hub.is_live(&self.entry) {
                                return Ok(());
                            }
                        }
                        said = heard.recv() => {
                            let Some(said) = said else { return Err("it stopped") };
                            if let FromServer::Notification { method, .. } = &said
                                && let Some(kinds) = announced(method)
                            {
                                // Until the new look is done, calls wait for it.
                                self.want_look();
                                if changed.is_none() {
                                    due = earliest.max(Instant::now() + GATHER);
                                }
                                changed.get_or_insert_default().extend_from_slice(kinds);
                            } else {
                                hub.heard(index, said).await;
                            }
                        }
                        changed_by = wanted.changed() => {
                            if changed_by.is_ok() && *wanted.borrow_and_update() > target && changed.is_none() {
                                kinds = None;
                                target = *self.wanted.borrow();
                                break;
                            }
                        }
                        () = tokio::time::sleep_until(due) => {
                            target = *self.wanted.borrow();
                            kinds = changed;
                            break;
                        }
                    }
                }
            }
        }
        .await;
        self.set(None, if result.is_ok() { Phase::Resting } else { Phase::Failing });
        close(&connection);
        result
    }
}

/// A modern server tells of changes only on a stream that was asked for.
async fn listen(
    connection: &Connection,
    hello: &Hello,
    asking: &Asking,
) -> Option<super::connection::Ticket> {
    if hello.era != Era::Modern {
        return None;
    }
    let wishes = "{\"toolsListChanged\":true,\"promptsListChanged\":true,\"resourcesListChanged\":true}";
    let params = hello.params(asking, &[("notifications", wishes.to_owned())]);
    connection.send("subscriptions/listen", params.as_deref()).await.ok()
}

fn announced(method: &str) -> Option<&'static [crate::pin::Kind]> {
    use crate::pin::Kind;
    match method {
        "notifications/tools/list_changed" => Some(&[Kind::Tool]),
        "notifications/prompts/list_changed" => Some(&[Kind::Prompt]),
        "notifications/resources/list_changed" => Some(&[Kind::Resource, Kind::Template]),
        _ => None,
    }
}

fn is_of(key: &str, kind: crate::pin::Kind) -> bool {
    key.split_once(':').map_or(key, |(kind, _)| kind) == kind.word()
}

async fn drain(heard: &mut mpsc::Receiver<FromServer>) {
    while heard.recv().await.is_some() {}
}
