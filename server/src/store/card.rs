//! What an approver sees.

use desk::Millis;
use desk::card::{Digest, Terms};
use desk::facts::tier_total;
use desk::id::{RefundId, TicketId};
use desk::order::Order;
use desk::ticket::{Ticket, Versions};
use policy::{Permit, Purpose, Strength};
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use super::refund::{self, refund_columns};
use super::row::Row;
use super::view::{self, view_columns, view_records};
use super::{ActiveRules, Refund, Store, StoreError, Workspace};

/// A refund with the records it stands on as they are now, and the agent's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// The refund.
    pub refund: Refund,
    /// The order's record now.
    pub order: Order,
    /// The ticket's record now.
    pub ticket: Ticket,
    /// What the policy says of it now, with its own amount left out.
    pub permit: Permit,
    /// What an approval is bound to now.
    pub terms: Terms,
    /// The digest of the terms.
    pub digest: Digest,
    /// How many people approve, by the stricter of then and now.
    pub people: u8,
    /// How strong each approval has to be, by the stricter of then and now.
    pub strength: Strength,
    /// How many people have approved these terms.
    pub approved_by: u8,
    /// True if the customer wrote after it was staged.
    pub newer_message: bool,
    /// The agent's words, as they were sent: untrusted. At most five.
    pub words: Vec<String>,
}

/// A refund with all that its card needs but the words; `$1` is now.
macro_rules! card_select {
    () => {
        concat!(
            "SELECT ",
            view_columns!(),
            ", ",
            refund_columns!("r."),
            ", (SELECT COUNT(*) FROM approval a WHERE a.refund = r.id) AS approvals, \
             (SELECT COUNT(*) FROM message m WHERE m.workspace = t.workspace AND m.ticket = t.id \
              AND m.author = 'customer' AND m.at > r.staged_at) AS newer \
             FROM refund r JOIN workspace w ON w.id = r.workspace AND w.epoch = r.epoch \
             JOIN ticket t ON t.workspace = r.workspace AND t.id = r.ticket",
            view_records!(),
        )
    };
}

impl Store {
    /// What an approver sees of one refund.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], also for a refund from before a reset; [`StoreError::OtherRules`],
    /// [`StoreError::Unavailable`].
    pub async fn card(&self, id: &RefundId, rules: &ActiveRules, now: Millis) -> Result<Card, StoreError> {
        card(&mut *self.pools().snapshot().await?, id, rules, now).await
    }

    /// What waits in one workspace, or on one of its tickets; oldest first.
    ///
    /// # Errors
    /// As [`Store::card`].
    pub async fn cards(
        &self,
        workspace: &Workspace,
        ticket: Option<&TicketId>,
        rules: &ActiveRules,
        now: Millis,
    ) -> Result<Vec<Card>, StoreError> {
        let mut snapshot = self.pools().snapshot().await?;
        let rows = sqlx::query(concat!(
            card_select!(),
            " WHERE r.workspace = $2 AND r.state = 'held' AND (r.ticket = $3 OR $3 IS NULL) ORDER BY r.seq"
        ))
        .bind(now.0)
        .bind(workspace.as_str())
        .bind(ticket.map(TicketId::as_str))
        .fetch_all(&mut *snapshot)
        .await?;
        complete(&mut snapshot, &rows, rules, now).await
    }

    /// What waits in every workspace but `demo`; oldest first, at most `limit`.
    ///
    /// # Errors
    /// As [`Store::card`].
    pub async fn cards_everywhere(
        &self,
        rules: &ActiveRules,
        now: Millis,
        limit: u32,
    ) -> Result<Vec<Card>, StoreError> {
        let mut snapshot = self.pools().snapshot().await?;
        let rows = sqlx::query(concat!(
            card_select!(),
            " WHERE r.workspace <> 'demo' AND r.state = 'held' ORDER BY r.staged_at, r.id LIMIT $2"
        ))
        .bind(now.0)
        .bind(i64::from(limit))
        .fetch_all(&mut *snapshot)
        .await?;
        complete(&mut snapshot, &rows, rules, now).await
    }
}

/// What an approver sees of one refund, within a transaction.
pub(super) async fn card(
    connection: &mut AnyConnection,
    id: &RefundId,
    rules: &ActiveRules,
    now: Millis,
) -> Result<Card, StoreError> {
    let row = sqlx::query(concat!(card_select!(), " WHERE r.id = $2"))
        .bind(now.0)
        .bind(id.as_str())
        .fetch_optional(&mut *connection)
        .await?
        .ok_or(StoreError::NotFound)?;
    read(connection, &Row(&row), rules, now).await
}

async fn complete(
    connection: &mut AnyConnection,
    rows: &[AnyRow],
    rules: &ActiveRules,
    now: Millis,
) -> Result<Vec<Card>, StoreError> {
    let mut cards = Vec::with_capacity(rows.len());
    for row in rows {
        cards.push(read(connection, &Row(row), rules, now).await?);
    }
    Ok(cards)
}

async fn read(
    connection: &mut AnyConnection,
    row: &Row<'_>,
    rules: &ActiveRules,
    now: Millis,
) -> Result<Card, StoreError> {
    let view = view::read(row)?;
    rules.are(view.rules)?;
    let refund = refund::read(row)?;
    let facts = view.facts(now).ok_or(StoreError::Unavailable)?;
    let tier = rules.rules.tier(refund.currency, tier_total(&facts, refund.amount));
    let permit = view.permit(&rules.rules, now, Purpose::Decision);
    let order = view.order.ok_or(StoreError::Unavailable)?;
    let terms = Terms {
        refund: refund.id.clone(),
        amount: refund.amount,
        currency: refund.currency,
        payment: refund.payment.clone(),
        versions: Versions { order: order.version, ticket: view.ticket.version },
        rules: view.rules,
    };
    let digest = terms.digest();
    let approved_by = match row.int("approvals")? {
        0 => 0,
        _ => approvals(connection, &refund.id, &digest).await?,
    };
    let words = sqlx::query("SELECT text FROM refund_words WHERE refund = $1 ORDER BY n")
        .bind(refund.id.as_str())
        .fetch_all(&mut *connection)
        .await?;
    Ok(Card {
        people: refund.people.max(tier.people),
        strength: refund.strength.max(tier.strength),
        approved_by,
        newer_message: row.flag("newer")?,
        words: words.iter().map(|row| Row(row).written("text")).collect::<Result<_, _>>()?,
        terms,
        digest,
        refund,
        order,
        ticket: view.ticket,
        permit,
    })
}

/// How many people have approved exactly these terms.
pub(super) async fn approvals(
    connection: &mut AnyConnection,
    id: &RefundId,
    digest: &Digest,
) -> Result<u8, StoreError> {
    let row = sqlx::query("SELECT COUNT(*) AS n FROM approval WHERE refund = $1 AND digest = $2")
        .bind(id.as_str())
        .bind(digest.as_str())
        .fetch_one(connection)
        .await?;
    Row(&row).number("n")
}
