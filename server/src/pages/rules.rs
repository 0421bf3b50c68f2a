//! The shop's rules in plain words, and what they decide about each ticket. For staff: thresholds, and what would
//! change a decision.

use desk::money::{self, Minor};
use policy::{
    Code, DAY, Measured, OrderFacts, Outcome, Purpose, Rules, Starts, Strength, TicketState, policy,
};

/// A ticket with the facts the policy is given of it.
#[derive(Clone, Debug)]
pub struct Case {
    /// `T-101`.
    pub ticket_id: String,
    /// `A-5510`.
    pub order_id: Option<String>,
    /// The order's facts, if there is one on record.
    pub order: Option<OrderFacts>,
    /// The ticket's state.
    pub state: TicketState,
}

/// The rules and what they decide.
#[derive(Clone, Debug)]
pub struct RulesView {
    /// One a rule, in the order in which they decide.
    pub rules: Vec<RuleView>,
    /// What an amount needs.
    pub tiers: Vec<TierView>,
    /// One a ticket.
    pub cases: Vec<CaseView>,
    /// The rules that had something to judge in some ticket: the columns of the table.
    pub columns: Vec<(&'static str, &'static str)>,
    /// Which version of the rules this is.
    pub version: u64,
}

/// One rule.
#[derive(Clone, Debug)]
pub struct RuleView {
    /// The code it refuses with.
    pub code: &'static str,
    /// What it asks, in plain words.
    pub says: String,
    /// False if the shop did not set it.
    pub set: bool,
}

/// What an amount needs.
#[derive(Clone, Debug)]
pub struct TierView {
    /// `Up to $200.00 (USD)`.
    pub amounts: String,
    /// `1 person`.
    pub people: String,
    /// In a person's words.
    pub strength: &'static str,
    /// `1 h`.
    pub expires: String,
}

/// What the rules decide about one ticket.
#[derive(Clone, Debug)]
pub struct CaseView {
    /// `T-101`.
    pub ticket_id: String,
    /// `A-5510`.
    pub order_id: Option<String>,
    /// The code that decides.
    pub code: &'static str,
    /// True if a refund may be asked for.
    pub eligible: bool,
    /// The most that may be asked for.
    pub remaining: Option<String>,
    /// One cell a column: `passed`, `refused` or `none`, and its words.
    pub cells: Vec<(&'static str, &'static str)>,
    /// What would change it, one sentence a reason.
    pub would_change: Vec<String>,
}

impl RulesView {
    /// The rules and what they decide about these tickets.
    pub fn new(rules: &Rules, version: u64, cases: &[Case]) -> RulesView {
        let judged: Vec<_> = cases
            .iter()
            .map(|case| (case, policy(rules, case.order.as_ref(), &case.state, Purpose::Agents)))
            .collect();
        let columns: Vec<Code> = Code::REASONS
            .into_iter()
            .filter(|code| {
                judged.iter().any(|(_, permit)| {
                    permit.trace().any(|step| step.rule == *code && step.outcome != Outcome::NotConsidered)
                })
            })
            .collect();
        let view = |(case, permit): &(&Case, policy::Permit)| {
            let cells = permit
                .trace()
                .filter(|step| columns.contains(&step.rule))
                .map(|step| match step.outcome {
                    Outcome::Passed => ("passed", "ok"),
                    Outcome::Refused if step.rule == permit.code() => ("decides", "decides"),
                    Outcome::Refused => ("refused", "refuses"),
                    Outcome::NotConsidered => ("none", "–"),
                })
                .collect();
            let shown = |order: &OrderFacts| Minor(permit.refund.remaining).display(order.currency);
            CaseView {
                ticket_id: case.ticket_id.clone(),
                order_id: case.order_id.clone(),
                code: permit.code().as_str(),
                eligible: permit.eligible(),
                remaining: case.order.as_ref().filter(|_| permit.eligible()).map(shown),
                cells,
                would_change: permit
                    .refund
                    .reasons
                    .iter()
                    .map(|code| would_change(code, rules, case.order.as_ref()))
                    .collect(),
            }
        };
        RulesView {
            rules: Code::REASONS.into_iter().map(|code| rule(code, rules)).collect(),
            tiers: tiers(rules),
            cases: judged.iter().map(view).collect(),
            columns: columns.iter().map(|code| (code.as_str(), short(*code))).collect(),
            version,
        }
    }
}

