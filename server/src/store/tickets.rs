//! What people and agents do to tickets.

use desk::Millis;
use desk::id::{OrderId, TicketId};
use desk::refund::State;
use desk::ticket::{Move, Ticket, after, word};
use policy::{Purpose, Tool};
use wire::ticket::Category;

use super::change::{Change, Line};
use super::row::Row;
use super::view::{self, View};
use super::{ActiveRules, Actor, Store, StoreError, Workspace, conversation, demo};

/// A message from a customer, never facts of an order.
#[derive(Clone, Copy, Debug)]
pub struct Compose<'a> {
    /// The subject line.
    pub subject: &'a str,
    /// The name the customer gives.
    pub customer: &'a str,
    /// The message.
    pub message: &'a str,
    /// An order on record.
    pub order: Option<&'a OrderId>,
}

/// What triage says of a ticket.
#[derive(Clone, Copy, Debug)]
pub struct Triage<'a> {
    /// What it is about.
    pub category: Category,
    /// One sentence for the desk.
    pub summary: Option<&'a str>,
}

impl Store {
    /// All tickets of a workspace, in the order of their names.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn tickets(&self, workspace: &Workspace) -> Result<Vec<Ticket>, StoreError> {
        let rows = sqlx::query(
            "SELECT t.id AS t_id, t.order_id AS t_order, t.stage AS t_stage, t.received_at AS t_received, \
             t.version AS t_version, t.rejected_order AS t_rejected_order, \
             t.rejected_ticket AS t_rejected_ticket FROM ticket t \
             WHERE t.workspace = COALESCE((SELECT id FROM workspace WHERE id = $1), 'pristine') \
             ORDER BY LENGTH(t.id), t.id",
        )
        .bind(workspace.as_str())
        .fetch_all(self.pools().read())
        .await?;
        rows.iter().map(|row| view::ticket(&Row(row))).collect()
    }

    /// Makes a ticket out of a message. Its name is one that was never used in this workspace.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if the order is not on record, [`StoreError::TooManySandboxes`],
    /// [`StoreError::Unavailable`].
    pub async fn compose(
        &self,
        workspace: &Workspace,
        actor: &Actor,
        compose: Compose<'_>,
        now: Millis,
    ) -> Result<TicketId, StoreError> {
        let mut change = self.change(workspace, now).await?;
        if let Some(order) = compose.order {
            sqlx::query("SELECT id FROM orders WHERE workspace = $1 AND id = $2")
                .bind(workspace.as_str())
                .bind(order.as_str())
                .fetch_optional(change.connection())
                .await?
                .ok_or(StoreError::NotFound)?;
        }
        let row = sqlx::query(
            "UPDATE workspace SET last_ticket = last_ticket + 1 WHERE id = $1 RETURNING last_ticket",
        )
        .bind(workspace.as_str())
        .fetch_one(change.connection())
        .await?;
        let name = format!("T-{}", Row(&row).int("last_ticket")?);
        let ticket = TicketId::try_from(name).map_err(|_| StoreError::Unavailable)?;
        // The demonstration's orders keep the age they are told with, also for tickets that come later; when the message
        // was written stands with the message.
        sqlx::query(
            "INSERT INTO ticket (workspace, id, order_id, stage, received_at, version) \
             SELECT $1, $2, $3, 'new', created_at, 1 FROM workspace WHERE id = $1",
        )
        .bind(workspace.as_str())
        .bind(ticket.as_str())
        .bind(compose.order.map(OrderId::as_str))
        .execute(change.connection())
        .await?;
        let said = (compose.subject, compose.customer, compose.message);
        demo::converse(change.connection(), workspace, ticket.as_str(), said, now).await?;
        let line =
            Line { what: "ticket received", ticket: Some(&ticket), state: Some("new"), ..Line::default() };
        change.event(actor, line).await?;
        change.commit().await?;
        Ok(ticket)
    }

    /// Sorts a new ticket.
    ///
    /// # Errors
    /// [`StoreError::NotFound`]; [`StoreError::NotAvailable`] if an agent does not hold the tool, or the ticket is not
    /// new; [`StoreError::OtherRules`], [`StoreError::TooManySandboxes`], [`StoreError::Unavailable`].
    pub async fn triage(
        &self,
        workspace: &Workspace,
        actor: &Actor,
        ticket: &TicketId,
        triage: Triage<'_>,
        rules: &ActiveRules,
        now: Millis,
    ) -> Result<Ticket, StoreError> {
        let mut change = self.change(workspace, now).await?;
        let view = change.held_tool(actor, ticket, Tool::TriageTicket, rules).await?;
        let moved = change.advance(&view.ticket, Move::Triage).await?;
        let category = triage.category.as_str();
        conversation::sort(change.connection(), workspace, ticket, category, triage.summary).await?;
        change.ticket_event(actor, "triaged", &moved).await?;
        change.commit().await?;
        Ok(moved)
    }

    /// Writes to the customer. A person can as long as the ticket is not resolved.
    ///
    /// # Errors
    /// As [`Store::triage`].
    pub async fn reply(
        &self,
        workspace: &Workspace,
        actor: &Actor,
        ticket: &TicketId,
        message: &str,
        rules: &ActiveRules,
        now: Millis,
    ) -> Result<Ticket, StoreError> {
        let mut change = self.change(workspace, now).await?;
        let view = change.held_tool(actor, ticket, Tool::ReplyToCustomer, rules).await?;
        if view.ticket.stage == policy::Stage::Resolved {
            return Err(StoreError::NotAvailable);
        }
        let author = if actor.is_agent() { "agent" } else { "person" };
        conversation::say(change.connection(), workspace, ticket, author, message, now).await?;
        change.ticket_event(actor, "replied", &view.ticket).await?;
        change.commit().await?;
        Ok(view.ticket)
    }

    /// Hands a ticket to a person. A refund that is held for it ends as `terms_changed`.
    ///
    /// # Errors
    /// As [`Store::triage`].
    pub async fn escalate(
        &self,
        workspace: &Workspace,
        actor: &Actor,
        ticket: &TicketId,
        reason: &str,
        rules: &ActiveRules,
        now: Millis,
    ) -> Result<Ticket, StoreError> {
        let mut change = self.change(workspace, now).await?;
        let view = change.held_tool(actor, ticket, Tool::EscalateTicket, rules).await?;
        let moved = change.advance(&view.ticket, Move::Escalate).await?;
        conversation::hand_over(change.connection(), workspace, ticket, reason).await?;
        change.ticket_event(actor, "escalated", &moved).await?;
        change.end_for_closing(ticket).await?;
        change.commit().await?;
        Ok(moved)
    }

    /// Closes a ticket. Only for people. A refund that is held for it ends as `terms_changed`.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::NotAvailable`], [`StoreError::TooManySandboxes`],
    /// [`StoreError::Unavailable`].
    pub async fn resolve(
        &self,
        workspace: &Workspace,
        ticket: &TicketId,
        now: Millis,
    ) -> Result<Ticket, StoreError> {
        let mut change = self.change(workspace, now).await?;
        let view = change.view(ticket).await?;
        let moved = change.advance(&view.ticket, Move::Resolve).await?;
        change.ticket_event(&Actor::Person, "resolved", &moved).await?;
        change.end_for_closing(ticket).await?;
        change.commit().await?;
        Ok(moved)
    }

    /// Takes a ticket up again and lifts a rejection. Only for people.
    ///
    /// # Errors
    /// As [`Store::resolve`].
    pub async fn reopen(
        &self,
        workspace: &Workspace,
        ticket: &TicketId,
        now: Millis,
    ) -> Result<Ticket, StoreError> {
        let mut change = self.change(workspace, now).await?;
        let view = change.view(ticket).await?;
        let moved = change.advance(&view.ticket, Move::Reopen).await?;
        change.ticket_event(&Actor::Person, "reopened", &moved).await?;
        change.commit().await?;
        Ok(moved)
    }
}

