//! What an approver was shown, told from its digest.

use desk::card::Terms;
use desk::money::Minor;
use desk::ticket::Versions;
use sqlx::AnyConnection;

use super::card::Card;
use super::row::Row;
use super::{Changed, StoreError};

/// How many earlier terms are compared at most.
const COMPARED: usize = 4_096;

/// What is different now from the terms a digest stands for. Versions only count up and every amount it was lowered
/// from is on the record, so the earlier terms of a refund are few enough to try each. Empty if it stands for none.
pub(super) async fn changed_since(
    connection: &mut AnyConnection,
    card: &Card,
    digest: &str,
) -> Result<Vec<Changed>, StoreError> {
    let rows = sqlx::query("SELECT amount FROM event WHERE refund = $1 AND what = 'amount lowered'")
        .bind(card.refund.id.as_str())
        .fetch_all(connection)
        .await?;
    let mut amounts = vec![card.refund.amount, card.refund.asked];
    for row in &rows {
        amounts.extend(Row(row).number_or_none("amount")?.map(Minor));
    }
    let since =
        Terms { versions: card.refund.staged_on, rules: card.refund.staged_under, ..card.terms.clone() };
    Ok(earlier(&since, &card.terms, &amounts)
        .take(COMPARED)
        .find(|shown| shown.digest().as_str() == digest)
        .map(|shown| differences(&shown, &card.terms))
        .unwrap_or_default())
}

/// Every combination of what the terms were between two moments, the newest first.
fn earlier<'a>(since: &'a Terms, now: &'a Terms, amounts: &'a [Minor]) -> impl Iterator<Item = Terms> + 'a {
    let rules = (since.rules..=now.rules).rev();
    rules.flat_map(move |rules| {
        (since.versions.order..=now.versions.order).rev().flat_map(move |order| {
            (since.versions.ticket..=now.versions.ticket).rev().flat_map(move |ticket| {
                amounts.iter().map(move |amount| Terms {
                    amount: *amount,
                    versions: Versions { order, ticket },
                    rules,
                    ..now.clone()
                })
            })
        })
    })
}

fn differences(shown: &Terms, now: &Terms) -> Vec<Changed> {
    [
        (Changed::Amount, shown.amount != now.amount),
        (Changed::Order, shown.versions.order != now.versions.order),
        (Changed::Ticket, shown.versions.ticket != now.versions.ticket),
        (Changed::Rules, shown.rules != now.rules),
    ]
    .into_iter()
    .filter_map(|(part, differs)| differs.then_some(part))
    .collect()
}
