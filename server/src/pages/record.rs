//! The trail: what happened, newest first.

use desk::Millis;
use desk::id::TicketId;
use wire::event::Entry;

use super::moment::Moment;

/// The trail on a page.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    /// Newest first.
    pub lines: Vec<TrailLine>,
    /// Set if only one ticket's lines are shown.
    pub ticket: Option<String>,
    /// True if older lines were left out.
    pub more: bool,
}

/// One line of the trail.
#[derive(Clone, Debug)]
pub struct TrailLine {
    /// Its place.
    pub seq: i64,
    /// When.
    pub at: Moment,
    /// `Agent`, …
    pub who: String,
    /// `agent`, `played`, `person`, `approver`, `desk`: which mark it gets.
    pub kind: &'static str,
    /// What was done.
    pub what: String,
    /// The ticket.
    pub ticket: Option<String>,
    /// `$89.00`.
    pub amount: Option<String>,
    /// A refusal's code.
    pub code: Option<String>,
    /// The refund, shortened; its whole name is on hover.
    pub refund: Option<(String, String)>,
}

/// How many lines a page shows.
pub const LINES: usize = 200;

impl Trail {
    /// The trail over these entries, newest first.
    pub fn new(entries: &[Entry], ticket: Option<&str>, now: Millis) -> Trail {
        let lines = entries.iter().take(LINES).map(|entry| TrailLine::new(entry, now)).collect();
        let ticket = ticket.filter(|id| TicketId::try_from(*id).is_ok()).map(String::from);
        Trail { lines, ticket, more: entries.len() > LINES }
    }
}

impl TrailLine {
    fn new(entry: &Entry, now: Millis) -> TrailLine {
        let kind = match entry.who.as_str() {
            "agent" => "agent",
            "person playing the agent" => "played",
            "approver" => "approver",
            "person" => "person",
            _ => "desk",
        };
        TrailLine {
            seq: entry.seq,
            at: Moment::parse(&entry.at, now).unwrap_or_default(),
            who: capital(&entry.who),
            kind,
            what: capital(&entry.what),
            ticket: entry.ticket_id.clone(),
            amount: entry.amount.clone(),
            code: entry.code.clone(),
            refund: entry.refund_id.as_ref().map(|id| (id.chars().take(8).collect(), id.clone())),
        }
    }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_who_did_what() {
        let entry = Entry {
            seq: 7,
            at: "2026-11-30T12:00:00Z".into(),
            who: "person playing the agent".into(),
            what: "refund held".into(),
            ticket_id: Some("T-101".into()),
            refund_id: Some("abcdefghijkl".into()),
            code: None,
            amount: Some("$89.00".into()),
        };
        let trail = Trail::new(&[entry], Some("T-101"), Millis(1_796_053_376_000));
        let line = &trail.lines[0];
        assert_eq!((line.who.as_str(), line.kind), ("Person playing the agent", "played"));
        assert_eq!(line.what, "Refund held");
        assert_eq!(line.refund, Some(("abcdefgh".into(), "abcdefghijkl".into())));
        assert_eq!(Trail::new(&[], Some("T 1<"), Millis(0)).ticket, None);
    }
}
