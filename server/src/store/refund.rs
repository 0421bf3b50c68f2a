//! Refunds as they are stored.

use desk::Millis;
use desk::id::{CustomerId, OrderId, PaymentId, RefundId, TicketId};
use desk::money::{Currency, Minor};
use desk::refund::State;
use desk::ticket::Versions;
use policy::Strength;
use sqlx::{Any, Executor};

use super::row::{self, Row};
use super::{Agent, AgentKind, Store, StoreError, Workspace};

/// One refund. No text of strangers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refund {
    /// Its unguessable name.
    pub id: RefundId,
    /// Where it is.
    pub workspace: Workspace,
    /// Its ticket.
    pub ticket: TicketId,
    /// Its order.
    pub order: OrderId,
    /// Whose order it is.
    pub customer: CustomerId,
    /// The payment it comes from.
    pub payment: PaymentId,
    /// In this currency.
    pub currency: Currency,
    /// What the agent asked for.
    pub asked: Minor,
    /// What was or would be paid; a person may have lowered it.
    pub amount: Minor,
    /// Where it stands.
    pub state: State,
    /// Who staged it.
    pub by: Agent,
    /// How many calls wait for it.
    pub callers: u32,
    /// True once a call has received its outcome.
    pub received: bool,
    /// How many people approve.
    pub people: u8,
    /// How strong each approval has to be.
    pub strength: Strength,
    /// The records it was staged on.
    pub staged_on: Versions,
    /// The rules it was staged under.
    pub staged_under: u64,
    /// When it was staged.
    pub staged_at: Millis,
    /// When it expires, if it is still held then.
    pub expires_at: Millis,
    /// When it ended.
    pub ended_at: Option<Millis>,
    /// The provider's reference, once paid.
    pub reference: Option<String>,
    /// The approver's note meant for the customer.
    pub note_to_customer: Option<String>,
    /// The approver's note for the staff. Not for an agent.
    pub note_internal: Option<String>,
    /// The making of the workspace it belongs to.
    pub(super) epoch: i64,
}

/// Columns of a refund, for a query that names it `"r."`, or `""` after RETURNING.
macro_rules! refund_columns {
    ($r:literal) => {
        concat!(
            $r,
            "id AS r_id, ",
            $r,
            "workspace AS r_workspace, ",
            $r,
            "ticket AS r_ticket, ",
            $r,
            "order_id AS r_order, ",
            $r,
            "customer AS r_customer, ",
            $r,
            "payment AS r_payment, ",
            $r,
            "currency AS r_currency, ",
            $r,
            "asked AS r_asked, ",
            $r,
            "amount AS r_amount, ",
            $r,
            "state AS r_state, ",
            $r,
            "kind AS r_kind, ",
            $r,
            "credential AS r_credential, ",
            $r,
            "callers AS r_callers, ",
            $r,
            "received AS r_received, ",
            $r,
            "people AS r_people, ",
            $r,
            "strength AS r_strength, ",
            $r,
            "order_version AS r_order_version, ",
            $r,
            "ticket_version AS r_ticket_version, ",
            $r,
            "rules_version AS r_rules_version, ",
            $r,
            "staged_at AS r_staged_at, ",
            $r,
            "expires_at AS r_expires_at, ",
            $r,
            "ended_at AS r_ended_at, ",
            $r,
            "reference AS r_reference, ",
            $r,
            "note_to_customer AS r_note_to_customer, ",
            $r,
            "note_internal AS r_note_internal, ",
            $r,
            "epoch AS r_epoch",
        )
    };
}
pub(super) use refund_columns;

/// The refund in a row.
pub(super) fn read(row: &Row<'_>) -> Result<Refund, StoreError> {
    Ok(Refund {
        id: row.id("r_id")?,
        workspace: Workspace::stored(row.text("r_workspace")?),
        ticket: row.id("r_ticket")?,
        order: row.id("r_order")?,
        customer: row.id("r_customer")?,
        payment: row.id("r_payment")?,
        currency: row.currency("r_currency")?,
        asked: row.minor("r_asked")?,
        amount: row.minor("r_amount")?,
        state: row.word("r_state", State::parse)?,
        by: Agent { kind: row.word("r_kind", AgentKind::parse)?, credential: row.text("r_credential")? },
        callers: row.number("r_callers")?,
        received: row.flag("r_received")?,
        people: row.number("r_people")?,
        strength: row.word("r_strength", row::strength)?,
        staged_on: Versions {
            order: row.number("r_order_version")?,
            ticket: row.number("r_ticket_version")?,
        },
        staged_under: row.number("r_rules_version")?,
        staged_at: row.time("r_staged_at")?,
        expires_at: row.time("r_expires_at")?,
        ended_at: row.time_or_none("r_ended_at")?,
        reference: row.text_or_none("r_reference")?,
        note_to_customer: row.written_or_none("r_note_to_customer")?,
        note_internal: row.written_or_none("r_note_internal")?,
        epoch: row.int("r_epoch")?,
    })
}

/// A refund by its name, whatever workspace it is in.
pub(super) async fn by_id<'c>(
    connection: impl Executor<'c, Database = Any>,
    id: &RefundId,
) -> Result<Refund, StoreError> {
    let row = sqlx::query(concat!("SELECT ", refund_columns!("r."), " FROM refund r WHERE r.id = $1"))
        .bind(id.as_str())
        .fetch_optional(connection)
        .await?
        .ok_or(StoreError::NotFound)?;
    read(&Row(&row))
}

/// The newest refunds of a ticket since its workspace was made or reset, newest first, at most [`LISTED`].
pub(super) async fn of_ticket<'c>(
    connection: impl Executor<'c, Database = Any>,
    workspace: &Workspace,
    ticket: &TicketId,
) -> Result<Vec<Refund>, StoreError> {
    let rows = sqlx::query(concat!(
        "SELECT ",
        refund_columns!("r."),
        " FROM refund r JOIN workspace w ON w.id = r.workspace AND w.epoch = r.epoch \
         WHERE r.workspace = $1 AND r.ticket = $2 ORDER BY r.seq DESC LIMIT $3"
    ))
    .bind(workspace.as_str())
    .bind(ticket.as_str())
    .bind(LISTED)
    .fetch_all(connection)
    .await?;
    rows.iter().map(|row| read(&Row(row))).collect()
}

/// How many refunds of a ticket are looked at.
const LISTED: i64 = 200;

impl Store {
    /// One refund, of whatever workspace; compare [`Refund::workspace`].
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::Unavailable`].
    pub async fn refund(&self, id: &RefundId) -> Result<Refund, StoreError> {
        by_id(self.pools().read(), id).await
    }

    /// What is held for a page, in every workspace: staged by the token of a tab or by a person playing the agent.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn held_by_pages(&self) -> Result<Vec<Refund>, StoreError> {
        let rows = sqlx::query(concat!(
            "SELECT ",
            refund_columns!("r."),
            " FROM refund r WHERE r.state = 'held' AND r.kind IN ('tab', 'played')"
        ))
        .fetch_all(self.pools().read())
        .await?;
        rows.iter().map(|row| read(&Row(row))).collect()
    }

    /// The newest 200 refunds of a ticket since its workspace was made or reset, newest first.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn refunds(&self, workspace: &Workspace, ticket: &TicketId) -> Result<Vec<Refund>, StoreError> {
        of_ticket(self.pools().read(), workspace, ticket).await
    }
}
