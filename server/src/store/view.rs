//! One consistent read of all that decides about a ticket.

use desk::Millis;
use desk::facts::{self, Own, Sums};
use desk::id::{RefundId, TicketId};
use desk::money::Minor;
use desk::order::{Dispute, Order, Payment};
use desk::refund::State;
use desk::ticket::{Ticket, Versions};
use policy::{OrderFacts, Permit, Purpose, Rules, TicketState, policy};

use super::row::Row;
use super::{Store, StoreError, Workspace};

/// A ticket, its order, its own open refund and the sums over others, as they were at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The workspace that was asked for.
    pub workspace: Workspace,
    /// The ticket.
    pub ticket: Ticket,
    /// Its order, if one is on record.
    pub order: Option<Order>,
    /// Its own refund that has not ended.
    pub own: Option<OpenRefund>,
    /// Sums over other records.
    pub sums: Sums,
    /// True while agents are stopped, here or everywhere.
    pub stopped: bool,
    /// The newest event this answer knows; 0 before the first change.
    pub seq: i64,
    /// The version of the active rules.
    pub rules: u64,
}

/// A refund that has not ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenRefund {
    /// The refund.
    pub id: RefundId,
    /// `held`, `paying` or `unknown`.
    pub state: State,
    /// What it reserves.
    pub amount: Minor,
}

impl View {
    /// What the policy is told of the order; none if the ticket has none on record.
    pub fn facts(&self, now: Millis) -> Option<OrderFacts> {
        let order = self.order.as_ref()?;
        Some(facts::order_facts(order, &self.ticket, self.own(), self.sums, now))
    }

    /// What is permitted under these rules.
    pub fn permit(&self, rules: &Rules, now: Millis, purpose: Purpose) -> Permit {
        policy(rules, self.facts(now).as_ref(), &self.state(), purpose)
    }

    /// What the policy is told of the ticket.
    pub fn state(&self) -> TicketState {
        let version = self.order.as_ref().map(|order| order.version);
        facts::ticket_state(&self.ticket, version, self.own(), self.stopped)
    }

    fn own(&self) -> Option<Own> {
        self.own.as_ref().map(|own| Own { state: own.state, amount: own.amount })
    }
}

/// Columns of a view. What follows has to name `w`, `d`, `t`, `o`, `p`.
macro_rules! view_columns {
    () => {
        "w.id AS w_id, w.seq AS w_seq, w.stopped + d.stopped AS stopped, d.rules AS d_rules, \
         t.id AS t_id, t.order_id AS t_order, t.stage AS t_stage, t.received_at AS t_received, \
         t.version AS t_version, t.rejected_order AS t_rejected_order, t.rejected_ticket AS t_rejected_ticket, \
         o.id AS o_id, o.customer AS o_customer, o.payment AS o_payment, o.purchased_at AS o_purchased, \
         o.delivered_at AS o_delivered, o.confirmed_at AS o_confirmed, o.final_sale AS o_final_sale, \
         o.dispute AS o_dispute, o.prior_refunds AS o_prior_refunds, o.version AS o_version, \
         p.currency AS p_currency, p.captured AS p_captured, p.refunded AS p_refunded, p.reserved AS p_reserved"
    };
}
pub(super) use view_columns;

/// The sums of a view; `$1` is now. A list of many finds them for all at once instead.
macro_rules! view_sums {
    () => {
        "(SELECT CAST(COALESCE(SUM(c.amount), 0) AS BIGINT) FROM refund c WHERE c.workspace = w.id \
          AND c.epoch = w.epoch AND c.customer = o.customer AND c.currency = p.currency AND c.counts_until > $1) \
         AS customer_day, \
         (SELECT CAST(COALESCE(SUM(c.amount), 0) AS BIGINT) FROM refund c WHERE c.workspace = w.id \
          AND c.epoch = w.epoch AND c.currency = p.currency AND c.counts_until > $1) AS workspace_day"
    };
}
pub(super) use view_sums;

/// The order and payment of a ticket `t`, and the whole desk's row.
macro_rules! view_records {
    () => {
        " LEFT JOIN orders o ON o.workspace = t.workspace AND o.id = t.order_id \
         LEFT JOIN payment p ON p.workspace = o.workspace AND p.id = o.payment CROSS JOIN desk d"
    };
}
pub(super) use view_records;

