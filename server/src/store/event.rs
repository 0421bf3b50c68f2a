//! The one log of what happened: the cursor of event streams and the trail people read.

use std::time::Duration;

use desk::Millis;
use desk::id::{RefundId, TicketId};
use desk::money::{Currency, Minor};

use super::{Store, StoreError, Workspace};

/// One thing that happened. No text of strangers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its place in its workspace: rising, with gaps.
    pub seq: i64,
    /// When.
    pub at: Millis,
    /// `agent`, `person playing the agent`, `person`, `approver` or `desk`.
    pub who: String,
    /// What was done: `triaged`, `refund held`, …
    pub what: String,
    /// The ticket it is about.
    pub ticket: Option<TicketId>,
    /// The refund it is about.
    pub refund: Option<RefundId>,
    /// The state the refund, else the ticket, is in after it.
    pub state: Option<String>,
    /// A refusal's code.
    pub code: Option<String>,
    /// The amount it is about.
    pub amount: Option<(Minor, Currency)>,
}

impl Event {
    /// `refund`, `ticket` or `workspace`: what a page reads again.
    pub fn kind(&self) -> &'static str {
        match (&self.refund, &self.ticket) {
            (Some(_), _) => "refund",
            (None, Some(_)) => "ticket",
            (None, None) => "workspace",
        }
    }
}

/// The events after a cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Events {
    /// Oldest first.
    pub events: Vec<Event>,
    /// The oldest that is kept; none if there is none. A cursor below `oldest - 1` is unknown.
    pub oldest: Option<i64>,
    /// The newest of the workspace; 0 before its first change. A cursor above it is unknown.
    pub newest: i64,
}

impl Store {
    /// The events after a cursor, at most `limit`.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn events(&self, _: &Workspace, _after: i64, _limit: u32) -> Result<Events, StoreError> {
        Err(StoreError::Unavailable)
    }

    /// The trail, newest first, of one ticket or of all.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn record(
        &self,
        _: &Workspace,
        _: Option<&TicketId>,
        _limit: u32,
    ) -> Result<Vec<Event>, StoreError> {
        Err(StoreError::Unavailable)
    }

    /// The workspaces changed within this time by any process, each with its newest `seq`: compare with what you
    /// knew. [`Workspace::is_pristine`] among them stands for every workspace that is not written yet.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn moved(&self, _within: Duration) -> Result<Vec<(Workspace, i64)>, StoreError> {
        Err(StoreError::Unavailable)
    }
}
