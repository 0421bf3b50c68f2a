//! What a change does to refunds that wait.

use desk::id::{RefundId, TicketId};
use desk::refund::State;
use sqlx::Any;
use sqlx::any::AnyArguments;
use sqlx::query::Query;

use super::change::{Change, Line};
use super::refund::{self, refund_columns};
use super::row::{Row, stored};
use super::{Actor, Refund, StoreError};

impl Change {
    /// What is held in this workspace since it was made or reset, or for one of its tickets; oldest first.
    pub(super) async fn held(&mut self, ticket: Option<&TicketId>) -> Result<Vec<Refund>, StoreError> {
        let (workspace, epoch) = (self.workspace.clone(), self.epoch);
        let rows = sqlx::query(concat!(
            "SELECT ",
            refund_columns!("r."),
            " FROM refund r WHERE r.workspace = $1 AND r.epoch = $2 AND r.state = 'held' \
             AND (r.ticket = $3 OR $3 IS NULL) ORDER BY r.seq"
        ))
        .bind(workspace.as_str())
        .bind(epoch)
        .bind(ticket.map(TicketId::as_str))
        .fetch_all(self.connection())
        .await?;
        rows.iter().map(|row| refund::read(&Row(row))).collect()
    }

    /// Ends what is held without paying it, and releases what it reserves.
    pub(super) async fn end_held(
        &mut self,
        actor: &Actor,
        held: &Refund,
        end: State,
        code: Option<&'static str>,
    ) -> Result<Refund, StoreError> {
        let now = self.now;
        let ended = self
            .one(
                sqlx::query(concat!(
                    "UPDATE refund SET state = $2, ended_at = $3, counts_until = 0 \
                     WHERE id = $1 AND state = 'held' RETURNING ",
                    refund_columns!("")
                ))
                .bind(held.id.as_str())
                .bind(end.as_str())
                .bind(now.0),
            )
            .await?;
        self.release(&ended, ended.amount.0).await?;
        self.refund_event(actor, what(end), &ended, code).await?;
        Ok(ended)
    }

    /// Gives back what a refund reserves, or a part of it. After a reset there is nothing to give back.
    pub(super) async fn release(&mut self, refund: &Refund, amount: u64) -> Result<(), StoreError> {
        if refund.epoch != self.epoch {
            return Ok(());
        }
        sqlx::query(
            "UPDATE payment SET reserved = reserved - $3 WHERE workspace = $1 AND id = $2 AND reserved >= $3 \
             RETURNING reserved",
        )
        .bind(refund.workspace.as_str())
        .bind(refund.payment.as_str())
        .bind(stored(amount))
        .fetch_optional(self.connection())
        .await?
        .ok_or_else(|| {
            tracing::error!(refund = %refund.id, "less is reserved than this refund reserves");
            StoreError::Unavailable
        })?;
        Ok(())
    }

    /// One call fewer waits.
    pub(super) async fn leave(&mut self, id: &RefundId) -> Result<Refund, StoreError> {
        self.one(
            sqlx::query(concat!(
                "UPDATE refund SET callers = callers - 1 WHERE id = $1 RETURNING ",
                refund_columns!("")
            ))
            .bind(id.as_str()),
        )
        .await
    }

    /// A call has received the outcome.
    pub(super) async fn receive(&mut self, id: &RefundId) -> Result<Refund, StoreError> {
        self.one(
            sqlx::query(concat!(
                "UPDATE refund SET received = 1 WHERE id = $1 RETURNING ",
                refund_columns!("")
            ))
            .bind(id.as_str()),
        )
        .await
    }

    /// Runs an update of one refund that answers it.
    pub(super) async fn one(&mut self, update: Query<'_, Any, AnyArguments>) -> Result<Refund, StoreError> {
        let row = update.fetch_optional(self.connection()).await?.ok_or(StoreError::AlreadyDecided)?;
        refund::read(&Row(&row))
    }

    /// Puts an event about a refund on the record.
    pub(super) async fn refund_event(
        &mut self,
        actor: &Actor,
        what: &'static str,
        refund: &Refund,
        code: Option<&'static str>,
    ) -> Result<(), StoreError> {
        let line = Line {
            what,
            ticket: Some(&refund.ticket),
            refund: Some(&refund.id),
            state: Some(refund.state.as_str()),
            code,
            amount: Some((refund.amount, refund.currency)),
        };
        self.event(actor, line).await
    }
}

/// What the record says when a refund comes to a state.
pub(super) const fn what(state: State) -> &'static str {
    match state {
        State::Held => "refund held",
        State::Paying => "refund being paid",
        State::Paid => "refund paid",
        State::Returned => "refund returned",
        State::Failed => "refund failed",
        State::Unknown => "refund outcome unknown",
        State::Rejected => "refund rejected",
        State::Expired => "refund expired",
        State::Withdrawn => "refund withdrawn",
        State::TermsChanged => "refund terms changed",
    }
}
