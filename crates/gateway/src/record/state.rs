//! The state file's contents.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use super::event::{Event, KEPT};
use crate::config::{Approve, Trust};
use crate::person::Passphrase;
use crate::pin::{Definition, Kind, Problem};

/// The shape this program reads and writes.
pub(super) const VERSION: u32 = 1;

/// Everything that is kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) version: u32,
    /// Grows with every event.
    pub(crate) seq: u64,
    /// The strongest way of approving that was ever asked for. Only a press on the page lowers it.
    #[serde(default)]
    pub(crate) approve: Approve,
    /// What a person has confirmed for servers that are new.
    #[serde(default)]
    pub(crate) trust_new: Trust,
    /// How somebody signs in on the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) passphrase: Option<Passphrase>,
    #[serde(default)]
    pub(crate) servers: BTreeMap<String, ServerRecord>,
    #[serde(default)]
    pub(crate) events: VecDeque<Event>,
}

/// Where a server stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Standing {
    #[default]
    Quarantined,
    Live,
}

/// What is known of a server.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ServerRecord {
    pub(crate) standing: Standing,
    /// Why it is in quarantine: `new`, `launch_changed`, or who put it there.
    #[serde(default)]
    pub(crate) why: String,
    /// The launch a person said yes to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) launch: Option<String>,
    /// The launch in the configuration when it was last read.
    #[serde(default)]
    pub(crate) launch_seen: String,
    /// The same in words.
    #[serde(default)]
    pub(crate) launch_line: String,
    /// What a person has confirmed.
    #[serde(default)]
    pub(crate) trust: Trust,
    pub(crate) first_seen: String,
    /// When it first answered what it offers; empty if it never did.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) looked_at: String,
    /// Why it can't be reached, if so.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) trouble: String,
    #[serde(default)]
    pub(crate) items: BTreeMap<String, Item>,
}

/// What is known of one thing a server offers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Item {
    pub(crate) kind: Kind,
    pub(crate) name: String,
    /// As agents see its name; its address for a resource.
    pub(crate) exposed: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) approved: Option<Pin>,
    pub(crate) seen: Sighting,
    #[serde(default)]
    pub(crate) blocked: bool,
    /// How often it was seen to change.
    #[serde(default)]
    pub(crate) changes: u32,
    pub(crate) first_seen: String,
}

/// What was approved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Pin {
    pub(crate) hash: String,
    pub(crate) soft: String,
    /// The definition's own text: what agents are shown.
    pub(crate) raw: String,
    pub(crate) at: String,
    pub(crate) by: String,
}

/// What was seen last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Sighting {
    pub(crate) hash: String,
    pub(crate) soft: String,
    pub(crate) raw: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) problem: Option<Problem>,
    /// Whether the server's last list had it.
    pub(crate) present: bool,
    /// What the scan made of it: `clean`, `warning` or `dangerous`.
    #[serde(default)]
    pub(crate) verdict: String,
    /// When this definition was first seen.
    pub(crate) at: String,
}

/// Where an item stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    Pending,
    Approved,
    Changed,
    Blocked,
}

impl Status {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Status::Pending => "pending",
            Status::Approved => "approved",
            Status::Changed => "changed",
            Status::Blocked => "blocked",
        }
    }
}

impl Item {
    /// Where it stands. Only an equal hash is approved, whichever part of it differs.
    pub(crate) fn status(&self) -> Status {
        match &self.approved {
            _ if self.blocked => Status::Blocked,
            None => Status::Pending,
            Some(pin) if pin.hash == self.seen.hash => Status::Approved,
            Some(_) => Status::Changed,
        }
    }

    /// True if its annotations differ from those that were approved.
    pub(crate) fn soft_changed(&self) -> bool {
        self.approved.as_ref().is_some_and(|pin| pin.hash == self.seen.hash && pin.soft != self.seen.soft)
    }
}

impl Sighting {
    pub(super) fn of(definition: &Definition, verdict: &str, now: &str) -> Sighting {
        Sighting {
            hash: definition.hash.clone(),
            soft: definition.soft.clone(),
            raw: definition.raw.clone(),
            problem: definition.problem,
            present: true,
            verdict: verdict.to_owned(),
            at: now.to_owned(),
        }
    }
}

impl State {
    /// Nothing is known, so nothing is open.
    pub(crate) fn new() -> State {
        State { version: VERSION, ..State::default() }
    }

    /// Writes down that something happened.
    pub(crate) fn tell(&mut self, kind: &str, server: &str, item: &str, by: &str, now: &str) {
        self.seq = self.seq.saturating_add(1);
        self.events.push_back(Event {
            seq: self.seq,
            at: now.to_owned(),
            kind: kind.to_owned(),
            server: server.to_owned(),
            item: item.to_owned(),
            by: by.to_owned(),
        });
        while self.events.len() > KEPT {
            self.events.pop_front();
        }
    }
}
