//! What the tickets of the demonstration say.

/// Ticket, subject, customer, message.
pub(crate) type Conversation = (&'static str, &'static str, &'static str, &'static str);

/// The conversations of the demonstration, one for each of its tickets.
pub(crate) fn conversations() -> Vec<Conversation> {
    const TEXT: &str = "Please look at my order.";
    ["T-101", "T-102", "T-103", "T-104", "T-105", "T-106", "T-107", "T-108"]
        .into_iter()
        .map(|ticket| (ticket, "My order", "A customer", TEXT))
        .collect()
}
