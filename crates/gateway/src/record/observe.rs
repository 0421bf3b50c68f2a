//! What a server is seen to offer goes on the record here. Nothing is ever removed: what a list leaves out is marked
//! absent, so that a name that comes back meets its old pin.

use std::collections::BTreeMap;

use super::name::{exposed, item_key};
use super::state::{Item, Pin, ServerRecord, Sighting, Standing, State, Status};
use crate::config::{ServerEntry, Trust};
use crate::pin::{Definition, Kind};

/// What the scan makes of a definition: `clean`, `warning` or `dangerous`.
pub(crate) type Scanner<'a> = &'a dyn Fn(&ServerEntry, &Definition) -> String;

/// Makes sure that every server of the configuration has a record, in quarantine if it is new, and puts one whose
/// command or address is another than the reviewed one back.
pub(crate) fn register(state: &mut State, servers: &[ServerEntry], now: &str) {
    for entry in servers {
        let launch = entry.transport.hash();
        let trust_new = state.trust_new;
        let mut news = Vec::new();
        let record = state.servers.entry(entry.name.clone()).or_insert_with(|| {
            news.push("server_new");
            ServerRecord {
                why: "new".to_owned(),
                trust: trust_new,
                first_seen: now.to_owned(),
                ..ServerRecord::default()
            }
        });
        if record.launch_seen != launch {
            record.launch_seen = launch.clone();
            record.launch_line = entry.transport.line();
        }
        if record.standing == Standing::Live && record.launch.as_ref() != Some(&launch) {
            record.standing = Standing::Quarantined;
            record.why = "launch_changed".to_owned();
            news.push("launch_changed");
        }
        for kind in news {
            state.tell(kind, &entry.name, "", "", now);
        }
    }
}

/// Records one whole look at a server. `asked` are the kinds that were asked for: only those can be found absent.
pub(crate) fn observe(
    state: &mut State,
    entry: &ServerEntry,
    definitions: &[Definition],
    asked: &[Kind],
    scan: Scanner<'_>,
    now: &str,
) {
    register(state, std::slice::from_ref(entry), now);
    let Some(record) = state.servers.get_mut(&entry.name) else { return };
    let mut news: Vec<(&str, String, &str)> = Vec::new();
    let first_look = record.looked_at.is_empty();
    if first_look {
        record.looked_at = now.to_owned();
    }
    // What a person has confirmed; the configuration may ask for less.
    let trust = entry.trust.map_or(record.trust, |asked| asked.min(record.trust));
    let mut there = BTreeMap::new();
    for definition in definitions {
        there.insert(item_key(definition.kind, &definition.name), definition);
    }
    for (key, definition) in &there {
        let item = record.items.entry(key.clone()).or_insert_with(|| {
            news.push(("item_new", key.clone(), ""));
            Item {
                kind: definition.kind,
                name: definition.name.clone(),
                exposed: match definition.kind {
                    Kind::Tool | Kind::Prompt => exposed(&entry.alias, &definition.name),
                    _ => definition.name.clone(),
                },
                approved: None,
                seen: Sighting::of(definition, &scan(entry, definition), now),
                blocked: false,
                changes: 0,
                first_seen: now.to_owned(),
            }
        });
        if matches!(definition.kind, Kind::Tool | Kind::Prompt) {
            let exposed = exposed(&entry.alias, &definition.name);
            if item.exposed != exposed {
                item.exposed = exposed;
            }
        }
        let before = item.status();
        if item.seen.hash != definition.hash || item.seen.problem != definition.problem {
            item.seen = Sighting::of(definition, &scan(entry, definition), now);
            item.changes = item.changes.saturating_add(1);
            news.push(("item_changed", key.clone(), ""));
            if item.status() == Status::Approved && before != Status::Approved {
                news.push(("item_restored", key.clone(), ""));
            }
        } else if item.seen.soft != definition.soft {
            item.seen.soft.clone_from(&definition.soft);
            item.seen.raw.clone_from(&definition.raw);
            news.push(("annotations_changed", key.clone(), ""));
        }
        if !item.seen.present {
            item.seen.present = true;
            news.push(("item_back", key.clone(), ""));
        }
        let held = matches!(item.status(), Status::Pending | Status::Changed);
        let passes = match trust {
            Trust::Manual => None,
            Trust::Scan => (item.seen.verdict == "clean").then_some("trust:scan"),
            Trust::Auto => Some("trust:auto"),
        };
        if let (true, Some(by), None, Standing::Live) = (held, passes, item.seen.problem, record.standing) {
            item.approved = Some(Pin::of(&item.seen, by, now));
            news.push(("auto_approved", key.clone(), by));
        }
    }
    for (key, item) in &mut record.items {
        if item.seen.present && asked.contains(&item.kind) && !there.contains_key(key) {
            item.seen.present = false;
            news.push(("item_gone", key.clone(), ""));
        }
    }
    for (kind, item, by) in news {
        state.tell(kind, &entry.name, &item, by, now);
    }
    admit(state, entry, trust, now);
}

/// A server that is new, not one a person has put back, may go live by itself where a person has confirmed such a
/// trust mode for it: with `auto`, or with `scan` if all of it is clean.
fn admit(state: &mut State, entry: &ServerEntry, trust: Trust, now: &str) {
    let Some(record) = state.servers.get_mut(&entry.name) else { return };
    let new = record.standing == Standing::Quarantined && record.why == "new";
    let (by, passes) = match trust {
        Trust::Manual => return,
        Trust::Scan => (
            "trust:scan",
            record.items.values().all(|item| item.seen.verdict == "clean" && item.seen.problem.is_none()),
        ),
        Trust::Auto => ("trust:auto", true),
    };
    if !new || !passes || record.items.is_empty() {
        return;
    }
    record.standing = Standing::Live;
    record.why.clear();
    record.launch = Some(entry.transport.hash());
    for item in record.items.values_mut() {
        if item.approved.is_none() && item.seen.problem.is_none() && !item.blocked {
            item.approved = Some(Pin::of(&item.seen, by, now));
        }
    }
    state.tell("live", &entry.name, "", by, now);
}

impl Pin {
    pub(super) fn of(seen: &Sighting, by: &str, now: &str) -> Pin {
        Pin {
            hash: seen.hash.clone(),
            soft: seen.soft.clone(),
            raw: seen.raw.clone(),
            at: now.to_owned(),
            by: by.to_owned(),
        }
    }
}
