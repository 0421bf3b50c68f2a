//! The desk's records, on SQLite or PostgreSQL, by the same SQL.

mod actor;
mod card;
mod claim;
mod console;
mod conversation;
mod decide;
mod error;
mod event;
mod refund;
mod sandbox;
mod setting;
mod settle;
mod stage;
mod tickets;
mod view;
mod withdraw;
mod workspace;

use std::path::PathBuf;

pub use actor::{Actor, Agent, AgentKind, Approver};
pub use card::Card;
pub use claim::Claimed;
pub use conversation::{Conversation, Message};
pub use decide::{Approved, Mint, Press};
use desk::Millis;
pub use error::{Changed, StoreError};
pub use event::{Event, Events};
pub use refund::Refund;
pub use setting::ActiveRules;
pub use stage::{Ask, Staged};
pub use tickets::{Compose, Triage};
pub use view::{OpenRefund, View};
pub use workspace::{NotAWorkspace, Workspace};

/// Where the records are.
#[derive(Clone, Debug)]
pub enum Database {
    /// A folder, which gets a `quarantine.db`, or a file that ends in `.db`.
    Sqlite(PathBuf),
    /// `postgres://…`.
    Postgres(String),
}

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
#[derive(Clone, Debug)]
pub struct Store {}

impl Store {
    /// Opens the records and brings them up to date.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`]; the log says why.
    pub async fn open(_: &Database, _: Limits, _now: Millis) -> Result<Store, StoreError> {
        Err(StoreError::Unavailable)
    }

    /// Calls `listener` after every change of this process with its workspace and its events. It must not block.
    /// Only the first listener counts.
    pub fn listen(&self, _listener: impl Fn(&Workspace, &[Event]) + Send + Sync + 'static) {}

    /// True if the records can be read.
    pub async fn ping(&self) -> bool {
        false
    }
}
