//! A change of one workspace and its events, as one transaction.

use std::time::{SystemTime, UNIX_EPOCH};

use desk::Millis;
use desk::id::{RefundId, TicketId};
use desk::money::{Currency, Minor, code};
use sqlx::AnyConnection;
use sqlx::{Any, Transaction};

use super::row::{Row, stored};
use super::{Actor, Event, Store, StoreError, Workspace};

/// A change that has begun. Dropped without [`Change::commit`], nothing of it happened.
pub(super) struct Change {
    store: Store,
    transaction: Transaction<'static, Any>,
    pub(super) workspace: Workspace,
    /// The making of the workspace this change is about.
    pub(super) epoch: i64,
    pub(super) now: Millis,
    seq: i64,
    events: Vec<Event>,
}

/// What an event says beside who and when.
#[derive(Clone, Copy, Default)]
pub(super) struct Line<'a> {
    pub(super) what: &'static str,
    pub(super) ticket: Option<&'a TicketId>,
    pub(super) refund: Option<&'a RefundId>,
    pub(super) state: Option<&'a str>,
    pub(super) code: Option<&'a str>,
    pub(super) amount: Option<(Minor, Currency)>,
}

/// The machine's clock, in milliseconds since 1970: other processes compare with it what they have seen.
pub(super) fn machine_clock() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

impl Store {
    /// Begins a change. Its first statement takes the workspace's row, and with it every other change of the workspace
    /// waits. A workspace that is not written yet is written.
    pub(super) async fn change(&self, workspace: &Workspace, now: Millis) -> Result<Change, StoreError> {
        let mut transaction = self.pools().write().await?;
        let taken = match take(&mut transaction, workspace, now).await? {
            Some(taken) => Some(taken),
            None => {
                self.make_sandbox(&mut transaction, workspace, now).await?;
                take(&mut transaction, workspace, now).await?
            }
        };
        let (seq, epoch) = taken.ok_or(StoreError::TooManySandboxes)?;
        Ok(Change {
            store: self.clone(),
            transaction,
            workspace: workspace.clone(),
            epoch,
            now,
            seq,
            events: Vec::new(),
        })
    }
}

async fn take(
    connection: &mut AnyConnection,
    workspace: &Workspace,
    now: Millis,
) -> Result<Option<(i64, i64)>, StoreError> {
    let row = sqlx::query(
        "UPDATE workspace SET seq = seq + 1, used_at = $2, changed_at = $3 WHERE id = $1 RETURNING seq, epoch",
    )
    .bind(workspace.as_str())
    .bind(now.0)
    .bind(machine_clock())
    .fetch_optional(connection)
    .await?;
    row.map(|row| Ok((Row(&row).int("seq")?, Row(&row).int("epoch")?))).transpose()
}

impl Change {
    pub(super) fn connection(&mut self) -> &mut AnyConnection {
        &mut self.transaction
    }

    /// The place of the next event.
    pub(super) fn seq(&self) -> i64 {
        self.seq
    }

    /// Puts an event on the record.
    pub(super) async fn event(&mut self, actor: &Actor, line: Line<'_>) -> Result<(), StoreError> {
        if !self.events.is_empty() {
            let row = sqlx::query("UPDATE workspace SET seq = seq + 1 WHERE id = $1 RETURNING seq")
                .bind(self.workspace.as_str())
                .fetch_one(&mut *self.transaction)
                .await?;
            self.seq = Row(&row).int("seq")?;
        }
        sqlx::query(
            "INSERT INTO event (workspace, seq, at, who, what, ticket, refund, state, code, amount, currency) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        )
        .bind(self.workspace.as_str())
        .bind(self.seq)
        .bind(self.now.0)
        .bind(actor.who())
        .bind(line.what)
        .bind(line.ticket.map(TicketId::as_str))
        .bind(line.refund.map(RefundId::as_str))
        .bind(line.state)
        .bind(line.code)
        .bind(line.amount.map(|(amount, _)| stored(amount.0)))
        .bind(line.amount.map(|(_, currency)| code(currency)))
        .execute(&mut *self.transaction)
        .await?;
        self.events.push(Event {
            seq: self.seq,
            at: self.now,
            who: actor.who().to_owned(),
            what: line.what.to_owned(),
            ticket: line.ticket.cloned(),
            refund: line.refund.cloned(),
            state: line.state.map(str::to_owned),
            code: line.code.map(str::to_owned),
            amount: line.amount,
        });
        Ok(())
    }

    /// Makes it so.
    pub(super) async fn commit(self) -> Result<(), StoreError> {
        self.transaction.commit().await?;
        self.store.heard(&self.workspace, &self.events);
        Ok(())
    }
}
