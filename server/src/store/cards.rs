//! All that waits for a person. Sums and words are found for all cards at once: a card at a time, a long list would cost
//! its square.

use std::collections::HashMap;

use desk::Millis;
use desk::facts::Sums;
use desk::id::{RefundId, TicketId};
use desk::money::Minor;
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use super::card::{self, Card, card_columns, card_records};
use super::refund::refund_columns;
use super::row::Row;
use super::view::{view_columns, view_records};
use super::{ActiveRules, Store, StoreError, Workspace};

impl Store {
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
            "SELECT ",
            card_columns!(),
            card_records!(),
            " WHERE r.workspace = $1 AND r.state = 'held' AND (r.ticket = $2 OR $2 IS NULL) ORDER BY r.seq"
        ))
        .bind(workspace.as_str())
        .bind(ticket.map(TicketId::as_str))
        .fetch_all(&mut *snapshot)
        .await?;
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let day = sqlx::query(
            "SELECT workspace, epoch, currency, customer, CAST(SUM(amount) AS BIGINT) AS total FROM refund \
             WHERE counts_until > $1 AND workspace = $2 GROUP BY workspace, epoch, currency, customer",
        )
        .bind(now.0)
        .bind(workspace.as_str())
        .fetch_all(&mut *snapshot)
        .await?;
        let words = sqlx::query(
            "SELECT w.refund, w.text FROM refund_words w JOIN refund r ON r.id = w.refund \
             WHERE r.state = 'held' AND r.workspace = $1 ORDER BY w.refund, w.n",
        )
        .bind(workspace.as_str())
        .fetch_all(&mut *snapshot)
        .await?;
        all(&mut snapshot, &rows, &Day::read(&day)?, words_of(&words)?, rules, now).await
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
            "SELECT ",
            card_columns!(),
            card_records!(),
            " WHERE r.workspace <> 'demo' AND r.state = 'held' ORDER BY r.staged_at, r.id LIMIT $1"
        ))
        .bind(i64::from(limit))
        .fetch_all(&mut *snapshot)
        .await?;
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let day = sqlx::query(
            "SELECT workspace, epoch, currency, customer, CAST(SUM(amount) AS BIGINT) AS total FROM refund \
             WHERE counts_until > $1 GROUP BY workspace, epoch, currency, customer",
        )
        .bind(now.0)
        .fetch_all(&mut *snapshot)
        .await?;
        let words = sqlx::query(
            "SELECT w.refund, w.text FROM refund_words w JOIN refund r ON r.id = w.refund \
             WHERE r.state = 'held' ORDER BY w.refund, w.n",
        )
        .fetch_all(&mut *snapshot)
        .await?;
        all(&mut snapshot, &rows, &Day::read(&day)?, words_of(&words)?, rules, now).await
    }
}

async fn all(
    connection: &mut AnyConnection,
    rows: &[AnyRow],
    day: &Day,
    mut words: HashMap<RefundId, Vec<String>>,
    rules: &ActiveRules,
    now: Millis,
) -> Result<Vec<Card>, StoreError> {
    let mut cards = Vec::with_capacity(rows.len());
    for row in rows {
        let row = Row(row);
        let words = words.remove(&row.id("r_id")?).unwrap_or_default();
        cards.push(card::read(connection, &row, day.sums(&row)?, words, rules, now).await?);
    }
    Ok(cards)
}

fn words_of(rows: &[AnyRow]) -> Result<HashMap<RefundId, Vec<String>>, StoreError> {
    let mut words: HashMap<RefundId, Vec<String>> = HashMap::new();
    for row in rows {
        let row = Row(row);
        words.entry(row.id("refund")?).or_default().push(row.written("text")?);
    }
    Ok(words)
}

/// What is refunded or reserved in 24 hours.
#[derive(Default)]
struct Day {
    /// By workspace, epoch and currency.
    workspaces: HashMap<(String, i64, String), u64>,
    /// The same and the customer.
    customers: HashMap<(String, i64, String, String), u64>,
}

impl Day {
    fn read(rows: &[AnyRow]) -> Result<Day, StoreError> {
        let mut day = Day::default();
        for row in rows {
            let row = Row(row);
            let (workspace, epoch) = (row.text("workspace")?, row.int("epoch")?);
            let (currency, customer) = (row.text("currency")?, row.text("customer")?);
            let total: u64 = row.number("total")?;
            let sum = day.workspaces.entry((workspace.clone(), epoch, currency.clone())).or_default();
            *sum = sum.saturating_add(total);
            day.customers.insert((workspace, epoch, currency, customer), total);
        }
        Ok(day)
    }

    /// The sums that concern the refund in a row.
    fn sums(&self, row: &Row<'_>) -> Result<Sums, StoreError> {
        let of = (row.text("r_workspace")?, row.int("r_epoch")?, row.text("r_currency")?);
        let workspace = self.workspaces.get(&of).copied().unwrap_or_default();
        let (name, epoch, currency) = of;
        let customer = self.customers.get(&(name, epoch, currency, row.text("r_customer")?));
        Ok(Sums {
            customer_day: Minor(customer.copied().unwrap_or_default()),
            workspace_day: Minor(workspace),
        })
    }
}
