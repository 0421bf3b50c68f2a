//! Which request reaches what, and who may send it.

use desk::id::{OrderId, TicketId};
use desk::refund::Event;
use desk::ticket::{self, Move, Stage, Ticket};
use policy::Tool;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::breaks::Break;
use super::refusal::{Refusal, good};
use super::show::names;
use super::state::{Desk, Filed, NOW};
use crate::door::{Answer, Method, Request, Who};

impl Desk {
    /// Answers one request.
    pub(super) fn answer(&mut self, request: &Request) -> Answer {
        let header = |name: &str| request.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value);
        let age = header("x-order-age").and_then(|value| value.parse().ok());
        self.claimed_age = age.filter(|_| self.breaks(Break::HeaderReachesPolicy));
        let claims = self.breaks(Break::HeaderClaimsRole) && header("x-role").is_some();
        let who = if claims { Who::Page } else { request.who.clone() };
        let answered = self.route(&who, request);
        self.claimed_age = None;
        answered.unwrap_or_else(Refusal::answer)
    }

    fn route(&mut self, who: &Who, request: &Request) -> Result<Answer, Refusal> {
        let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
        let asked = |name: &str| {
            query
                .split('&')
                .filter_map(|pair| pair.split_once('='))
                .find(|(own, _)| *own == name)
                .map(|(_, value)| value)
        };
        let parts: Vec<_> = path.trim_start_matches('/').split('/').collect();
        let body = request.body.as_deref().unwrap_or_default();
        match (request.method, parts.as_slice()) {
            (Method::Get, ["api", "tickets"]) => self.list(),
            (Method::Get, ["api", "tickets", id]) => self.read(who, id),
            (Method::Get, ["api", "policy"]) => {
                let ticket = self.subject(who, asked("ticket").unwrap_or_default())?;
                good(200, &self.shown_permit(ticket)?)
            }
            (Method::Get, ["api", "policy", "explain"]) => {
                let ticket = self.subject(who, asked("ticket").unwrap_or_default())?;
                good(200, &self.explained(ticket)?)
            }
            (Method::Get, ["api", "refund", id]) => self.standing(who, id),
            (Method::Get, ["api", "approvals"]) => self.cards(who, asked("ticket")),
            (Method::Post, ["api", "tickets"]) => self.compose(who, body),
            (Method::Post, ["api", "tickets", id, action]) => self.act(who, id, action, body),
            (Method::Post, ["api", "reset"]) => {
                self.person(who)?;
                *self = Desk::new(self.broken);
                good(200, &json!({"ok": true}))
            }
            (Method::Post, ["api", stop @ ("stop" | "resume")]) => {
                self.person(who)?;
                self.stopped = *stop == "stop";
                self.seq += 1;
                good(200, &json!({"ok": true}))
            }
            (Method::Post, ["api", "agents"]) => {
                self.person(who)?;
                good(201, &json!({"token": self.name("qa"), "expires_at": "2026-12-01T15:42:56Z"}))
            }
            (Method::Post, ["api", "refund", "stage"]) => self.stage(who, body),
            (Method::Post, ["api", "refund", "decide"]) => self.decide(who, body),
            (Method::Post, ["api", "refund", id, "withdraw"]) => self.withdraw(who, id),
            (Method::Post, ["api", "approvals", id, "open"]) => self.open(who, id, body),
            (Method::Post, ["api", "approvals", id, "amount"]) => self.lower(who, id, body),
            _ => Err(Refusal::not_found()),
        }
    }

    /// The ticket, if this caller may reach it.
    pub(super) fn subject(&self, who: &Who, id: &str) -> Result<usize, Refusal> {
        match who {
            _ if TicketId::try_from(id).is_err() => Err(Refusal::not_found()),
            Who::Agent(own) if own != id && !self.breaks(Break::SubjectNotChecked) => {
                Err(Refusal::not_subject(id))
            }
            _ => self.ticket_at(id),
        }
    }

    /// Only people do this.
    pub(super) fn person(&self, who: &Who) -> Result<(), Refusal> {
        match who {
            Who::Page | Who::Approver => Ok(()),
            Who::Agent(_) if self.breaks(Break::RoleNotChecked) => Ok(()),
            Who::Agent(_) | Who::Anonymous => Err(Refusal::forbidden()),
        }
    }

    /// The body, if it is what the route takes.
    pub(super) fn body<T: DeserializeOwned>(&self, body: &str) -> Result<T, Refusal> {
        serde_json::from_str(body).map_err(|_| {
            if self.breaks(Break::RefusalsEcho) {
                return Refusal::new(422, "BAD_BODY", format!("This is not what this address takes: {body}"));
            }
            Refusal::bad_body()
        })
    }

    fn list(&self) -> Result<Answer, Refusal> {
        let mut tickets = Vec::new();
        for filed in &self.tickets {
            let mut listed = json!({
                "ticket_id": filed.record.id.as_str(),
                "state": ticket::word(filed.record.stage),
                "order_id": filed.record.order.as_ref().map(OrderId::as_str),
                "address": format!("/t/{}", filed.record.id),
            });
            if let Value::Object(fields) = &mut listed
                && self.breaks(Break::TextInList)
            {
                fields.insert(String::from("subject"), json!(filed.subject));
            }
            tickets.push(listed);
        }
        good(200, &json!({"tickets": tickets}))
    }

    fn read(&mut self, who: &Who, id: &str) -> Result<Answer, Refusal> {
        let ticket = self.subject(who, id)?;
        if self.breaks(Break::ReadingActs) && self.filed(ticket)?.record.stage == Stage::New {
            self.filed_mut(ticket)?.record.stage = Stage::Triaged;
        }
        good(200, &self.shown_ticket(ticket)?)
    }

    fn compose(&mut self, who: &Who, body: &str) -> Result<Answer, Refusal> {
        self.person(who)?;
        let composed: wire::ticket::Compose = self.body(body)?;
        let order = match composed.order_id.as_deref() {
            Some(id) if self.orders.iter().any(|order| order.id.as_str() == id) => OrderId::try_from(id).ok(),
            Some(_) => return Err(Refusal::not_found()),
            None => None,
        };
        let id = format!("T-{}", 201 + self.tickets.len());
        let record = Ticket {
            id: TicketId::try_from(id.as_str()).map_err(|_| Refusal::bad_body())?,
            order,
            stage: Stage::New,
            received_at: NOW,
            version: 1,
            rejected: None,
        };
        self.tickets.push(Filed::new(record, &composed.subject, &composed.customer, &composed.message));
        self.seq += 1;
        good(201, &wire::ticket::Composed { address: format!("/t/{id}"), ticket_id: id })
    }

    fn act(&mut self, who: &Who, id: &str, action: &str, body: &str) -> Result<Answer, Refusal> {
        let people_only = matches!(action, "resolve" | "reopen");
        if people_only {
            self.person(who)?;
        }
        let ticket = self.subject(who, id)?;
        match action {
            "triage" => {
                let told: wire::ticket::Triage = self.body(body)?;
                self.go(who, ticket, Tool::TriageTicket, Move::Triage)?;
                let filed = self.filed_mut(ticket)?;
                filed.category = Some(told.category);
                filed.summary = told.summary;
            }
            "escalate" => {
                let told: wire::ticket::Escalate = self.body(body)?;
                self.go(who, ticket, Tool::EscalateTicket, Move::Escalate)?;
                self.filed_mut(ticket)?.escalation = Some(told.reason);
                self.close(ticket)?;
            }
            "reply" => {
                let told: wire::ticket::Reply = self.body(body)?;
                let agent = self.may(who, ticket, Tool::ReplyToCustomer)?;
                let from = if agent { "agent" } else { "person" };
                self.filed_mut(ticket)?.messages.push((from, told.message));
            }
            "resolve" => {
                self.go(who, ticket, Tool::EscalateTicket, Move::Resolve)?;
                self.close(ticket)?;
            }
            "reopen" => {
                self.go(who, ticket, Tool::EscalateTicket, Move::Reopen)?;
                self.filed_mut(ticket)?.record.rejected = None;
            }
            _ => return Err(Refusal::not_found()),
        }
        self.seq += 1;
        let record = &self.filed(ticket)?.record;
        let (ticket_id, state) = (record.id.to_string(), ticket::word(record.stage).to_owned());
        let tools = names(&self.permit(ticket, policy::Purpose::Agents)?);
        good(200, &wire::ticket::Acted { ticket_id, state, tools })
    }

    /// True for an agent that holds the tool, false for a person.
    fn may(&self, who: &Who, ticket: usize, tool: Tool) -> Result<bool, Refusal> {
        let agent = matches!(who, Who::Agent(_) | Who::Anonymous);
        if agent && !self.holds(ticket, tool)? {
            return Err(Refusal::not_available());
        }
        Ok(agent)
    }

    fn go(&mut self, who: &Who, ticket: usize, tool: Tool, action: Move) -> Result<(), Refusal> {
        if action.by_agent() {
            self.may(who, ticket, tool)?;
        }
        let record = &mut self.filed_mut(ticket)?.record;
        record.stage = ticket::after(record.stage, action).ok_or_else(Refusal::not_available)?;
        record.version += 1;
        Ok(())
    }

    /// What is held for a ticket ends with it.
    fn close(&mut self, ticket: usize) -> Result<(), Refusal> {
        let held = self
            .refunds
            .iter()
            .position(|refund| refund.ticket == ticket && refund.state == desk::refund::State::Held);
        if let Some(refund) = held.filter(|_| !self.breaks(Break::TermsNotRechecked)) {
            self.happens(refund, Event::TermsChange)?;
        }
        Ok(())
    }
}