const VIEW: &str = concat!(
    "SELECT ",
    view_columns!(),
    ", ",
    view_sums!(),
    ", r.id AS r_id, r.state AS r_state, r.amount AS r_amount \
     FROM ticket t JOIN workspace w ON w.id = t.workspace",
    view_records!(),
    " LEFT JOIN refund r ON r.workspace = t.workspace AND r.epoch = w.epoch AND r.ticket = t.id \
     AND r.state IN ('held', 'paying', 'unknown') \
     WHERE t.workspace = COALESCE((SELECT id FROM workspace WHERE id = $2), 'pristine') AND t.id = $3"
);

impl Store {
    /// All that decides about a ticket, as it was at one moment. A workspace that is not written yet reads as the
    /// pristine demonstration.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::Unavailable`].
    pub async fn view(
        &self,
        workspace: &Workspace,
        ticket: &TicketId,
        now: Millis,
    ) -> Result<View, StoreError> {
        view(self.pools().read(), workspace, ticket, now).await
    }
}

/// One statement, so that all of it is of one moment.
pub(super) async fn view<'c>(
    connection: impl sqlx::Executor<'c, Database = sqlx::Any>,
    workspace: &Workspace,
    ticket: &TicketId,
    now: Millis,
) -> Result<View, StoreError> {
    let row = sqlx::query(VIEW)
        .bind(now.0)
        .bind(workspace.as_str())
        .bind(ticket.as_str())
        .fetch_optional(connection)
        .await?
        .ok_or(StoreError::NotFound)?;
    let row = Row(&row);
    let mut view = read(&row, sums(&row)?)?;
    if view.workspace.is_pristine() {
        view.workspace = workspace.clone();
        view.seq = 0;
    }
    Ok(view)
}

/// The sums in a row.
pub(super) fn sums(row: &Row<'_>) -> Result<Sums, StoreError> {
    Ok(Sums { customer_day: row.minor("customer_day")?, workspace_day: row.minor("workspace_day")? })
}

/// The view in a row; its own refund is `r`, if that is open.
pub(super) fn read(row: &Row<'_>, sums: Sums) -> Result<View, StoreError> {
    let state = row.word_or_none("r_state", State::parse)?;
    let own = match state.filter(|state| state.reserves()) {
        Some(state) => Some(OpenRefund { id: row.id("r_id")?, state, amount: row.minor("r_amount")? }),
        None => None,
    };
    let order = match row.text_or_none("o_id")? {
        Some(_) => Some(order(row)?),
        None => None,
    };
    Ok(View {
        workspace: Workspace::stored(row.text("w_id")?),
        ticket: ticket(row)?,
        sums,
        order,
        own,
        stopped: row.flag("stopped")?,
        seq: row.int("w_seq")?,
        rules: row.number("d_rules")?,
    })
}

/// The order in a row.
pub(super) fn order(row: &Row<'_>) -> Result<Order, StoreError> {
    Ok(Order {
        id: row.id("o_id")?,
        customer: row.id("o_customer")?,
        payment: Payment {
            id: row.id("o_payment")?,
            currency: row.currency("p_currency")?,
            captured: row.minor("p_captured")?,
            refunded: row.minor("p_refunded")?,
            reserved: row.minor("p_reserved")?,
        },
        purchased_at: row.time("o_purchased")?,
        delivered_at: row.time_or_none("o_delivered")?,
        confirmed_at: row.time_or_none("o_confirmed")?,
        final_sale: row.flag("o_final_sale")?,
        dispute: row.word_or_none("o_dispute", Dispute::parse)?,
        prior_refunds: row.number("o_prior_refunds")?,
        version: row.number("o_version")?,
    })
}

/// The ticket in a row.
pub(super) fn ticket(row: &Row<'_>) -> Result<Ticket, StoreError> {
    let rejected = row.number_or_none("t_rejected_order")?.zip(row.number_or_none("t_rejected_ticket")?);
    Ok(Ticket {
        id: row.id("t_id")?,
        order: row.id_or_none("t_order")?,
        stage: row.word("t_stage", desk::ticket::stage)?,
        received_at: row.time("t_received")?,
        version: row.number("t_version")?,
        rejected: rejected.map(|(order, ticket)| Versions { order, ticket }),
    })
}
