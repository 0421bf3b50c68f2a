//! The demonstration's records: written once as the pristine workspace, cloned into every sandbox.

use desk::Millis;
use desk::money::code;
use desk::ticket::word;
use sqlx::AnyConnection;

use super::row::stored;
use super::{StoreError, Workspace};
use crate::seed;

/// Writes the six orders, the eight tickets and what the tickets say. Ages are measured from `now`.
pub(super) async fn fill(
    connection: &mut AnyConnection,
    workspace: &Workspace,
    now: Millis,
) -> Result<(), StoreError> {
    for order in desk::demo::orders(now) {
        let payment = &order.payment;
        sqlx::query(
            "INSERT INTO payment (workspace, id, currency, captured, refunded, reserved) \
             VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(workspace.as_str())
        .bind(payment.id.as_str())
        .bind(code(payment.currency))
        .bind(stored(payment.captured.0))
        .bind(stored(payment.refunded.0))
        .bind(stored(payment.reserved.0))
        .execute(&mut *connection)
        .await?;
        sqlx::query(
            "INSERT INTO orders (workspace, id, customer, payment, purchased_at, delivered_at, confirmed_at, \
             final_sale, dispute, prior_refunds, version) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        )
        .bind(workspace.as_str())
        .bind(order.id.as_str())
        .bind(order.customer.as_str())
        .bind(payment.id.as_str())
        .bind(order.purchased_at.0)
        .bind(order.delivered_at.map(|at| at.0))
        .bind(order.confirmed_at.map(|at| at.0))
        .bind(i64::from(order.final_sale))
        .bind(order.dispute.map(desk::order::Dispute::as_str))
        .bind(i64::from(order.prior_refunds))
        .bind(stored(order.version))
        .execute(&mut *connection)
        .await?;
    }
    for ticket in desk::demo::tickets(now) {
        sqlx::query(
            "INSERT INTO ticket (workspace, id, order_id, stage, received_at, version) \
             VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(workspace.as_str())
        .bind(ticket.id.as_str())
        .bind(ticket.order.as_ref().map(desk::id::OrderId::as_str))
        .bind(word(ticket.stage))
        .bind(ticket.received_at.0)
        .bind(stored(ticket.version))
        .execute(&mut *connection)
        .await?;
    }
    for one in seed::conversations() {
        let written = (one.subject.as_str(), one.customer.as_str(), one.text.as_str());
        converse(connection, workspace, &one.ticket_id, written, now).await?;
    }
    Ok(())
}

/// Writes the records of the pristine workspace into another one. Every time moves along, so that ages are those of the
/// demonstration at `now`.
pub(super) async fn clone(
    connection: &mut AnyConnection,
    workspace: &Workspace,
    now: Millis,
) -> Result<(), StoreError> {
    for statement in AS_IT_IS {
        sqlx::query(statement).bind(workspace.as_str()).execute(&mut *connection).await?;
    }
    for statement in MOVED_IN_TIME {
        sqlx::query(statement).bind(workspace.as_str()).bind(now.0).execute(&mut *connection).await?;
    }
    Ok(())
}

const AS_IT_IS: [&str; 2] = [
    "INSERT INTO payment (workspace, id, currency, captured, refunded, reserved) \
     SELECT $1, p.id, p.currency, p.captured, p.refunded, p.reserved FROM payment p \
     WHERE p.workspace = 'pristine'",
    "INSERT INTO conversation (workspace, ticket, subject, customer) \
     SELECT $1, c.ticket, c.subject, c.customer FROM conversation c WHERE c.workspace = 'pristine'",
];

const MOVED_IN_TIME: [&str; 3] = [
    "INSERT INTO orders (workspace, id, customer, payment, purchased_at, delivered_at, confirmed_at, final_sale, \
     dispute, prior_refunds, version) \
     SELECT $1, o.id, o.customer, o.payment, o.purchased_at + $2 - w.created_at, \
     o.delivered_at + $2 - w.created_at, o.confirmed_at + $2 - w.created_at, o.final_sale, o.dispute, \
     o.prior_refunds, o.version FROM orders o JOIN workspace w ON w.id = o.workspace \
     WHERE o.workspace = 'pristine'",
    "INSERT INTO ticket (workspace, id, order_id, stage, received_at, version) \
     SELECT $1, t.id, t.order_id, t.stage, t.received_at + $2 - w.created_at, t.version FROM ticket t \
     JOIN workspace w ON w.id = t.workspace WHERE t.workspace = 'pristine'",
    "INSERT INTO message (workspace, ticket, n, author, at, text) \
     SELECT $1, m.ticket, m.n, m.author, m.at + $2 - w.created_at, m.text FROM message m \
     JOIN workspace w ON w.id = m.workspace WHERE m.workspace = 'pristine'",
];

/// Writes what a customer says on a new ticket: subject, name, message.
pub(super) async fn converse(
    connection: &mut AnyConnection,
    workspace: &Workspace,
    ticket: &str,
    (subject, customer, text): (&str, &str, &str),
    now: Millis,
) -> Result<(), StoreError> {
    sqlx::query("INSERT INTO conversation (workspace, ticket, subject, customer) VALUES ($1, $2, $3, $4)")
        .bind(workspace.as_str())
        .bind(ticket)
        .bind(subject.as_bytes())
        .bind(customer.as_bytes())
        .execute(&mut *connection)
        .await?;
    sqlx::query(
        "INSERT INTO message (workspace, ticket, n, author, at, text) VALUES ($1, $2, 1, 'customer', $3, $4)",
    )
    .bind(workspace.as_str())
    .bind(ticket)
    .bind(now.0)
    .bind(text.as_bytes())
    .execute(&mut *connection)
    .await?;
    Ok(())
}
