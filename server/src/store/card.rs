//! What an approver sees.

use desk::Millis;
use desk::card::{Digest, Terms};
use desk::facts::{Sums, tier_total};
use desk::id::RefundId;
use desk::order::Order;
use desk::ticket::{Ticket, Versions};
use policy::{Permit, Purpose, Strength};
use sqlx::AnyConnection;

use super::refund::{self, refund_columns};
use super::row::Row;
use super::view::{self, view_columns, view_records, view_sums};
use super::{ActiveRules, Refund, Store, StoreError};

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

/// A refund `r` with all that its card needs but the sums and the words.
macro_rules! card_columns {
    () => {
        concat!(
            view_columns!(),
            ", ",
            refund_columns!("r."),
            ", (SELECT COUNT(*) FROM approval a WHERE a.refund = r.id) AS approvals, \
             (SELECT COUNT(*) FROM message m WHERE m.workspace = t.workspace AND m.ticket = t.id \
              AND m.author = 'customer' AND m.at > r.staged_at) AS newer"
        )
    };
}
pub(super) use card_columns;

/// The records a refund stands on; none if they were reset.
macro_rules! card_records {
    () => {
        concat!(
            " FROM refund r JOIN workspace w ON w.id = r.workspace AND w.epoch = r.epoch \
             JOIN ticket t ON t.workspace = r.workspace AND t.id = r.ticket",
            view_records!(),
        )
    };
}
pub(super) use card_records;

impl Store {
    /// What an approver sees of one refund.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], also for a refund from before a reset; [`StoreError::OtherRules`],
    /// [`StoreError::Unavailable`].
    pub async fn card(&self, id: &RefundId, rules: &ActiveRules, now: Millis) -> Result<Card, StoreError> {
        card(&mut *self.pools().snapshot().await?, id, rules, now).await
    }
}

/// What an approver sees of one refund, within a transaction.
pub(super) async fn card(
    connection: &mut AnyConnection,
    id: &RefundId,
    rules: &ActiveRules,
    now: Millis,
) -> Result<Card, StoreError> {
    let row = sqlx::query(concat!(
        "SELECT ",
        card_columns!(),
        ", ",
        view_sums!(),
        card_records!(),
        " WHERE r.id = $2"
    ))
    .bind(now.0)
    .bind(id.as_str())
    .fetch_optional(&mut *connection)
    .await?
    .ok_or(StoreError::NotFound)?;
    let row = Row(&row);
    let words = sqlx::query("SELECT text FROM refund_words WHERE refund = $1 ORDER BY n")
        .bind(id.as_str())
        .fetch_all(&mut *connection)
        .await?;
    let words = words.iter().map(|row| Row(row).written("text")).collect::<Result<_, _>>()?;
    read(connection, &row, view::sums(&row)?, words, rules, now).await
}

/// The card in a row.
pub(super) async fn read(
    connection: &mut AnyConnection,
    row: &Row<'_>,
    sums: Sums,
    words: Vec<String>,
    rules: &ActiveRules,
    now: Millis,
) -> Result<Card, StoreError> {
    let view = view::read(row, sums)?;
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
    Ok(Card {
        people: refund.people.max(tier.people),
        strength: refund.strength.max(tier.strength),
        approved_by,
        newer_message: row.flag("newer")?,
        words,
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
