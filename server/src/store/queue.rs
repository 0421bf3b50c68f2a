//! What the desk's pages list: tickets with what strangers call them, and the orders a message can be about.

use desk::order::Order;
use desk::ticket::Ticket;

use super::row::Row;
use super::{Store, StoreError, Workspace, view};

/// All tickets of a workspace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Queue {
    /// In the order of their names.
    pub lines: Vec<Line>,
    /// True while agents are stopped, here or everywhere.
    pub stopped: bool,
}

/// A ticket in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its record.
    pub ticket: Ticket,
    /// The customer's subject line: untrusted.
    pub subject: String,
    /// The name the customer gave: untrusted.
    pub customer: String,
    /// True while a refund of it has not ended.
    pub open_refund: bool,
}

impl Store {
    /// All tickets of a workspace, each as a line of a list.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn queue(&self, workspace: &Workspace) -> Result<Queue, StoreError> {
        let rows = sqlx::query(
            "SELECT t.id AS t_id, t.order_id AS t_order, t.stage AS t_stage, t.received_at AS t_received, \
             t.version AS t_version, t.rejected_order AS t_rejected_order, \
             t.rejected_ticket AS t_rejected_ticket, c.subject, c.customer, w.stopped + d.stopped AS stopped, \
             (SELECT COUNT(*) FROM refund r WHERE r.workspace = w.id AND r.epoch = w.epoch AND r.ticket = t.id \
             AND r.state IN ('held', 'paying', 'unknown')) AS open_refunds \
             FROM ticket t JOIN workspace w ON w.id = t.workspace \
             JOIN conversation c ON c.workspace = t.workspace AND c.ticket = t.id CROSS JOIN desk d \
             WHERE t.workspace = COALESCE((SELECT id FROM workspace WHERE id = $1), 'pristine') \
             ORDER BY LENGTH(t.id), t.id",
        )
        .bind(workspace.as_str())
        .fetch_all(self.pools().read())
        .await?;
        let mut queue = Queue::default();
        for row in &rows {
            let row = Row(row);
            queue.stopped = row.flag("stopped")?;
            queue.lines.push(Line {
                ticket: view::ticket(&row)?,
                subject: row.written("subject")?,
                customer: row.written("customer")?,
                open_refund: row.flag("open_refunds")?,
            });
        }
        Ok(queue)
    }

    /// All orders of a workspace, in the order of their names.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn orders(&self, workspace: &Workspace) -> Result<Vec<Order>, StoreError> {
        let rows = sqlx::query(
            "SELECT o.id AS o_id, o.customer AS o_customer, o.payment AS o_payment, \
             o.purchased_at AS o_purchased, o.delivered_at AS o_delivered, o.confirmed_at AS o_confirmed, \
             o.final_sale AS o_final_sale, o.dispute AS o_dispute, o.prior_refunds AS o_prior_refunds, \
             o.version AS o_version, p.currency AS p_currency, p.captured AS p_captured, \
             p.refunded AS p_refunded, p.reserved AS p_reserved \
             FROM orders o JOIN payment p ON p.workspace = o.workspace AND p.id = o.payment \
             WHERE o.workspace = COALESCE((SELECT id FROM workspace WHERE id = $1), 'pristine') ORDER BY o.id",
        )
        .bind(workspace.as_str())
        .fetch_all(self.pools().read())
        .await?;
        rows.iter().map(|row| view::order(&Row(row))).collect()
    }
}
