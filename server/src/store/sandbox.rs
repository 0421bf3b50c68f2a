//! Sandboxes: made at the first change, reset, stopped.

use desk::Millis;
use desk::refund::State;
use sqlx::AnyConnection;

use super::change::{Line, machine_clock};
use super::row::Row;
use super::{Actor, Event, Store, StoreError, Workspace, demo};

/// The tickets of the demonstration end at T-108; the next that is composed is T-109.
const LAST_TICKET: i64 = 108;

/// A number of its own for one making of a workspace.
fn epoch() -> i64 {
    i64::try_from(rand::random::<u64>() >> 1).unwrap_or(i64::MAX)
}

impl Store {
    /// Writes a workspace if it is not written yet, as the pristine demonstration. Every change does this by itself.
    ///
    /// # Errors
    /// [`StoreError::TooManySandboxes`], [`StoreError::Unavailable`].
    pub async fn ensure(&self, workspace: &Workspace, now: Millis) -> Result<(), StoreError> {
        let written = sqlx::query("SELECT id FROM workspace WHERE id = $1")
            .bind(workspace.as_str())
            .fetch_optional(self.pools().read())
            .await?;
        match written {
            Some(_) => Ok(()),
            None => self.change(workspace, now).await?.commit().await,
        }
    }

    /// Makes a workspace as it was at first. Refunds that are held end as `withdrawn`; those being paid go on, and no
    /// longer count here. Its `seq` goes on.
    ///
    /// # Errors
    /// As [`Store::ensure`].
    pub async fn reset(&self, workspace: &Workspace, actor: &Actor, now: Millis) -> Result<(), StoreError> {
        let mut change = self.change(workspace, now).await?;
        for refund in change.held(None).await? {
            change.end_held(actor, &refund, State::Withdrawn, None).await?;
        }
        clear(change.connection(), workspace).await?;
        sqlx::query("UPDATE workspace SET epoch = $2, stopped = 0, created_at = $3 WHERE id = $1")
            .bind(workspace.as_str())
            .bind(epoch())
            .bind(now.0)
            .execute(change.connection())
            .await?;
        demo::clone(change.connection(), workspace, now).await?;
        change.event(actor, Line { what: "workspace reset", ..Line::default() }).await?;
        change.commit().await
    }

    /// Stops agents in one workspace, or lets them go on. Held refunds stay decidable.
    ///
    /// # Errors
    /// As [`Store::ensure`].
    pub async fn stop(
        &self,
        workspace: &Workspace,
        actor: &Actor,
        stopped: bool,
        now: Millis,
    ) -> Result<(), StoreError> {
        let mut change = self.change(workspace, now).await?;
        sqlx::query("UPDATE workspace SET stopped = $2 WHERE id = $1")
            .bind(workspace.as_str())
            .bind(i64::from(stopped))
            .execute(change.connection())
            .await?;
        change.event(actor, Line { what: stop_word(stopped), ..Line::default() }).await?;
        change.commit().await
    }

