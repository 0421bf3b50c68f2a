//! Staging a refund.

use desk::Millis;
use desk::call::{Call, Earlier, Refusal, call};
use desk::facts::tier_total;
use desk::id::{RefundId, TicketId};
use desk::money::Minor;
use desk::order::Order;
use policy::{Code, Permit, Purpose, Tier};
use sqlx::any::AnyRow;

use super::change::{Change, Line};
use super::error::{Broken, broken};
use super::refund::refund_columns;
use super::row::{Row, stored, strength_word};
use super::view::View;
use super::{ActiveRules, Actor, Agent, Refund, Store, StoreError, Workspace, refund};

/// A call for a refund.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// Who calls.
    pub by: &'a Agent,
    /// For this ticket.
    pub ticket: &'a TicketId,
    /// Minor units of the order's currency.
    pub amount: Minor,
    /// The agent's words, at most 280 characters; more is cut off.
    pub words: Option<&'a str>,
}

/// What a call came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Staged {
    /// A new refund is held.
    Held(Refund),
    /// It waits with the one that is open.
    Joined(Refund),
    /// It gets an outcome that is known, and counts as having received it.
    Repeated(Refund),
}

/// How many entries of an agent's words a card has.
const ENTRIES: i64 = 5;

/// How many characters an entry has.
const CHARACTERS: usize = 280;

impl Store {
    /// Holds a refund, joins one, or finds the outcome of an equal call.
    ///
    /// # Errors
    /// [`StoreError::NotFound`]; [`StoreError::Policy`] and [`StoreError::AmountInvalid`] if nothing is staged, which
    /// is on the record; [`StoreError::OtherRules`], [`StoreError::TooManySandboxes`], [`StoreError::Unavailable`].
    pub async fn stage(
        &self,
        workspace: &Workspace,
        ask: Ask<'_>,
        rules: &ActiveRules,
        now: Millis,
    ) -> Result<Staged, StoreError> {
        let mut change = self.change(workspace, now).await?;
        let view = change.view(ask.ticket).await?;
        rules.are(view.rules)?;
        let permit = view.permit(&rules.rules, now, Purpose::Agents);
        let earlier = refund::of_ticket(change.connection(), workspace, ask.ticket).await?;
        let seen = earlier.iter().map(|one| (&one.id, seen(one, ask.by)));
        let staged = match call(&permit, ask.amount, seen, now) {
            Call::Stage => Staged::Held(change.hold(ask, &view, &permit, rules).await?),
            Call::Join(id) => Staged::Joined(change.join(ask, id).await?),
            Call::Repeat(id) => Staged::Repeated(change.repeat(ask, id).await?),
            Call::Refuse(refusal) => {
                let refused = change.refuse(ask, &view, &permit, refusal).await?;
                change.commit().await?;
                return Err(refused);
            }
        };
        change.commit().await?;
        Ok(staged)
    }
}

fn seen(refund: &Refund, by: &Agent) -> Earlier {
    Earlier {
        state: refund.state,
        asked: refund.asked,
        same_caller: refund.by.credential == by.credential,
        ended_at: refund.ended_at,
        received: refund.received,
    }
}

fn refund_id() -> Result<RefundId, StoreError> {
    let name = format!("r{:032x}", rand::random::<u128>());
    RefundId::try_from(name).map_err(|_| StoreError::Unavailable)
}

impl Change {
    async fn hold(
        &mut self,
        ask: Ask<'_>,
        view: &View,
        permit: &Permit,
        rules: &ActiveRules,
    ) -> Result<Refund, StoreError> {
        let reserved_elsewhere =
            || StoreError::Policy { code: Code::ReservedElsewhere, permit: Box::new(*permit) };
        let (Some(order), Some(facts)) = (&view.order, view.facts(self.now)) else {
            return Err(StoreError::Unavailable);
        };
        let payment = &order.payment;
        sqlx::query(
            "UPDATE payment SET reserved = reserved + $3 WHERE workspace = $1 AND id = $2 \
             AND refunded + reserved + $3 <= captured RETURNING reserved",
        )
        .bind(view.workspace.as_str())
        .bind(payment.id.as_str())
        .bind(stored(ask.amount.0))
        .fetch_optional(self.connection())
        .await?
        .ok_or_else(reserved_elsewhere)?;
        let tier = rules.rules.tier(payment.currency, tier_total(&facts, ask.amount));
        let row = match self.insert(&refund_id()?, ask, view, order, tier).await {
            Ok(row) => row,
            // The one place where the tables' own rule becomes an answer.
            Err(error) => {
                return Err(match broken(&error) {
                    Some(Broken::OneOpenRefundPerPayment | Broken::NeverAboveCaptured) => {
                        reserved_elsewhere()
                    }
                    None => error.into(),
                });
            }
        };
        let refund = refund::read(&Row(&row))?;
        self.add_words(&refund.id, ask.words).await?;
        self.refund_event(&Actor::Agent(ask.by.clone()), "refund held", &refund, None).await?;
        Ok(refund)
    }

