//! The one log of what happened: the cursor of event streams and the trail people read.

use std::time::Duration;

use desk::Millis;
use desk::id::{RefundId, TicketId};
use desk::money::{Currency, Minor, currency};
use sqlx::any::AnyRow;

use super::change::machine_clock;
use super::row::Row;
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
    /// The events after a cursor, at most `limit`, of one moment.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn events(&self, workspace: &Workspace, after: i64, limit: u32) -> Result<Events, StoreError> {
        let mut snapshot = self.pools().snapshot().await?;
        let ends = sqlx::query(
            "SELECT w.seq AS newest, (SELECT MIN(e.seq) FROM event e WHERE e.workspace = w.id) AS oldest \
             FROM workspace w WHERE w.id = $1",
        )
        .bind(workspace.as_str())
        .fetch_optional(&mut *snapshot)
        .await?;
        let Some(ends) = ends else {
            return Ok(Events { events: Vec::new(), oldest: None, newest: 0 });
        };
        let rows = sqlx::query(
            "SELECT seq, at, who, what, ticket, refund, state, code, amount, currency FROM event \
             WHERE workspace = $1 AND seq > $2 ORDER BY seq LIMIT $3",
        )
        .bind(workspace.as_str())
        .bind(after)
        .bind(i64::from(limit))
        .fetch_all(&mut *snapshot)
        .await?;
        Ok(Events {
            events: read_all(&rows)?,
            oldest: Row(&ends).int_or_none("oldest")?,
            newest: Row(&ends).int("newest")?,
        })
    }

    /// The trail, newest first, of one ticket or of all, at most `limit`.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn record(
        &self,
        workspace: &Workspace,
        ticket: Option<&TicketId>,
        limit: u32,
    ) -> Result<Vec<Event>, StoreError> {
        let query = match ticket {
            Some(ticket) => sqlx::query(
                "SELECT seq, at, who, what, ticket, refund, state, code, amount, currency FROM event \
                 WHERE workspace = $1 AND ticket = $3 ORDER BY seq DESC LIMIT $2",
            )
            .bind(workspace.as_str())
            .bind(i64::from(limit))
            .bind(ticket.as_str()),
            None => sqlx::query(
                "SELECT seq, at, who, what, ticket, refund, state, code, amount, currency FROM event \
                 WHERE workspace = $1 ORDER BY seq DESC LIMIT $2",
            )
            .bind(workspace.as_str())
            .bind(i64::from(limit)),
        };
        read_all(&query.fetch_all(self.pools().read()).await?)
    }

    /// The workspaces changed within this time by any process, by the machines' clocks, each with its newest `seq`:
    /// compare with what you knew. [`Workspace::is_pristine`] among them stands for every workspace that is not written
    /// yet.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn moved(&self, within: Duration) -> Result<Vec<(Workspace, i64)>, StoreError> {
        let within = i64::try_from(within.as_millis()).unwrap_or(i64::MAX);
        let rows = sqlx::query("SELECT id, seq FROM workspace WHERE changed_at >= $1")
            .bind(machine_clock().saturating_sub(within))
            .fetch_all(self.pools().read())
            .await?;
        let workspace = |row| Ok((Workspace::stored(Row(row).text("id")?), Row(row).int("seq")?));
        rows.iter().map(workspace).collect()
    }
}

fn read_all(rows: &[AnyRow]) -> Result<Vec<Event>, StoreError> {
    rows.iter().map(|row| read(&Row(row))).collect()
}

fn read(row: &Row<'_>) -> Result<Event, StoreError> {
    let amount = row.number_or_none("amount")?.map(Minor);
    Ok(Event {
        seq: row.int("seq")?,
        at: row.time("at")?,
        who: row.text("who")?,
        what: row.text("what")?,
        ticket: row.id_or_none("ticket")?,
        refund: row.id_or_none("refund")?,
        state: row.text_or_none("state")?,
        code: row.text_or_none("code")?,
        amount: amount.zip(row.word_or_none("currency", currency)?),
    })
}