    /// Stops agents in every workspace, or lets them go on where they are not stopped by their own. Every workspace
    /// gets an event; a listener hears it once, for the pristine one.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn stop_everywhere(&self, actor: &Actor, stopped: bool, now: Millis) -> Result<(), StoreError> {
        let mut transaction = self.pools().write().await?;
        sqlx::query("UPDATE desk SET stopped = $1")
            .bind(i64::from(stopped))
            .execute(&mut *transaction)
            .await?;
        let event = tell_all(&mut transaction, actor, stop_word(stopped), now).await?;
        transaction.commit().await?;
        self.heard(&Workspace::PRISTINE, &[event]);
        Ok(())
    }

    /// Makes the pristine demonstration anew, and `demo` if it is not there.
    pub(super) async fn make_demonstration(&self, now: Millis) -> Result<(), StoreError> {
        let mut transaction = self.pools().write().await?;
        let pristine = Workspace::PRISTINE;
        one_at_a_time(&mut transaction).await?;
        insert(&mut transaction, &pristine, now).await?;
        sqlx::query("UPDATE workspace SET created_at = $2 WHERE id = $1")
            .bind(pristine.as_str())
            .bind(now.0)
            .execute(&mut *transaction)
            .await?;
        clear(&mut transaction, &pristine).await?;
        demo::fill(&mut transaction, &pristine, now).await?;
        if insert(&mut transaction, &Workspace::DEMO, now).await? {
            demo::clone(&mut transaction, &Workspace::DEMO, now).await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// # Errors
    /// Unless both workspaces of the demonstration can be read.
    pub(super) async fn has_demonstration(&self) -> Result<(), StoreError> {
        let row = sqlx::query("SELECT COUNT(*) AS n FROM workspace WHERE id IN ('demo', 'pristine')")
            .fetch_one(self.pools().read())
            .await?;
        if Row(&row).int("n")? == 2 { Ok(()) } else { Err(StoreError::Unavailable) }
    }

    /// Writes a sandbox unless there are too many.
    pub(super) async fn make_sandbox(
        &self,
        connection: &mut AnyConnection,
        workspace: &Workspace,
        now: Millis,
    ) -> Result<(), StoreError> {
        one_at_a_time(connection).await?;
        let row = sqlx::query("SELECT COUNT(*) AS n FROM workspace WHERE id NOT IN ('demo', 'pristine')")
            .fetch_one(&mut *connection)
            .await?;
        let full = Row(&row).int("n")? >= i64::from(self.inner.limits.sandboxes);
        if full && *workspace != Workspace::DEMO {
            return Err(StoreError::TooManySandboxes);
        }
        if insert(connection, workspace, now).await? {
            demo::clone(connection, workspace, now).await?;
        }
        Ok(())
    }
}

/// Takes the desk's row. Workspaces come to be one after the other, so that none is missed when all are told something,
/// and none is one too many.
async fn one_at_a_time(connection: &mut AnyConnection) -> Result<(), StoreError> {
    sqlx::query("UPDATE desk SET stopped = stopped").execute(connection).await?;
    Ok(())
}

fn stop_word(stopped: bool) -> &'static str {
    if stopped { "agents stopped" } else { "agents resumed" }
}

/// Puts the same event on the record of every workspace. The transaction has to hold the desk's row. The pristine one moves too: it stands for all that are not
/// written yet.
pub(super) async fn tell_all(
    connection: &mut AnyConnection,
    actor: &Actor,
    what: &'static str,
    now: Millis,
) -> Result<Event, StoreError> {
    sqlx::query("UPDATE workspace SET seq = seq + 1, changed_at = $1")
        .bind(machine_clock())
        .execute(&mut *connection)
        .await?;
    sqlx::query(
        "INSERT INTO event (workspace, seq, at, who, what) SELECT id, seq, $1, $2, $3 FROM workspace",
    )
    .bind(now.0)
    .bind(actor.who())
    .bind(what)
    .execute(&mut *connection)
    .await?;
    let row = sqlx::query("SELECT seq FROM workspace WHERE id = 'pristine'").fetch_one(connection).await?;
    Ok(Event {
        seq: Row(&row).int("seq")?,
        at: now,
        who: actor.who().to_owned(),
        what: what.to_owned(),
        ticket: None,
        refund: None,
        state: None,
        code: None,
        amount: None,
    })
}

/// True if it was not there before.
async fn insert(
    connection: &mut AnyConnection,
    workspace: &Workspace,
    now: Millis,
) -> Result<bool, StoreError> {
    let done = sqlx::query(
        "INSERT INTO workspace (id, seq, epoch, stopped, last_ticket, created_at, used_at, changed_at) \
         VALUES ($1, 0, $2, 0, $3, $4, $4, $5) ON CONFLICT (id) DO NOTHING",
    )
    .bind(workspace.as_str())
    .bind(epoch())
    .bind(LAST_TICKET)
    .bind(now.0)
    .bind(machine_clock())
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Removes the records of a workspace, but not its refunds and events.
async fn clear(connection: &mut AnyConnection, workspace: &Workspace) -> Result<(), StoreError> {
    for statement in [
        "DELETE FROM ticket WHERE workspace = $1",
        "DELETE FROM conversation WHERE workspace = $1",
        "DELETE FROM orders WHERE workspace = $1",
        "DELETE FROM payment WHERE workspace = $1",
    ] {
        sqlx::query(statement).bind(workspace.as_str()).execute(&mut *connection).await?;
    }
    Ok(())
}