impl Change {
    /// What decides about a ticket, as it is within this change.
    pub(super) async fn view(&mut self, ticket: &TicketId) -> Result<View, StoreError> {
        let (workspace, now) = (self.workspace.clone(), self.now);
        view::view(self.connection(), &workspace, ticket, now).await
    }

    /// The same, if an agent holds the tool now. A person needs no tool.
    async fn held_tool(
        &mut self,
        actor: &Actor,
        ticket: &TicketId,
        tool: Tool,
        rules: &ActiveRules,
    ) -> Result<View, StoreError> {
        let view = self.view(ticket).await?;
        rules.are(view.rules)?;
        let permit = view.permit(&rules.rules, self.now, Purpose::Agents);
        if actor.is_agent() && !permit.tools.contains(tool) {
            return Err(StoreError::NotAvailable);
        }
        Ok(view)
    }

    /// Moves a ticket. Its version counts the move, and no rejection outlives a reopening.
    async fn advance(&mut self, ticket: &Ticket, action: Move) -> Result<Ticket, StoreError> {
        let stage = after(ticket.stage, action).ok_or(StoreError::NotAvailable)?;
        let rejected = ticket.rejected.filter(|_| action != Move::Reopen);
        let workspace = self.workspace.clone();
        sqlx::query(
            "UPDATE ticket SET stage = $3, version = version + 1, \
             rejected_order = CASE WHEN $4 = 1 THEN rejected_order END, \
             rejected_ticket = CASE WHEN $4 = 1 THEN rejected_ticket END WHERE workspace = $1 AND id = $2",
        )
        .bind(workspace.as_str())
        .bind(ticket.id.as_str())
        .bind(word(stage))
        .bind(i64::from(rejected.is_some()))
        .execute(self.connection())
        .await?;
        Ok(Ticket { stage, version: ticket.version.saturating_add(1), rejected, ..ticket.clone() })
    }

    async fn ticket_event(
        &mut self,
        actor: &Actor,
        what: &'static str,
        ticket: &Ticket,
    ) -> Result<(), StoreError> {
        let state = Some(word(ticket.stage));
        self.event(actor, Line { what, ticket: Some(&ticket.id), state, ..Line::default() }).await
    }

    /// A ticket that is handed over or closed takes the ground from under what is held for it.
    async fn end_for_closing(&mut self, ticket: &TicketId) -> Result<(), StoreError> {
        for refund in self.held(Some(ticket)).await? {
            self.end_held(&Actor::Desk, &refund, State::TermsChanged, Some("TICKET_CLOSED")).await?;
        }
        Ok(())
    }
}
