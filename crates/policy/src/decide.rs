//! The function.

use crate::facts::{OrderFacts, OwnRefund, Stage, TicketState};
use crate::permit::{Permit, Refund, WindowAge};
use crate::rules::{DAY, Measured, Rules, Starts, Window};
use crate::{Code, Reasons, Tool, ToolSet};

/// What the answer is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// What an agent holds and may stage.
    Agents,
    /// Whether a refund that is held may still be paid. Stopping agents does not stop people from deciding.
    Decision,
}

/// What an order and a ticket's state permit under a shop's rules.
///
/// Every rule is judged, so that all reasons are known; the first in the order of [`Code`] decides. `order` is none
/// if no order is on record for the ticket.
pub fn policy(rules: &Rules, order: Option<&OrderFacts>, ticket: &TicketState, purpose: Purpose) -> Permit {
    let mut judge = Judge::default();
    if purpose == Purpose::Agents {
        judge.rule(Code::Stopped, ticket.stopped);
    }
    judge.rule(Code::NoOrder, order.is_none());
    let mut remaining = 0;
    let mut window = None;
    if let Some(order) = order {
        window = judge.order(rules, order);
        remaining = judge.amount(rules, order);
    }
    judge.rule(Code::Rejected, ticket.rejected);
    judge.rule(Code::TicketClosed, matches!(ticket.stage, Stage::Escalated | Stage::Resolved));
    judge.rule(Code::NotTriaged, ticket.stage == Stage::New);

    let reasons = judge.reasons;
    let remaining = if reasons.is_empty() { remaining } else { 0 };
    Permit::new(tools(ticket, reasons), Refund { remaining, reasons }, window, judge.considered)
}

fn tools(ticket: &TicketState, reasons: Reasons) -> ToolSet {
    let own_open = ticket.own != OwnRefund::None;
    let mut tools = ToolSet::EMPTY.with(Tool::ListTickets).with(Tool::GetTicket).with(Tool::ExplainPolicy);
    match ticket.stage {
        Stage::New => tools = tools.with(Tool::TriageTicket),
        Stage::Triaged => {
            tools = tools.with(Tool::EscalateTicket);
            // A reply while money is on its way could promise what a person then refuses.
            if !own_open {
                tools = tools.with(Tool::ReplyToCustomer);
            }
        }
        Stage::Escalated | Stage::Resolved => {}
    }
    if reasons.is_empty() || own_open {
        tools = tools.with(Tool::IssueRefund);
    }
    if ticket.stopped { tools.reading() } else { tools }
}

#[derive(Default)]
struct Judge {
    reasons: Reasons,
    considered: Reasons,
}

impl Judge {
    fn rule(&mut self, code: Code, refuses: bool) {
        self.considered = self.considered.with(code);
        if refuses {
            self.reasons = self.reasons.with(code);
        }
    }

    fn order(&mut self, rules: &Rules, order: &OrderFacts) -> Option<WindowAge> {
        if let (Some(limit), Some(age)) = (rules.record_age, order.record_age) {
            self.rule(Code::StaleRecord, age > limit);
        }
        self.rule(Code::NotDelivered, order.delivery.is_none());
        let age = rules.window.and_then(|window| self.window(window, order));
        self.rule(Code::FinalSale, order.final_sale && !rules.refund_final_sale);
        self.rule(Code::Disputed, order.disputed);
        if let Some(limit) = rules.prior_refunds {
            self.rule(Code::RefundLimit, order.prior_refunds >= limit);
        }
        age
    }

    fn window(&mut self, window: Window, order: &OrderFacts) -> Option<WindowAge> {
        let started = match window.starts {
            Starts::Purchase => order.purchase,
            Starts::Delivery => order.delivery?,
        };
        let age = match window.measured {
            Measured::AtReceipt => started.at_receipt,
            Measured::Now => started.now,
        };
        let over = age > u64::from(window.days) * DAY;
        self.rule(Code::OutsideWindow, over);
        let days = if over { age.div_ceil(DAY) } else { age / DAY };
        Some(WindowAge { days, window: window.days })
    }

    fn amount(&mut self, rules: &Rules, order: &OrderFacts) -> u64 {
        let unpaid = order.captured.saturating_sub(order.refunded);
        self.rule(Code::AlreadyRefunded, unpaid == 0);
        let free = unpaid.saturating_sub(order.reserved);
        self.rule(Code::ReservedElsewhere, order.held_elsewhere || (unpaid > 0 && free == 0));
        match rules.budget(order.currency) {
            Some(per_day) => {
                let left = per_day.saturating_sub(order.workspace_day);
                self.rule(Code::Budget, left == 0);
                free.min(left)
            }
            None => free,
        }
    }
}
