//! What an approver sees and decides.

use desk::card::Terms;
use desk::id::{PaymentId, RefundId};
use desk::money::{Minor, code};
use desk::refund::{Event, State};
use desk::ticket::Versions;
use policy::Purpose;
use serde_json::{Value, json};
use wire::approval::{Card, Decide, Decided, Lower, Open, Opened, Words};

use super::breaks::Break;
use super::moment::rfc3339;
use super::refusal::{Refusal, good};
use super::state::{Desk, NOW, Nonce};
use crate::door::{Answer, Who};

impl Desk {
    fn versions(&self, refund: usize) -> Result<Versions, Refusal> {
        let refund = self.refund(refund)?;
        let (order, ticket) = (self.order(refund.order)?, self.filed(refund.ticket)?);
        Ok(Versions { order: order.version, ticket: ticket.record.version })
    }

    /// The digest of what an approver is shown now.
    fn digest(&self, refund: usize) -> Result<String, Refusal> {
        let one = self.refund(refund)?;
        let payment = &self.order(one.order)?.payment;
        let terms = Terms {
            refund: RefundId::try_from(one.id.as_str()).map_err(|_| Refusal::not_found())?,
            amount: one.amount,
            currency: payment.currency,
            payment: PaymentId::try_from(payment.id.as_str()).map_err(|_| Refusal::not_found())?,
            versions: self.versions(refund)?,
            rules: 1,
        };
        Ok(terms.digest().as_str().to_owned())
    }

    fn card(&self, refund: usize) -> Result<Value, Refusal> {
        let one = self.refund(refund)?;
        let payment = &self.order(one.order)?.payment;
        let versions = self.versions(refund)?;
        let card = Card {
            refund_id: one.id.clone(),
            ticket_id: self.filed(one.ticket)?.record.id.to_string(),
            amount: one.amount.to_text(payment.currency),
            asked: one.asked.to_text(payment.currency),
            currency: code(payment.currency),
            display: one.amount.display(payment.currency),
            order: self.shown_order(one.order)?,
            payment_id: payment.id.to_string(),
            versions: wire::approval::Versions { order: versions.order, ticket: versions.ticket, rules: 1 },
            digest: self.digest(refund)?,
            strength: String::from("in_page"),
            people: 1,
            approved_by: 0,
            staged_at: rfc3339(NOW),
            expires_at: rfc3339(NOW.plus_seconds(3_600)),
            waiting: true,
            newer_message: false,
            state: one.state.as_str().to_owned(),
            untrusted: Words { agent_words: one.words.clone() },
        };
        let mut card = serde_json::to_value(card).unwrap_or(Value::Null);
        if let Value::Object(fields) = &mut card
            && self.breaks(Break::WordsAmongRecords)
        {
            let words = fields.remove("untrusted");
            fields.insert(String::from("approved_by"), words.unwrap_or(Value::Null));
        }
        Ok(card)
    }

    pub(super) fn cards(&self, who: &Who, ticket: Option<&str>) -> Result<Answer, Refusal> {
        self.person(who)?;
        let wanted = ticket.map(|id| self.ticket_at(id)).transpose()?;
        let mut cards = Vec::new();
        for (place, refund) in self.refunds.iter().enumerate() {
            if refund.state == State::Held && wanted.is_none_or(|ticket| ticket == refund.ticket) {
                cards.push(self.card(place)?);
            }
        }
        good(200, &json!({"approvals": cards}))
    }

    /// A refund that waits, for somebody who may decide.
    fn waiting(&self, who: &Who, id: &str) -> Result<usize, Refusal> {
        self.person(who)?;
        let refund = self.refund_at(id)?;
        if self.refund(refund)?.state == State::Held { Ok(refund) } else { Err(Refusal::decided()) }
    }

    pub(super) fn open(&mut self, who: &Who, id: &str, body: &str) -> Result<Answer, Refusal> {
        self.person(who)?;
        let shown: Open = self.body(body)?;
        let refund = self.waiting(who, id)?;
        let digest = self.digest(refund)?;
        if shown.digest != digest && !self.breaks(Break::DigestNotChecked) {
            return Err(Refusal::terms_changed("amount"));
        }
        let text = match self.refund(refund)?.leaked.clone() {
            Some(leaked) => leaked,
            None => self.name("nonce"),
        };
        self.nonces.push(Nonce { text: text.clone(), refund, digest, used: false });
        good(200, &Opened { nonce: text, expires_in: 60 })
    }

    pub(super) fn lower(&mut self, who: &Who, id: &str, body: &str) -> Result<Answer, Refusal> {
        self.person(who)?;
        let lower: Lower = self.body(body)?;
        let refund = self.waiting(who, id)?;
        let one = self.refund(refund)?;
        let (order, before, asked) = (one.order, one.amount, one.asked);
        let amount = Minor::from_json(lower.amount.get(), self.order(order)?.payment.currency)
            .map_err(|error| Refusal::new(422, "AMOUNT_INVALID", error.to_string()))?;
        if amount > asked && !self.breaks(Break::HigherAmountAllowed) {
            return Err(Refusal::new(409, "AMOUNT_INVALID", "That is more than was asked for."));
        }
        self.reserve(order, |reserved| reserved.saturating_sub(before.0).saturating_add(amount.0));
        if let Some(one) = self.refunds.get_mut(refund) {
            one.amount = amount;
        }
        self.seq += 1;
        good(200, &self.card(refund)?)
    }