fn short(code: Code) -> &'static str {
    match code {
        Code::Stopped => "Stopped",
        Code::NoOrder => "Order",
        Code::StaleRecord => "Record",
        Code::NotDelivered => "Delivered",
        Code::OutsideWindow => "Window",
        Code::FinalSale => "Final sale",
        Code::Disputed => "Dispute",
        Code::AlreadyRefunded => "Unpaid",
        Code::RefundLimit => "Limit",
        Code::ReservedElsewhere => "Free",
        Code::Rejected => "Rejected",
        Code::Budget => "Budget",
        Code::TicketClosed => "Open",
        Code::NotTriaged => "Triaged",
        Code::Eligible => "Eligible",
    }
}

fn rule(code: Code, rules: &Rules) -> RuleView {
    let mut set = true;
    let mut unset = |text: &str| {
        set = false;
        String::from(text)
    };
    let says = match code {
        Code::Stopped => {
            "While agents are stopped, none holds a tool that acts. Held refunds can still be decided.".into()
        }
        Code::NoOrder => "The ticket has an order on record, put there by the shop or a person.".into(),
        Code::StaleRecord => match rules.record_age {
            Some(seconds) => format!("The shop confirmed the order's record in the last {}.", span(seconds)),
            None => unset("The shop confirmed the order's record lately. Not set: any age will do."),
        },
        Code::NotDelivered => "The order has been delivered.".into(),
        Code::OutsideWindow => match rules.window {
            Some(window) => format!(
                "The {} was at most {} days before {}. A day is 24 hours; the last one counts.",
                match window.starts {
                    Starts::Purchase => "purchase",
                    Starts::Delivery => "delivery",
                },
                window.days,
                match window.measured {
                    Measured::AtReceipt => "the ticket came in",
                    Measured::Now => "now",
                },
            ),
            None => unset("The order is not too old. Not set: any age will do."),
        },
        Code::FinalSale if rules.refund_final_sale => unset("What was sold as final can be refunded too."),
        Code::FinalSale => "The order was not sold as final.".into(),
        Code::Disputed => "The bank has not taken the payment back. An inquiry alone does not count.".into(),
        Code::AlreadyRefunded => "Something is left that has not gone back already.".into(),
        Code::RefundLimit => match rules.prior_refunds {
            Some(limit) => format!("The customer has had fewer than {limit} refunds before."),
            None => unset("The customer has not had too many refunds. Not set: any number will do."),
        },
        Code::ReservedElsewhere => "No other ticket holds a refund on the same payment.".into(),
        Code::Rejected => {
            "No person rejected it on these same records. Asking for a cent less is not a way.".into()
        }
        Code::Budget if rules.budgets.is_empty() => {
            unset("The day's refunds are within a budget. Not set: no budget.")
        }
        Code::Budget => {
            let each: Vec<_> =
                rules.budgets.iter().map(|budget| Minor(budget.per_day).display(budget.currency)).collect();
            format!("All refunds of the last 24 hours together stay within {}.", each.join(", "))
        }
        Code::TicketClosed => "The ticket is neither escalated nor resolved.".into(),
        Code::NotTriaged => "Somebody has triaged the ticket.".into(),
        Code::Eligible => String::new(),
    };
    RuleView { code: code.as_str(), says, set }
}

/// What would have to change on record for this reason to fall away.
fn would_change(code: Code, rules: &Rules, order: Option<&OrderFacts>) -> String {
    let fixed = match code {
        Code::OutsideWindow => return too_late(rules, order),
        Code::RefundLimit => {
            let had = order.map_or(0, |order| order.prior_refunds);
            let limit = rules.prior_refunds.unwrap_or(0);
            return format!("The customer has had {had} refunds; the limit is reached at {limit}.");
        }
        Code::Stopped => "A person resumes agents.",
        Code::NoOrder => "The shop or a person puts an order on record for the ticket.",
        Code::StaleRecord => "The shop confirms the order's record again.",
        Code::NotDelivered => "The shop records the delivery.",
        Code::FinalSale => "Nothing on record: it was sold as final.",
        Code::Disputed => "The bank decides the dispute for the shop.",
        Code::AlreadyRefunded => "Nothing: all of it has gone back.",
        Code::ReservedElsewhere => "The refund held from another ticket is decided or ends.",
        Code::Rejected => "A record that decides changes, or a person reopens the ticket.",
        Code::Budget => "Earlier refunds become older than 24 hours.",
        Code::TicketClosed => "A person reopens the ticket.",
        Code::NotTriaged => "Somebody triages the ticket.",
        Code::Eligible => "",
    };
    String::from(fixed)
}

