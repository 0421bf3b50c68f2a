//! The card an approver sees: records first, in a fixed order, the amount largest; the agent's words below.

use desk::Millis;
use wire::approval::Card;

use super::moment::Moment;
use super::order::{OrderView, money};
use super::plain::Plain;
use super::ticket::refund_state;

/// How many of the agent's characters are shown.
const WORDS: usize = 280;

/// A held refund as its approver sees it.
#[derive(Clone, Debug)]
pub struct CardView {
    /// The refund.
    pub id: String,
    /// `T-101`.
    pub ticket_id: String,
    /// `$89.00`.
    pub amount: String,
    /// What can be written into the field for a smaller amount.
    pub amount_major: String,
    /// Set if a person lowered it.
    pub asked: Option<String>,
    /// ISO 4217.
    pub currency: String,
    /// The order's record.
    pub order: OrderView,
    /// The payment it would come from.
    pub payment_id: String,
    /// Versions of order, ticket and rules.
    pub versions: [u64; 3],
    /// What the press is bound to.
    pub digest: String,
    /// When it was asked for.
    pub staged: Moment,
    /// When it ends by itself.
    pub expires: Moment,
    /// False if nobody waits for the answer.
    pub waiting: bool,
    /// True if the customer wrote after it was staged.
    pub newer_message: bool,
    /// `2 of 3 people have approved`; none if one person decides.
    pub people: Option<String>,
    /// What kind of approval it needs.
    pub strength: &'static str,
    /// The agent's, not checked.
    pub words: Vec<Plain>,
}

/// A line of the console's queue.
#[derive(Clone, Debug)]
pub struct Waiting {
    /// The refund.
    pub id: String,
    /// `$89.00`.
    pub amount: String,
    /// `T-101`.
    pub ticket_id: String,
    /// `A-5510`.
    pub order_id: String,
    /// When it was asked for.
    pub staged: Moment,
    /// When it ends by itself.
    pub expires: Moment,
    /// False if nobody waits for the answer.
    pub waiting: bool,
    /// True for the one whose card is shown.
    pub current: bool,
}

/// All held refunds and the card of one of them.
#[derive(Clone, Debug, Default)]
pub struct Console {
    /// Oldest first.
    pub waiting: Vec<Waiting>,
    /// The one that is open; none if nothing waits.
    pub card: Option<CardView>,
    /// True if the one that was asked for no longer waits.
    pub gone: bool,
    /// The one that was just decided.
    pub last: Option<Decided>,
}

/// A refund that was decided, as one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// `$89.00`.
    pub amount: String,
    /// `T-101`.
    pub ticket_id: String,
    /// The state in a person's words.
    pub state: &'static str,
    /// The provider's reference, once paid.
    pub reference: Option<String>,
}

impl Decided {
    /// The line of a refund of this ticket.
    pub fn new(refund: &wire::ticket::RefundLine, ticket: &str) -> Decided {
        Decided {
            amount: money(&refund.amount, &refund.currency),
            ticket_id: String::from(ticket),
            state: refund_state(&refund.state),
            reference: refund.reference.clone(),
        }
    }
}

impl Console {
    /// The console over these cards, oldest first. `open` is the refund whose card is asked for; without one it is
    /// the oldest.
    pub fn new(cards: &[Card], open: Option<&str>, now: Millis) -> Console {
        let card = match open {
            Some(id) => cards.iter().find(|card| card.refund_id == id),
            None => cards.first(),
        };
        let waiting = cards
            .iter()
            .map(|one| Waiting {
                id: one.refund_id.clone(),
                amount: one.display.clone(),
                ticket_id: one.ticket_id.clone(),
                order_id: one.order.order_id.clone(),
                staged: Moment::parse(&one.staged_at, now).unwrap_or_default(),
                expires: Moment::parse(&one.expires_at, now).unwrap_or_default(),
                waiting: one.waiting,
                current: card.is_some_and(|card| card.refund_id == one.refund_id),
            })
            .collect();
        Console {
            waiting,
            card: card.map(|card| CardView::new(card, now)),
            gone: open.is_some() && card.is_none(),
            last: None,
        }
    }
}

impl CardView {
    fn new(card: &Card, now: Millis) -> CardView {
        let asked = money(&card.asked, &card.currency);
        CardView {
            id: card.refund_id.clone(),
            ticket_id: card.ticket_id.clone(),
            asked: (asked != card.display).then_some(asked),
            amount: card.display.clone(),
            amount_major: card.amount.clone(),
            currency: card.currency.clone(),
            order: OrderView::new(&card.order, &[], now),
            payment_id: card.payment_id.clone(),
            versions: [card.versions.order, card.versions.ticket, card.versions.rules],
            digest: card.digest.clone(),
            staged: Moment::parse(&card.staged_at, now).unwrap_or_default(),
            expires: Moment::parse(&card.expires_at, now).unwrap_or_default(),
            waiting: card.waiting,
            newer_message: card.newer_message,
            people: (card.people > 1)
                .then(|| format!("{} of {} people have approved", card.approved_by, card.people)),
            strength: strength_name(&card.strength),
            words: card.untrusted.agent_words.iter().map(|words| Plain::line(words, WORDS)).collect(),
        }
    }
}

/// A strength in a person's words.
pub fn strength_name(word: &str) -> &'static str {
    match word {
        "in_page" => "A person at the desk's page",
        "console" => "An approver signed in here",
        _ => "An approver with a passkey",
    }
}

#[cfg(test)]
pub(super) mod tests {
    use wire::approval::{Versions, Words};

    use super::super::order::tests::order;
    use super::*;

    pub(in super::super) fn card(id: &str) -> Card {
        Card {
            refund_id: id.into(),
            ticket_id: "T-101".into(),
            amount: "80.00".into(),
            asked: "89.00".into(),
            currency: "USD".into(),
            display: "$80.00".into(),
            order: order(),
            payment_id: "pay-A-5510".into(),
            versions: Versions { order: 1, ticket: 2, rules: 1 },
            digest: "ab".repeat(32),
            strength: "console".into(),
            people: 1,
            approved_by: 0,
            staged_at: "2026-11-30T12:00:00Z".into(),
            expires_at: "2026-11-30T13:00:00Z".into(),
            waiting: true,
            newer_message: false,
            state: "held".into(),
            untrusted: Words { agent_words: vec!["x".repeat(400)] },
        }
    }

    const NOW: Millis = Millis(1_796_053_376_000);

    #[test]
    fn the_oldest_is_open_until_another_is_picked() {
        let cards = [card("r1"), card("r2")];
        let console = Console::new(&cards, None, NOW);
        assert_eq!(console.card.unwrap().id, "r1");
        let console = Console::new(&cards, Some("r2"), NOW);
        assert!(console.waiting[1].current && !console.waiting[0].current);
        assert_eq!(console.card.unwrap().id, "r2");
    }

    #[test]
    fn a_refund_that_was_decided_meanwhile_is_not_replaced_by_another() {
        let console = Console::new(&[card("r1")], Some("r9"), NOW);
        assert!(console.card.is_none() && console.gone);
    }

    #[test]
    fn the_agents_words_are_cut() {
        let console = Console::new(&[card("r1")], None, NOW);
        let card = console.card.unwrap();
        let super::super::plain::Piece::Text(words) = &card.words[0].shown[0] else { panic!() };
        assert_eq!(words.chars().count(), 281);
        assert_eq!(card.asked.as_deref(), Some("$89.00"));
    }
}
