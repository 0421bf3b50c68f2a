//! The left pane: all tickets.

use desk::Millis;

use super::moment::Moment;
use super::plain::Plain;

/// What a line of the queue is made from.
#[derive(Clone, Debug)]
pub struct Line {
    /// `T-101`.
    pub ticket_id: String,
    /// `new`, `triaged`, `escalated`, `resolved`.
    pub state: String,
    /// The customer's subject line.
    pub subject: String,
    /// The name the customer gave.
    pub customer: String,
    /// When it came in.
    pub received_at: Millis,
    /// True while a refund of it waits for a person.
    pub held: bool,
}

/// All tickets, in the order of their names.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    /// One a ticket.
    pub rows: Vec<Row>,
    /// How many are neither escalated nor resolved.
    pub open: usize,
}

/// A line of the queue.
#[derive(Clone, Debug)]
pub struct Row {
    /// `T-101`.
    pub id: String,
    /// What the badge says.
    pub state: State,
    /// One line, by a stranger.
    pub subject: Plain,
    /// One line, by a stranger.
    pub customer: Plain,
    /// When it came in.
    pub received: Moment,
    /// True while a refund of it waits for a person.
    pub held: bool,
    /// True on its own page.
    pub current: bool,
}

/// Where a ticket stands, as a word for programs and one for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// `new`, `triaged`, `escalated`, `resolved`.
    pub word: String,
    /// `New`, …
    pub name: &'static str,
}

impl State {
    /// The state stored as this word.
    pub fn new(word: &str) -> State {
        let name = match word {
            "new" => "New",
            "triaged" => "Triaged",
            "escalated" => "Escalated",
            "resolved" => "Resolved",
            _ => "Unknown",
        };
        State { word: String::from(word), name }
    }
}

impl Queue {
    /// The queue as one page shows it. `current` is the page's ticket.
    pub fn new(lines: impl IntoIterator<Item = Line>, current: Option<&str>, now: Millis) -> Queue {
        let rows: Vec<Row> = lines
            .into_iter()
            .map(|line| Row {
                state: State::new(&line.state),
                subject: Plain::line(&line.subject, 120),
                customer: Plain::line(&line.customer, 60),
                received: Moment::new(line.received_at, now),
                held: line.held,
                current: current == Some(line.ticket_id.as_str()),
                id: line.ticket_id,
            })
            .collect();
        let open = rows.iter().filter(|row| matches!(row.state.word.as_str(), "new" | "triaged")).count();
        Queue { rows, open }
    }
}
