//! What stands round every page: the head that scripts read, the bar at the top, the one line of what just happened.

use super::assets;
use super::notice::Notice;

/// Round every page.
#[derive(Clone, Debug)]
pub struct Shell {
    /// The page's name. Ours: never text of a stranger.
    pub title: String,
    /// Which page this is.
    pub here: Here,
    /// What just happened.
    pub notice: Option<Notice>,
    /// True while agents are stopped.
    pub stopped: bool,
    /// What the scripts of the desk read; none on the console.
    pub desk: Option<DeskHead>,
    /// True if an approver is signed in.
    pub approver: bool,
}

/// The pages of the bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Here {
    /// `/` and `/t/…`.
    Desk,
    /// `/record`.
    Record,
    /// `/policy`.
    Rules,
    /// `/proof.html`.
    Proof,
    /// `/docs`.
    Api,
    /// The console.
    Console,
    /// A page that is none of these.
    Nowhere,
}

/// What `/desk.js` reads from the head.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeskHead {
    /// The ticket the page is about, with the tokens of its two agents.
    pub subject: Option<Subject>,
    /// `in_page`, `console` or `passkey`.
    pub strength: String,
    /// Where approvers go; empty if there is no console.
    pub console_url: String,
    /// True on pages that have the panel in them.
    pub widget: bool,
}

/// The ticket a page is about. Both tokens are bound to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subject {
    /// `T-101`.
    pub ticket_id: String,
    /// For the agent of this page.
    pub agent: String,
    /// For a person who plays the agent.
    pub played: String,
}

/// A link of the bar.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// Where it goes.
    pub href: &'static str,
    /// What it says.
    pub name: &'static str,
    /// True on its own page.
    pub current: bool,
}

impl Shell {
    /// A page of the desk.
    pub fn desk(title: impl Into<String>, here: Here, head: DeskHead) -> Shell {
        Shell { title: title.into(), here, notice: None, stopped: false, desk: Some(head), approver: false }
    }

    /// A page of the console.
    pub fn console(title: impl Into<String>, approver: bool) -> Shell {
        Shell { title: title.into(), here: Here::Console, notice: None, stopped: false, desk: None, approver }
    }

    /// The same page with the line of what just happened.
    #[must_use]
    pub fn noting(self, code: Option<&str>) -> Shell {
        Shell { notice: code.and_then(Notice::parse), ..self }
    }

    /// The same page, told whether agents are stopped.
    #[must_use]
    pub fn stopped(self, stopped: bool) -> Shell {
        Shell { stopped, ..self }
    }

    /// The line of what just happened, unless the page says it anyway.
    pub(super) fn told(&self) -> Option<Notice> {
        self.notice.filter(|notice| !(self.stopped && *notice == Notice::Stopped))
    }

    pub(super) fn links(&self) -> [Link; 5] {
        [
            ("/", "Desk", Here::Desk),
            ("/record", "Record", Here::Record),
            ("/policy", "Rules", Here::Rules),
            ("/proof.html", "Proof", Here::Proof),
            ("/docs", "API", Here::Api),
        ]
        .map(|(href, name, here)| Link { href, name, current: self.here == here })
    }

    /// The page that the bar's forms come back to.
    pub(super) fn back(&self) -> String {
        match (self.here, &self.desk) {
            (Here::Desk, Some(DeskHead { subject: Some(subject), .. })) => {
                format!("/t/{}", subject.ticket_id)
            }
            (here, _) => self
                .links()
                .iter()
                .find(|link| link.current && here != Here::Desk)
                .map_or("/", |link| link.href)
                .into(),
        }
    }

    pub(super) fn css(&self) -> &'static str {
        assets::css_address()
    }

    pub(super) fn script(&self) -> &'static str {
        assets::script_address()
    }

    pub(super) fn icon(&self) -> &'static str {
        assets::icon_address()
    }
}

/// The page a form may come back to: one of ours, or `/`.
pub fn back_to(asked: &str) -> String {
    let known = ["/record", "/policy", "/proof.html", "/docs"].contains(&asked);
    let ticket = asked.strip_prefix("/t/").is_some_and(|id| desk::id::TicketId::try_from(id).is_ok());
    String::from(if known || ticket { asked } else { "/" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_comes_back_to_one_of_our_pages_only() {
        assert_eq!(back_to("/t/T-102"), "/t/T-102");
        assert_eq!(back_to("/record"), "/record");
        for asked in ["https://example.org", "//example.org", "/t/../x", "/t/T 1", "", "/api/reset"] {
            assert_eq!(back_to(asked), "/", "{asked}");
        }
    }

    #[test]
    fn the_bar_knows_where_it_is() {
        let shell = Shell::desk("Record", Here::Record, DeskHead::default());
        assert_eq!(shell.back(), "/record");
        let head = DeskHead {
            subject: Some(Subject { ticket_id: "T-101".into(), ..Subject::default() }),
            ..DeskHead::default()
        };
        assert_eq!(Shell::desk("T-101", Here::Desk, head).back(), "/t/T-101");
        assert_eq!(Shell::desk("Desk", Here::Desk, DeskHead::default()).back(), "/");
    }
}
