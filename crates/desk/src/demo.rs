//! The records of the demonstration: six orders and eight tickets. What the tickets say is not here.

use alloc::vec::Vec;

use crate::Millis;
use crate::id::{CustomerId, OrderId, PaymentId, TicketId};
use crate::money::{Currency, Minor};
use crate::order::{Order, Payment};
use crate::ticket::{Stage, Ticket};

struct Row {
    order: &'static str,
    customer: &'static str,
    captured: u64,
    days: u64,
    delivered_after: Option<u64>,
    prior: u32,
}

const ORDERS: [Row; 6] = [
    Row { order: "A-4412", customer: "C-1", captured: 240_000, days: 91, delivered_after: Some(3), prior: 0 },
    Row { order: "A-5510", customer: "C-2", captured: 8_900, days: 6, delivered_after: Some(2), prior: 0 },
    Row { order: "A-6203", customer: "C-3", captured: 14_950, days: 12, delivered_after: Some(3), prior: 0 },
    Row { order: "A-7781", customer: "C-4", captured: 4_120, days: 3, delivered_after: Some(1), prior: 2 },
    Row { order: "A-8890", customer: "C-5", captured: 61_000, days: 9, delivered_after: None, prior: 0 },
    Row { order: "A-9014", customer: "C-6", captured: 2_499, days: 2, delivered_after: Some(1), prior: 0 },
];

const TICKETS: [(&str, &str); 8] = [
    ("T-101", "A-5510"),
    ("T-102", "A-4412"),
    ("T-103", "A-6203"),
    ("T-104", "A-7781"),
    ("T-105", "A-8890"),
    ("T-106", "A-9014"),
    ("T-107", "A-6203"),
    ("T-108", "A-4412"),
];

/// Seconds of a day.
const DAY: u64 = 86_400;

/// The six orders, so old at `now` as the demonstration tells them.
pub fn orders(now: Millis) -> Vec<Order> {
    ORDERS
        .iter()
        .filter_map(|row| {
            let purchased_at = now.minus_seconds(row.days * DAY);
            Some(Order {
                id: OrderId::try_from(row.order).ok()?,
                customer: CustomerId::try_from(row.customer).ok()?,
                payment: Payment {
                    id: PaymentId::try_from(alloc::format!("pay-{}", row.order)).ok()?,
                    currency: Currency::USD,
                    captured: Minor(row.captured),
                    refunded: Minor(0),
                    reserved: Minor(0),
                },
                purchased_at,
                delivered_at: row.delivered_after.map(|days| purchased_at.plus_seconds(days * DAY)),
                confirmed_at: None,
                final_sale: false,
                dispute: None,
                prior_refunds: row.prior,
                version: 1,
            })
        })
        .collect()
}

/// The eight tickets, received at `now`.
pub fn tickets(now: Millis) -> Vec<Ticket> {
    TICKETS
        .iter()
        .filter_map(|(ticket, order)| {
            Some(Ticket {
                id: TicketId::try_from(*ticket).ok()?,
                order: Some(OrderId::try_from(*order).ok()?),
                stage: Stage::New,
                received_at: now,
                version: 1,
                rejected: None,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_six_orders_and_eight_tickets_are_there() {
        let now = Millis(1_800_000_000_000);
        let (orders, tickets) = (orders(now), tickets(now));
        assert_eq!((orders.len(), tickets.len()), (6, 8));
        for ticket in &tickets {
            assert!(orders.iter().any(|order| Some(&order.id) == ticket.order.as_ref()));
            assert_eq!(ticket.received_at, now);
        }
        let total: u64 = orders.iter().map(|order| order.payment.captured.0).sum();
        assert_eq!(total, 240_000 + 8_900 + 14_950 + 4_120 + 61_000 + 2_499);
        let undelivered: Vec<_> = orders.iter().filter(|order| order.delivered_at.is_none()).collect();
        assert_eq!(undelivered.len(), 1);
        assert_eq!(undelivered[0].id.as_str(), "A-8890");
    }
}
