//! What every command needs: the configuration, the state, a server by its name, an item by its.

use std::sync::Arc;

use super::{Failure, Files, could_not};
use crate::clock::now;
use crate::config::{Approve, Config, ServerEntry};
use crate::pin::Definition;
use crate::record::{Item, Refusal, ServerRecord, State, Store, observe, register};
use crate::review::{peers_of, report_of, verdict_word};
use crate::upstream::{Asking, look_once};

/// The configuration and the state, read together.
#[derive(Debug)]
pub(super) struct Board {
    pub(super) config: Config,
    pub(super) store: Store,
}

impl Board {
    /// Reads both, and puts servers that are new on the record, in quarantine.
    pub(super) fn open(files: &Files) -> Result<Board, Failure> {
        let config = Config::load(&files.config).map_err(could_not)?;
        let store = Store::at(files.state.clone());
        let approve = config.settings.approve;
        store
            .change(|state| {
                state.approve = state.approve.max(approve);
                register(state, &config.servers, &now());
            })
            .map_err(could_not)?;
        Ok(Board { config, store })
    }

    pub(super) fn state(&self) -> Result<Arc<State>, Failure> {
        self.store.read().map_err(could_not)
    }

    pub(super) fn entry(&self, name: &str) -> Result<&ServerEntry, Failure> {
        if let Some(entry) = self.config.server(name) {
            return Ok(entry);
        }
        let refused = self.config.refused.iter().find(|refused| refused.name == name);
        Err(Failure::Refused(match refused {
            Some(refused) => Refusal::new("REFUSED", format!("The entry can't be used: {}.", refused.why)),
            None => Refusal::new("UNKNOWN_SERVER", "The configuration has no server of this name."),
        }))
    }

    /// Changes the state; a refusal of the change is the command's.
    pub(super) fn change<T>(
        &self,
        with: impl FnOnce(&mut State) -> Result<T, Refusal>,
    ) -> Result<T, Failure> {
        Ok(self.store.change(with).map_err(could_not)??)
    }

    /// Starts the server, records what it offers, and lets it go: always if `again`, else only if nobody ever looked.
    pub(super) fn look(&self, entry: &ServerEntry, again: bool) -> Result<(), Failure> {
        let state = self.state()?;
        let known = state.servers.get(&entry.name).is_some_and(|record| !record.looked_at.is_empty());
        if (known && !again) || entry.disabled {
            return Ok(());
        }
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(could_not)?;
        let look = runtime
            .block_on(look_once(entry, &Asking::nobody()))
            .map_err(|why| Failure::CouldNot(format!("The server {} can't be asked: {why}.", entry.alias)))?;
        let peers = peers_of(&state);
        let scan = |entry: &ServerEntry, one: &Definition| {
            verdict_word(report_of(&entry.name, one.kind, &one.raw, &peers).verdict).to_owned()
        };
        self.store
            .change(|state| observe(state, entry, &look.definitions, &look.asked, &scan, &now()))
            .map_err(could_not)
    }

    /// Whether a code typed at a terminal may open anything.
    pub(super) fn terminal_counts(&self) -> Result<(), Failure> {
        if self.state()?.approve == Approve::Web {
            let page = crate::page::address(&self.config.settings);
            return Err(Failure::Refused(Refusal::new(
                "NEEDS_PAGE",
                format!("Only a press on the review page counts here: {page}."),
            )));
        }
        Ok(())
    }
}

/// The record of a server of the configuration.
pub(super) fn record<'a>(state: &'a State, entry: &ServerEntry) -> Result<&'a ServerRecord, Failure> {
    state
        .servers
        .get(&entry.name)
        .ok_or_else(|| Failure::Refused(Refusal::new("UNKNOWN_SERVER", "There is no record of this server.")))
}

/// An item by `kind:name`, by its name alone if only one has it, or by the name agents see.
pub(super) fn find<'a>(record: &'a ServerRecord, word: &str) -> Result<(&'a str, &'a Item), Failure> {
    if let Some((key, item)) = record.items.get_key_value(word) {
        return Ok((key, item));
    }
    let mut found = record.items.iter().filter(|(_, item)| item.name == word || item.exposed == word);
    match (found.next(), found.next()) {
        (Some((key, item)), None) => Ok((key, item)),
        (Some(_), Some(_)) => Err(Failure::Refused(Refusal::new(
            "AMBIGUOUS",
            "Several items have this name; write it as tool:NAME, prompt:NAME, resource:ADDRESS or template:ADDRESS.",
        ))),
        (None, _) => Err(Failure::Refused(Refusal::new("UNKNOWN_ITEM", "There is no record of this item."))),
    }
}
