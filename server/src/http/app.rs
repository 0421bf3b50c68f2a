//! What every handler reaches: the store, the provider, the clock, wake-ups and settings, behind one `Arc`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use desk::Millis;
use desk::id::TicketId;
use policy::{Permit, Purpose};
use tokio::sync::Notify;
use web::ApiError;
use web::limit::Limit;
use web::token::Signer;

use crate::clock::Clock;
use crate::config::Config;
use crate::http::console::session_hash;
use crate::http::face::Hosts;
use crate::http::measure::Metrics;
use crate::live::Live;
use crate::payments::Provider;
use crate::presence::Presence;
use crate::store::{ActiveRules, Store, StoreError, View, Workspace};

/// A running desk.
#[derive(Clone, Debug)]
pub struct App(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    store: Store,
    provider: Arc<dyn Provider>,
    clock: Arc<dyn Clock>,
    config: Config,
    hosts: Hosts,
    signer: Signer,
    live: Live,
    presence: Presence,
    metrics: Metrics,
    limits: Limits,
    closing: AtomicBool,
    close: Notify,
}

/// How often somebody may ask.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Requests of one address.
    pub requests: Limit,
    /// New page cookies, each a sandbox to be, of one address.
    pub cookies: Limit,
}

/// The parts of a desk.
#[derive(Debug)]
pub struct Parts {
    /// Where everything is kept.
    pub store: Store,
    /// Who pays.
    pub provider: Arc<dyn Provider>,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// What it was told.
    pub config: Config,
    /// The hosts it answers to.
    pub hosts: Hosts,
    /// Signs agents' tokens.
    pub signer: Signer,
}

impl App {
    /// A desk of these parts.
    pub fn new(parts: Parts) -> App {
        let Parts { store, provider, clock, config, hosts, signer } = parts;
        let presence = Presence::new(clock.now());
        let per_second = config.requests_per_second;
        let limits = Limits {
            requests: Limit::new(per_second, per_second.saturating_mul(5)),
            cookies: Limit::new(1, 120),
        };
        App(Arc::new(Inner {
            store,
            provider,
            clock,
            config,
            hosts,
            signer,
            live: Live::default(),
            presence,
            metrics: Metrics::default(),
            limits,
            closing: AtomicBool::new(false),
            close: Notify::new(),
        }))
    }

    /// Where everything is kept.
    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// Who pays.
    pub fn provider(&self) -> &dyn Provider {
        &*self.0.provider
    }

    /// The clock.
    pub fn clock(&self) -> Arc<dyn Clock> {
        self.0.clock.clone()
    }

    /// Now.
    pub fn now(&self) -> Millis {
        self.0.clock.now()
    }

    /// What it was told.
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// The hosts it answers to.
    pub fn hosts(&self) -> &Hosts {
        &self.0.hosts
    }

    /// Signs agents' tokens.
    pub fn signer(&self) -> &Signer {
        &self.0.signer
    }

    /// Wake-ups.
    pub fn live(&self) -> &Live {
        &self.0.live
    }

    /// Which pages are there.
    pub fn presence(&self) -> &Presence {
        &self.0.presence
    }

    /// What is counted.
    pub fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    /// How often somebody may ask.
    pub fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// True if browsers reach the desk over https.
    pub fn https(&self) -> bool {
        self.config().public_url.starts_with("https:")
    }

    /// Tells streams and waiting calls to end: the server is going down.
    pub fn close(&self) {
        self.0.closing.store(true, Ordering::SeqCst);
        self.0.close.notify_waiters();
    }

    /// Resolves when the server is going down.
    pub async fn closed(&self) {
        let mut closed = std::pin::pin!(self.0.close.notified());
        closed.as_mut().enable();
        if !self.0.closing.load(Ordering::SeqCst) {
            closed.await;
        }
    }

    /// The rules in force.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`], also if the text can't be read by this version.
    pub async fn rules(&self) -> Result<ActiveRules, StoreError> {
        let Some((version, text)) = self.store().active_rules().await? else {
            return Ok(ActiveRules::demo());
        };
        let rules = crate::rules::parse(&text).map_err(|error| {
            tracing::error!(version, %error, "the active rules can't be read");
            StoreError::Unavailable
        })?;
        Ok(ActiveRules { version, rules })
    }

    /// A ticket and what agents hold for it now.
    ///
    /// # Errors
    /// As [`Store::view`].
    pub async fn view(&self, workspace: &Workspace, ticket: &TicketId) -> Result<(View, Permit), StoreError> {
        let active = self.rules().await?;
        let now = self.now();
        let view = self.store().view(workspace, ticket, now).await?;
        let permit = view.permit(&active.rules, now, Purpose::Agents);
        Ok((view, permit))
    }

    /// The approver whose console session this cookie is.
    ///
    /// # Errors
    /// The store does not answer.
    pub async fn console_session(&self, cookie: &str) -> Result<Option<String>, StoreError> {
        let hash = session_hash(cookie);
        self.store().console_session(&hash, self.now()).await
    }
}

/// Does something under the rules in force. If they change meanwhile, it is done again under the new ones.
macro_rules! under_rules {
    ($app:expr, $active:ident => $operation:expr) => {{
        let mut tries = 3;
        loop {
            let active = $app.rules().await?;
            let $active = &active;
            let done = ($operation).await;
            tries -= 1;
            if tries == 0 || !matches!(done, Err($crate::store::StoreError::OtherRules)) {
                break done;
            }
        }
    }};
}
pub(crate) use under_rules;

/// An identifier in a path or a body.
///
/// # Errors
/// `NOT_FOUND`: no such thing can exist.
pub fn known<Id: TryFrom<String>>(text: String) -> Result<Id, ApiError> {
    Id::try_from(text).map_err(|_| ApiError::not_found())
}
