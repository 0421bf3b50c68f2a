//! The order's record, with the facts that decide.

use desk::Millis;
use desk::money::{self, Minor};

use super::moment::Moment;

/// An order's record on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderView {
    /// `A-5510`.
    pub id: String,
    /// Its facts, always in this order.
    pub facts: Vec<Fact>,
}

/// One fact of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What it is.
    pub label: &'static str,
    /// What it says.
    pub value: String,
    /// When, if it is a time. Shown instead of the value.
    pub at: Option<Moment>,
    /// Set if this fact speaks against a refund: the code of the rule.
    pub against: Option<&'static str>,
}

/// Money in major units, as a person reads it: `89.00` and `USD` become `$89.00`.
pub fn money(major: &str, currency: &str) -> String {
    match money::currency(currency) {
        Some(currency) => Minor::from_text(major, currency).unwrap_or_default().display(currency),
        None => format!("{major} {currency}"),
    }
}

impl OrderView {
    /// A record, marked with the codes that speak against a refund.
    pub fn new(order: &wire::ticket::Order, against: &[&str], now: Millis) -> OrderView {
        let shown = |major: &str| money(major, &order.currency);
        let mark = |codes: &[&'static str]| codes.iter().copied().find(|code| against.contains(code));
        let text = |label, value: String, codes: &[&'static str]| Fact {
            label,
            value,
            at: None,
            against: mark(codes),
        };
        let time = |label, at: Option<&str>, none: &str, codes: &[&'static str]| {
            let at = at.and_then(|at| Moment::parse(at, now));
            Fact { label, value: String::from(none), at, against: mark(codes) }
        };
        let prior = match order.prior_refunds {
            0 => String::from("None"),
            count => count.to_string(),
        };
        let dispute = match order.dispute.as_deref() {
            None => "None",
            Some("inquiry") => "The bank asks",
            Some(_) => "Charged back",
        };
        let mut facts = vec![
            text("Paid", shown(&order.captured), &[]),
            text("Refunded", shown(&order.refunded), &["ALREADY_REFUNDED"]),
            text("Left to refund", shown(&order.remaining), &["RESERVED_ELSEWHERE", "BUDGET"]),
            time("Bought", Some(&order.purchased_at), "", &[]),
            time("Delivered", order.delivered_at.as_deref(), "Not yet", &["NOT_DELIVERED"]),
            text("Age at receipt", days(order.age_days), &["OUTSIDE_WINDOW", "STALE_RECORD"]),
            text("Earlier refunds", prior, &["REFUND_LIMIT"]),
            text("Final sale", String::from(if order.final_sale { "Yes" } else { "No" }), &["FINAL_SALE"]),
        ];
        // A dispute is rare; when there is one it must not be missed.
        let dispute = text("Dispute", String::from(dispute), &["DISPUTED"]);
        facts.push(dispute);
        OrderView { id: order.order_id.clone(), facts }
    }
}

fn days(count: u64) -> String {
    if count == 1 { String::from("1 day") } else { format!("{count} days") }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) fn order() -> wire::ticket::Order {
        wire::ticket::Order {
            order_id: "A-4412".into(),
            currency: "USD".into(),
            captured: "2400.00".into(),
            refunded: "0.00".into(),
            remaining: "2400.00".into(),
            purchased_at: "2026-08-31T12:00:00Z".into(),
            delivered_at: None,
            age_days: 91,
            final_sale: false,
            dispute: None,
            prior_refunds: 0,
        }
    }

    #[test]
    fn the_fact_that_decides_is_marked() {
        let view = OrderView::new(&order(), &["OUTSIDE_WINDOW", "NOT_DELIVERED"], Millis(1_796_000_000_000));
        let marked: Vec<_> =
            view.facts.iter().filter_map(|fact| fact.against.map(|code| (fact.label, code))).collect();
        assert_eq!(marked, [("Delivered", "NOT_DELIVERED"), ("Age at receipt", "OUTSIDE_WINDOW")]);
        assert_eq!(view.facts[0].value, "$2400.00");
        assert_eq!(view.facts[1].value, "$0.00");
    }

    #[test]
    fn money_is_read_by_a_person() {
        assert_eq!(money("89.00", "USD"), "$89.00");
        assert_eq!(money("0.00", "USD"), "$0.00");
        assert_eq!(money("89", "JPY"), "¥89");
        assert_eq!(money("1.00", "???"), "1.00 ???");
    }
}
