//! Staging, waiting, taking back.

use desk::call::{Call, Earlier, Refusal as Refused, call};
use desk::explain;
use desk::money::{AmountError, Currency, Minor, code};
use desk::refund::{Event, State};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::breaks::Break;
use super::moment::rfc3339;
use super::refusal::{Refusal, good};
use super::state::{Desk, NOW, Refund};
use crate::door::{Answer, Who};

/// How long a refund is held.
const HELD_FOR: u64 = 3_600;

/// Staging's body, read without looking at what else is in it.
#[derive(Deserialize)]
struct Lenient {
    ticket_id: String,
    amount: Box<RawValue>,
    justification: Option<String>,
}

impl Desk {
    pub(super) fn stage(&mut self, who: &Who, body: &str) -> Result<Answer, Refusal> {
        let asked = if self.breaks(Break::UnknownFieldsIgnored) {
            let Lenient { ticket_id, amount, justification } = self.body(body)?;
            wire::refund::Stage { ticket_id, amount, justification }
        } else {
            self.body(body)?
        };
        if matches!(who, Who::Page | Who::Approver) {
            return Err(Refusal::new(403, "FORBIDDEN", "Refunds are asked for by agents."));
        }
        let ticket = self.subject(who, &asked.ticket_id)?;
        let permit = self.permit_to_stage(ticket)?;
        let order = self.order_of(self.filed(ticket)?);
        let currency = match order {
            Some(order) => self.order(order)?.payment.currency,
            None => Currency::USD,
        };
        let amount = self.amount(asked.amount.get(), currency)?;
        let repeats = !self.breaks(Break::RepeatIgnored);
        let earlier =
            self.refunds.iter().enumerate().rev().filter(|(_, one)| one.ticket == ticket).filter_map(
                |(place, one)| {
                    let ended_at = one.state.ended().then_some(NOW);
                    let (state, asked, received) = (one.state, one.asked, one.received);
                    (repeats || state.reserves())
                        .then_some((place, Earlier { state, asked, same_caller: true, ended_at, received }))
                },
            );
        match call(&permit, amount, earlier, NOW) {
            Call::Join(_) if self.breaks(Break::JoinIgnored) => {
                Err(Refusal::new(409, "RESERVED_ELSEWHERE", "A refund for this order is already waiting."))
            }
            Call::Join(refund) => self.staged(refund, 200, true, false),
            Call::Repeat(refund) => self.staged(refund, 200, false, true),
            Call::Refuse(Refused::Policy(code)) => {
                Err(Refusal::new(409, code.as_str(), explain::sentence(code, &permit)))
            }
            Call::Refuse(Refused::MoreThanRemaining) => {
                Err(Refusal::new(409, "AMOUNT_INVALID", "That is more than can still be refunded."))
            }
            Call::Stage => {
                let order = order.ok_or_else(Refusal::not_found)?;
                self.reserve(order, |reserved| reserved.saturating_add(amount.0));
                let id = self.name("rf");
                let leaked = self.breaks(Break::NonceLeaked).then(|| self.name("nonce"));
                self.refunds.push(Refund {
                    id,
                    ticket,
                    order,
                    asked: amount,
                    amount,
                    state: State::Held,
                    words: asked.justification.into_iter().collect(),
                    note: None,
                    reference: None,
                    received: false,
                    leaked,
                });
                self.seq += 1;
                let place = self.refunds.len() - 1;
                if self.breaks(Break::ApprovalNotNeeded) {
                    self.pay(place)?;
                }
                self.staged(place, 201, false, false)
            }
        }
    }

    fn amount(&self, raw: &str, currency: Currency) -> Result<Minor, Refusal> {
        let read = if self.breaks(Break::MoneyAsFloat) {
            let number = raw.trim_matches('"').parse::<f64>().map_err(|_| AmountError::Unreadable);
            number.map(|number| Minor(number.max(0.0).mul_add(100.0, 0.5) as u64)).and_then(|minor| {
                match minor.0 {
                    0 => Err(AmountError::Zero),
                    _ => Ok(minor),
                }
            })
        } else {
            Minor::from_json(raw, currency)
        };
        read.map_err(|error| Refusal::new(422, "AMOUNT_INVALID", error.to_string()))
    }

    fn staged(
        &mut self,
        refund: usize,
        status: u16,
        joined: bool,
        repeated: bool,
    ) -> Result<Answer, Refusal> {
        let outcome = self.outcome(refund, repeated)?;
        self.receive(refund, outcome.is_some());
        let one = self.refund(refund)?;
        let currency = self.order(one.order)?.payment.currency;
        let staged = wire::refund::Staged {
            refund_id: one.id.clone(),
            ticket_id: self.filed(one.ticket)?.record.id.to_string(),
            state: one.state.as_str().to_owned(),
            asked: one.asked.to_text(currency),
            currency: code(currency),
            expires_at: rfc3339(NOW.plus_seconds(HELD_FOR)),
            joined,
            outcome,
        };
        match &one.leaked {
            Some(nonce) => {
                let mut leaking = serde_json::to_value(&staged).unwrap_or(Value::Null);
                if let Value::Object(fields) = &mut leaking {
                    fields.insert(String::from("nonce"), json!(nonce));
                }
                good(status, &leaking)
            }
            None => good(status, &staged),
        }
    }

    fn receive(&mut self, refund: usize, received: bool) {
        if let Some(refund) = self.refunds.get_mut(refund) {
            refund.received |= received;
        }
    }

    /// The refund, if it is this caller's ticket's.
    fn reach(&self, who: &Who, id: &str) -> Result<usize, Refusal> {
        let refund = self.refund_at(id)?;
        let ticket = self.filed(self.refund(refund)?.ticket)?.record.id.to_string();
        self.subject(who, &ticket).map_err(|_| Refusal::not_found())?;
        Ok(refund)
    }

    pub(super) fn standing(&mut self, who: &Who, id: &str) -> Result<Answer, Refusal> {
        let refund = self.reach(who, id)?;
        let outcome = self.outcome(refund, false)?;
        if matches!(who, Who::Agent(_) | Who::Anonymous) {
            self.receive(refund, outcome.is_some());
        }
        let state = self.refund(refund)?.state.as_str().to_owned();
        good(200, &wire::refund::Standing { refund_id: id.to_owned(), state, outcome })
    }

    pub(super) fn withdraw(&mut self, who: &Who, id: &str) -> Result<Answer, Refusal> {
        let refund = self.reach(who, id)?;
        if self.breaks(Break::WithdrawStaysPayable) {
            let state = String::from("withdrawn");
            return good(200, &json!({"refund_id": id, "state": state, "outcome": {"outcome": state}}));
        }
        if self.refund(refund)?.state == State::Held {
            self.happens(refund, Event::Withdraw)?;
        }
        self.standing(who, id)
    }
}