    pub(super) fn decide(&mut self, who: &Who, body: &str) -> Result<Answer, Refusal> {
        if matches!(who, Who::Agent(_)) {
            self.person(who)?;
        }
        let press: Decide = self.body(body)?;
        let nonce = self.nonce(who, &press)?;
        let again = self.breaks(Break::DecidedAgain);
        let state = self.refund(nonce.refund)?.state;
        if state != State::Held && !again {
            return Err(Refusal::decided());
        }
        if self.digest(nonce.refund)? != nonce.digest && !self.breaks(Break::DigestNotChecked) {
            return Err(Refusal::terms_changed("amount"));
        }
        if again && let Some(refund) = self.refunds.get_mut(nonce.refund) {
            refund.state = State::Held;
        }
        if press.approved {
            self.still_permitted(nonce.refund)?;
            self.pay(nonce.refund)?;
        } else {
            self.reject(nonce.refund)?;
        }
        self.note(nonce.refund, press);
        let one = self.refund(nonce.refund)?;
        let (refund_id, state) = (one.id.clone(), one.state.as_str().to_owned());
        good(200, &Decided { refund_id, state, reference: one.reference.clone(), waiting_for: 0 })
    }

    /// The nonce that was sent, used up.
    fn nonce(&mut self, who: &Who, press: &Decide) -> Result<Nonce, Refusal> {
        let reusable = self.breaks(Break::NonceReusable) || self.breaks(Break::DecidedAgain);
        let found =
            self.nonces.iter_mut().find(|nonce| nonce.text == press.nonce && (reusable || !nonce.used));
        if let Some(nonce) = found.filter(|_| !matches!(who, Who::Anonymous)) {
            nonce.used = true;
            let nonce = nonce.clone();
            let other = press.digest.as_ref().is_some_and(|digest| *digest != nonce.digest);
            return match other && !self.breaks(Break::DigestNotChecked) {
                true => Err(Refusal::bad_nonce()),
                false => Ok(nonce),
            };
        }
        let (unchecked, leaked) = (self.breaks(Break::NonceNotChecked), press.nonce.as_str());
        let any = self.refunds.iter().rposition(|refund| {
            refund.state == State::Held && (unchecked || refund.leaked.as_deref() == Some(leaked))
        });
        let refund = any.ok_or_else(Refusal::bad_nonce)?;
        Ok(Nonce { text: press.nonce.clone(), refund, digest: self.digest(refund)?, used: true })
    }

    /// Judges the records as they are now.
    fn still_permitted(&mut self, refund: usize) -> Result<(), Refusal> {
        let one = self.refund(refund)?;
        let (ticket, amount) = (one.ticket, one.amount.0);
        let permit = self.permit(ticket, Purpose::Decision)?;
        let bounded = amount <= permit.refund.remaining || self.breaks(Break::AmountNotBounded);
        let unbounded = self.breaks(Break::TermsNotRechecked)
            || self.breaks(Break::HigherAmountAllowed)
            || self.breaks(Break::DecidedAgain);
        if (permit.eligible() && bounded) || unbounded {
            return Ok(());
        }
        self.happens(refund, Event::TermsChange)?;
        Err(Refusal::terms_changed("order"))
    }

    /// Asks the provider, which always pays here.
    pub(super) fn pay(&mut self, refund: usize) -> Result<(), Refusal> {
        self.happens(refund, Event::Claim)?;
        self.happens(refund, Event::Paid)?;
        let one = self.refund(refund)?;
        let (order, amount) = (one.order, one.amount);
        let paid = if self.breaks(Break::LowerAmountIgnored) { one.asked } else { amount };
        let (counted, prior) = (!self.breaks(Break::PaidNotCounted), !self.breaks(Break::PriorNotCounted));
        if let Some(order) = self.orders.get_mut(order) {
            if counted {
                order.payment.refunded.0 += paid.0;
            }
            order.prior_refunds += u32::from(prior);
            order.version += 1;
        }
        let reference = format!("RF-{:06}", 100_000 + self.seq);
        if let Some(one) = self.refunds.get_mut(refund) {
            (one.reference, one.amount) = (Some(reference), paid);
        }
        Ok(())
    }

    fn reject(&mut self, refund: usize) -> Result<(), Refusal> {
        self.happens(refund, Event::Reject)?;
        let (versions, ticket) = (self.versions(refund)?, self.refund(refund)?.ticket);
        if !self.breaks(Break::RejectionForgotten) {
            self.filed_mut(ticket)?.record.rejected = Some(versions);
        }
        Ok(())
    }

    fn note(&mut self, refund: usize, press: Decide) {
        let told = self.breaks(Break::InternalNoteTold);
        if let Some(refund) = self.refunds.get_mut(refund) {
            refund.note = match press.note_internal.filter(|_| told) {
                Some(internal) => Some(format!("{} {internal}", press.note_to_customer.unwrap_or_default())),
                None => press.note_to_customer,
            };
        }
    }
}
