//! The desk as a service.
//!
//! [`run`] serves a desk on a listener until it is told to stop; [`run_with`] takes a provider and a clock as well. All
//! state is in the [`store`]; the [`http`] face is thin; money moves through one door, [`payments::Provider`].
//! Nothing in here passes what a customer or an agent wrote to what decides: only the `desk` crate makes the policy's
//! facts, and it has no type for text.

pub mod assets;
pub mod clock;
pub mod config;
pub mod http;
pub mod live;
pub mod pages;
pub mod payments;
pub mod presence;
pub mod rules;
pub mod seed;
pub mod store;
mod work;

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use web::accept;
use web::token::Signer;

use crate::clock::{Clock, SystemClock};
use crate::config::Config;
use crate::http::App;
use crate::http::app::Parts;
use crate::http::face::Hosts;
use crate::payments::{Ledger, Provider};
use crate::store::{Database, Limits, Store, StoreError};

/// How long open requests may go on once the server is told to stop.
const GRACE: Duration = Duration::from_secs(5);

/// Why a desk could not start.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The records can't be opened.
    #[error("the records can't be opened; the log says why")]
    Store(#[from] StoreError),
    /// The listener has no address.
    #[error("the listener has no address: {0}")]
    Listener(#[from] std::io::Error),
    /// The stored secret is not one of ours.
    #[error("the stored signing secret is damaged")]
    Secret,
}

/// Opens the store that a configuration names.
///
/// # Errors
/// [`StoreError::Unavailable`]; the log says why.
pub async fn open(config: &Config, clock: &dyn Clock) -> Result<Store, StoreError> {
    let database = match &config.database {
        Some(url) => Database::Postgres(url.clone()),
        None => Database::Sqlite(config.data.clone()),
    };
    let limits = Limits { sandboxes: config.sandboxes, ..Limits::default() };
    Store::open(&database, limits, clock.now()).await
}

/// Serves a desk with the embedded ledger until `shutdown` resolves.
///
/// # Errors
/// The store can't be opened.
pub async fn run(
    listener: TcpListener,
    config: Config,
    shutdown: impl Future<Output = ()>,
) -> Result<(), RunError> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let store = open(&config, &*clock).await?;
    let provider = Arc::new(Ledger::new(store.clone()));
    run_with(listener, config, store, provider, clock, shutdown).await
}

/// As [`run`], with the store, the provider and the clock of the caller.
///
/// # Errors
/// The store does not answer.
pub async fn run_with(
    listener: TcpListener,
    config: Config,
    store: Store,
    provider: Arc<dyn Provider>,
    clock: Arc<dyn Clock>,
    shutdown: impl Future<Output = ()>,
) -> Result<(), RunError> {
    let address = listener.local_addr()?;
    let secret = store.secret("agent tokens", &rand::random::<[u8; 32]>()).await?;
    let secret: [u8; 32] = secret.try_into().map_err(|_| RunError::Secret)?;
    let hosts =
        Hosts::new(&config.public_url, &config.console_url, address.port(), address.ip().is_loopback());
    let signer = Signer::new(&secret);
    let app = App::new(Parts { store, provider, clock, config, hosts, signer });
    let work = work::start(&app);
    let closing = app.clone();
    accept::serve(
        listener,
        http::router(app),
        async move {
            shutdown.await;
            closing.close();
        },
        GRACE,
    )
    .await;
    work.abort();
    Ok(())
}
