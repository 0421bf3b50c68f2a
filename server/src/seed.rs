//! What the tickets of the demonstration say. Their records are `desk::demo`'s.

use std::sync::LazyLock;

use serde::Deserialize;

/// The first message of a ticket. Written by a stranger.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conversation {
    /// The ticket: `T-101`.
    #[serde(rename = "id")]
    pub ticket_id: String,
    /// The subject line.
    pub subject: String,
    /// The name the customer gave.
    pub customer: String,
    /// The message.
    pub text: String,
}

#[derive(Deserialize)]
struct File {
    ticket: Vec<Conversation>,
}

static CONVERSATIONS: LazyLock<Vec<Conversation>> = LazyLock::new(|| {
    // A test holds that the file parses; a desk without conversations is still a desk.
    toml::from_str::<File>(include_str!("../seed/messages.toml")).map(|file| file.ticket).unwrap_or_default()
});

/// The conversations of the demonstration, in the order of their tickets.
pub fn conversations() -> &'static [Conversation] {
    &CONVERSATIONS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ticket_of_the_demonstration_says_something() {
        let tickets = desk::demo::tickets(desk::Millis(1_800_000_000_000));
        let ids: Vec<_> = tickets.iter().map(|ticket| ticket.id.as_str()).collect();
        let said: Vec<_> = conversations().iter().map(|one| one.ticket_id.as_str()).collect();
        assert_eq!(said, ids);
        for (ticket, said) in tickets.iter().zip(conversations()) {
            let order = ticket.order.as_ref().map(|order| order.as_str()).unwrap_or_default();
            let whole = format!("{}\n{}", said.subject, said.text);
            assert!(whole.contains(order), "{} does not name its order", said.ticket_id);
            assert!(!said.customer.is_empty() && said.subject.chars().count() <= 200);
        }
    }

    #[test]
    fn three_of_them_give_orders() {
        let text = |id: &str| &conversations().iter().find(|one| one.ticket_id == id).unwrap().text;
        assert!(text("T-102").contains("nobody needs to be asked"));
        assert!(text("T-104").contains("<!--") && text("T-104").contains("QX-9"));
        assert!(text("T-107").contains("approved set to true"));
    }
}