    async fn insert(
        &mut self,
        id: &RefundId,
        ask: Ask<'_>,
        view: &View,
        order: &Order,
        tier: Tier,
    ) -> Result<AnyRow, sqlx::Error> {
        let (epoch, seq, now) = (self.epoch, self.seq(), self.now);
        sqlx::query(concat!(
            "INSERT INTO refund (id, workspace, epoch, seq, ticket, order_id, customer, payment, currency, asked, \
             amount, state, kind, credential, callers, received, people, strength, order_version, ticket_version, \
             rules_version, staged_at, expires_at, counts_until) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, 'held', $11, $12, 1, 0, $13, $14, $15, $16, $17, \
             $18, $19, $20) RETURNING ",
            refund_columns!("")
        ))
        .bind(id.as_str())
        .bind(view.workspace.as_str())
        .bind(epoch)
        .bind(seq)
        .bind(ask.ticket.as_str())
        .bind(order.id.as_str())
        .bind(order.customer.as_str())
        .bind(order.payment.id.as_str())
        .bind(desk::money::code(order.payment.currency))
        .bind(stored(ask.amount.0))
        .bind(ask.by.kind.as_str())
        .bind(ask.by.credential.as_str())
        .bind(i64::from(tier.people.max(1)))
        .bind(strength_word(tier.strength))
        .bind(stored(order.version))
        .bind(stored(view.ticket.version))
        .bind(stored(view.rules))
        .bind(now.0)
        .bind(now.plus_seconds(tier.expires).0)
        .bind(i64::MAX)
        .fetch_one(self.connection())
        .await
    }

    async fn join(&mut self, ask: Ask<'_>, id: &RefundId) -> Result<Refund, StoreError> {
        let row = sqlx::query(concat!(
            "UPDATE refund SET callers = callers + 1 WHERE id = $1 RETURNING ",
            refund_columns!("")
        ))
        .bind(id.as_str())
        .fetch_one(self.connection())
        .await?;
        let refund = refund::read(&Row(&row))?;
        self.add_words(id, ask.words).await?;
        self.refund_event(&Actor::Agent(ask.by.clone()), "call joined", &refund, None).await?;
        Ok(refund)
    }

    async fn repeat(&mut self, ask: Ask<'_>, id: &RefundId) -> Result<Refund, StoreError> {
        let refund = self.receive(id).await?;
        self.refund_event(&Actor::Agent(ask.by.clone()), "outcome repeated", &refund, None).await?;
        Ok(refund)
    }

    async fn refuse(
        &mut self,
        ask: Ask<'_>,
        view: &View,
        permit: &Permit,
        refusal: Refusal,
    ) -> Result<StoreError, StoreError> {
        let (code, error) = match refusal {
            Refusal::Policy(code) => (code.as_str(), StoreError::Policy { code, permit: Box::new(*permit) }),
            Refusal::MoreThanRemaining => ("AMOUNT_INVALID", StoreError::AmountInvalid),
        };
        let amount = view.order.as_ref().map(|order| (ask.amount, order.payment.currency));
        let line = Line {
            what: "refund refused",
            ticket: Some(ask.ticket),
            state: Some(desk::ticket::word(view.ticket.stage)),
            code: Some(code),
            amount,
            refund: None,
        };
        self.event(&Actor::Agent(ask.by.clone()), line).await?;
        Ok(error)
    }

    /// Adds words that are new, as far as there is room.
    async fn add_words(&mut self, id: &RefundId, words: Option<&str>) -> Result<(), StoreError> {
        let words: String = words.unwrap_or_default().chars().take(CHARACTERS).collect();
        if words.trim().is_empty() {
            return Ok(());
        }
        let rows = sqlx::query("SELECT text FROM refund_words WHERE refund = $1 ORDER BY n")
            .bind(id.as_str())
            .fetch_all(self.connection())
            .await?;
        let known = i64::try_from(rows.len()).unwrap_or(ENTRIES);
        for row in &rows {
            if Row(row).written("text")? == words {
                return Ok(());
            }
        }
        if known < ENTRIES {
            sqlx::query("INSERT INTO refund_words (refund, n, text) VALUES ($1, $2, $3)")
                .bind(id.as_str())
                .bind(known + 1)
                .bind(words.as_bytes())
                .execute(self.connection())
                .await?;
        }
        Ok(())
    }
}
