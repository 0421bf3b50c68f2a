//! Somebody who may open things: a code typed at a terminal, or a press on the page by who signed in there.

mod passphrase;
mod terminal;

pub(crate) use passphrase::{Passphrase, SHORTEST};
pub(crate) use terminal::{ask_passphrase, confirm};

/// Proof that a person decided. Nothing an agent says over MCP or REST makes one.
#[derive(Debug)]
pub(crate) struct Person {
    by: &'static str,
}

impl Person {
    /// What the record says: `terminal` or `page`.
    pub(crate) fn by(&self) -> &'static str {
        self.by
    }

    /// Who pressed a button on the page. The caller has checked the session and the origin.
    pub(crate) fn at_the_page(_session: &crate::page::SignedIn) -> Person {
        Person { by: "page" }
    }

    fn at_the_terminal() -> Person {
        Person { by: "terminal" }
    }
}
