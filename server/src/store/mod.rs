//! The desk's records, on SQLite or PostgreSQL, by the same SQL.
//!
//! A change and its events are one transaction ([`change`]), which holds its workspace's row from its first statement to
//! its end: within a workspace, changes happen one after the other, whichever process makes them. That is why a change
//! may read first and decide by what it read. Money is guarded once more by the tables themselves.
//!
//! What people and agents wrote stands in tables of its own and is read by [`conversation`], [`card`], [`cards`] and [`queue`] alone.

mod actor;
mod card;
mod cards;
mod change;
mod claim;
mod console;
mod conversation;
mod database;
mod decide;
mod demo;
mod error;
mod event;
mod held;
mod mint;
mod queue;
mod recover;
mod refund;
mod row;
mod sandbox;
mod setting;
mod settle;
mod stage;
mod sweep;
mod terms;
mod tickets;
mod view;
mod withdraw;
mod workspace;

use std::sync::{Arc, OnceLock};

pub use actor::{Actor, Agent, AgentKind, Approver};
pub use card::Card;
pub use claim::Claimed;
pub use conversation::{Conversation, Message};
pub use database::Database;
pub use decide::{Approved, Press};
use desk::Millis;
pub use error::{Changed, StoreError};
pub use event::{Event, Events};
pub use mint::Mint;
pub use queue::{Line, Queue};
pub use refund::Refund;
pub use setting::ActiveRules;
pub use stage::{Ask, Staged};
pub use tickets::{Compose, Triage};
pub use view::{OpenRefund, View};
pub use workspace::{NotAWorkspace, Workspace};

/// How much the store takes in.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How many sandboxes there may be beside `demo`.
    pub sandboxes: u32,
    /// How large an SQLite file may grow, in bytes; none: as large as the disk.
    pub database_bytes: Option<u64>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { sandboxes: 10_000, database_bytes: None }
    }
}

/// The desk's records. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

type Listener = Box<dyn Fn(&Workspace, &[Event]) + Send + Sync>;

struct Inner {
    pools: database::Pools,
    limits: Limits,
    listener: OnceLock<Listener>,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Store").field("limits", &self.inner.limits).finish_non_exhaustive()
    }
}

impl Store {
    /// Opens the records, brings them up to date and makes the pristine demonstration anew. A database that can be read
    /// but not written opens too, if it was written before.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`]; the log says why.
    pub async fn open(database: &Database, limits: Limits, now: Millis) -> Result<Store, StoreError> {
        let pools = database::Pools::open(database, limits).await?;
        let store = Store { inner: Arc::new(Inner { pools, limits, listener: OnceLock::new() }) };
        if let Err(error) = store.make_demonstration(now).await {
            store.has_demonstration().await?;
            tracing::warn!(%error, "the store can be read but not written");
        }
        Ok(store)
    }

    /// Calls `listener` after every change of this process with its workspace and its events. It must not block.
    /// Only the first listener counts.
    pub fn listen(&self, listener: impl Fn(&Workspace, &[Event]) + Send + Sync + 'static) {
        if self.inner.listener.set(Box::new(listener)).is_err() {
            tracing::warn!("the store has a listener already");
        }
    }

    /// True if the records can be read.
    pub async fn ping(&self) -> bool {
        sqlx::query("SELECT id FROM desk").fetch_one(self.pools().read()).await.is_ok()
    }

    /// Waits until open transactions have ended, and closes all connections.
    pub async fn close(&self) {
        self.pools().close().await;
    }

    pub(crate) fn pools(&self) -> &database::Pools {
        &self.inner.pools
    }

    fn heard(&self, workspace: &Workspace, events: &[Event]) {
        if let Some(listener) = self.inner.listener.get()
            && !events.is_empty()
        {
            listener(workspace, events);
        }
    }
}