fn too_late(rules: &Rules, order: Option<&OrderFacts>) -> String {
    let late = || {
        let (window, order) = (rules.window?, order?);
        let age = match window.starts {
            Starts::Purchase => order.purchase,
            Starts::Delivery => order.delivery?,
        };
        let age = match window.measured {
            Measured::AtReceipt => age.at_receipt,
            Measured::Now => age.now,
        };
        Some(age.saturating_sub(u64::from(window.days) * DAY).div_ceil(DAY))
    };
    match late() {
        Some(1) => String::from("It came 1 day too late."),
        Some(days) => format!("It came {days} days too late."),
        None => String::from("It came too late."),
    }
}

fn tiers(rules: &Rules) -> Vec<TierView> {
    rules
        .tiers
        .iter()
        .map(|tier| {
            let code = money::code(tier.currency);
            TierView {
                amounts: match tier.up_to {
                    Some(up_to) => format!("{code}, up to {}", Minor(up_to).display(tier.currency)),
                    None => format!("{code}, any amount"),
                },
                people: match tier.people {
                    1 => String::from("1 person"),
                    people => format!("{people} people"),
                },
                strength: match tier.strength {
                    Strength::InPage => "at the desk's page or stronger",
                    Strength::Console => "on the approval console or stronger",
                    Strength::Passkey => "with a passkey",
                },
                expires: span(tier.expires),
            }
        })
        .collect()
}

fn span(seconds: u64) -> String {
    match seconds {
        seconds if seconds % DAY == 0 && seconds > 0 => format!("{} d", seconds / DAY),
        seconds if seconds % 3_600 == 0 && seconds > 0 => format!("{} h", seconds / 3_600),
        seconds if seconds % 60 == 0 && seconds > 0 => format!("{} min", seconds / 60),
        seconds => format!("{seconds} s"),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use desk::Millis;
    use desk::demo;
    use desk::facts::{Sums, order_facts, ticket_state};

    use super::*;

    pub(in super::super) fn demo_cases() -> Vec<Case> {
        let now = Millis(1_800_000_000_000);
        let orders = demo::orders(now);
        demo::tickets(now)
            .into_iter()
            .map(|ticket| {
                let order = orders.iter().find(|order| Some(&order.id) == ticket.order.as_ref());
                Case {
                    ticket_id: ticket.id.to_string(),
                    order_id: ticket.order.as_ref().map(ToString::to_string),
                    order: order.map(|order| order_facts(order, &ticket, None, Sums::default(), now)),
                    state: ticket_state(&ticket, order.map(|order| order.version), None, false),
                }
            })
            .collect()
    }

    #[test]
    fn staff_see_what_decides_and_what_would_change_it() {
        let view = RulesView::new(&Rules::demo(), 1, &demo_cases());
        let case = |id: &str| view.cases.iter().find(|case| case.ticket_id == id).unwrap();
        assert_eq!(case("T-102").code, "OUTSIDE_WINDOW");
        assert_eq!(case("T-102").would_change[0], "It came 61 days too late.");
        assert_eq!(
            case("T-104").would_change[0],
            "The customer has had 2 refunds; the limit is reached at 2."
        );
        assert_eq!(case("T-105").would_change[0], "The shop records the delivery.");
        assert_eq!(case("T-101").code, "NOT_TRIAGED");
        for case in &view.cases {
            assert_eq!(case.cells.len(), view.columns.len());
        }
    }

    #[test]
    fn the_rules_are_told_with_their_thresholds() {
        let view = RulesView::new(&Rules::demo(), 1, &[]);
        let says = |code: &str| &view.rules.iter().find(|rule| rule.code == code).unwrap().says;
        assert!(
            says("OUTSIDE_WINDOW").starts_with("The purchase was at most 30 days before the ticket came in.")
        );
        assert!(says("REFUND_LIMIT").contains("fewer than 2"));
        assert_eq!(view.rules.iter().filter(|rule| !rule.set).count(), 2);
        assert_eq!(view.tiers[0].expires, "1 h");
    }
}
