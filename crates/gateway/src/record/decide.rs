//! Decisions. What opens something asks for a [`Person`]; what closes something does not.

use std::collections::BTreeMap;

use super::state::{Item, Pin, ServerRecord, Standing, State, Status};
use crate::config::{Config, Trust};
use crate::person::Person;
use crate::pin::Kind;
use crate::review::{peers_of, report_of_item};

/// Why a decision was not taken. Nothing was changed then.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refusal {
    /// UPPER_SNAKE, for programs.
    pub(crate) code: &'static str,
    /// One sentence, for people.
    pub(crate) says: String,
}

impl Refusal {
    pub(crate) fn new(code: &'static str, says: impl Into<String>) -> Refusal {
        Refusal { code, says: says.into() }
    }
}

/// An item and the hash that was shown for it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Wanted {
    pub(crate) key: String,
    pub(crate) hash: String,
}

fn server<'a>(state: &'a mut State, name: &str) -> Result<&'a mut ServerRecord, Refusal> {
    let unknown = || Refusal::new("UNKNOWN_SERVER", "There is no record of a server of this name.");
    state.servers.get_mut(name).ok_or_else(unknown)
}

fn item<'a>(record: &'a mut ServerRecord, key: &str) -> Result<&'a mut Item, Refusal> {
    let unknown = || Refusal::new("UNKNOWN_ITEM", "There is no record of an item of this name.");
    record.items.get_mut(key).ok_or_else(unknown)
}

/// The names agents already see, and which item has each.
fn taken(state: &State, config: &Config) -> BTreeMap<(Kind, String), (String, String)> {
    let mut taken = BTreeMap::new();
    for (name, record) in &state.servers {
        if config.server(name).is_none_or(|entry| &entry.name != name) {
            continue;
        }
        for (key, item) in &record.items {
            if item.approved.is_some() && item.kind != Kind::Instructions {
                taken.insert((item.kind, item.exposed.clone()), (name.clone(), key.clone()));
            }
        }
    }
    taken
}

/// Whether exactly what was shown can be approved.
///
/// # Errors
/// An item is not there, is another by now, can't be approved at all, has a name that is taken, or has findings of
/// the hard tier and `despite` is not set.
pub(crate) fn may_approve(
    state: &State,
    config: &Config,
    name: &str,
    wanted: &[Wanted],
    despite: bool,
) -> Result<(), Refusal> {
    let mut taken = taken(state, config);
    let peers = peers_of(state);
    let unknown = |code, says: &str| Refusal::new(code, says);
    let record = state
        .servers
        .get(name)
        .ok_or_else(|| unknown("UNKNOWN_SERVER", "There is no record of a server of this name."))?;
    for want in wanted {
        let item = record
            .items
            .get(&want.key)
            .ok_or_else(|| unknown("UNKNOWN_ITEM", "There is no record of an item of this name."))?;
        if item.seen.hash != want.hash {
            return Err(Refusal::new(
                "HASH_STALE",
                "The server offers something else by now than what was shown. Look again.",
            ));
        }
        if let Some(problem) = item.seen.problem {
            return Err(Refusal::new("NOT_APPROVABLE", problem.says()));
        }
        if item.blocked {
            return Err(Refusal::new("BLOCKED", "It is blocked; unblock it first."));
        }
        // Read anew: what other servers offer by now counts, and it is what the reviewer was shown.
        if !despite && report_of_item(name, item, &peers).verdict == detect::Verdict::Dangerous {
            return Err(Refusal::new(
                "FINDINGS",
                "The scan has findings that honest text does not have. Read them; to approve all the same, say so.",
            ));
        }
        if item.kind != Kind::Instructions {
            let place = (name.to_owned(), want.key.clone());
            let other = taken.insert((item.kind, item.exposed.clone()), place.clone());
            if other.is_some_and(|other| other != place) {
                return Err(Refusal::new(
                    "NAME_TAKEN",
                    "Agents already see another item under this name or address. Rename the server, or block the other.",
                ));
            }
        }
    }
    Ok(())
}

/// Approves exactly what was shown: all of it or, if one part can't be, none. Gives how many were not approved before.
///
/// # Errors
/// As [`may_approve`].
pub(crate) fn approve(
    state: &mut State,
    config: &Config,
    person: &Person,
    name: &str,
    wanted: &[Wanted],
    despite: bool,
    now: &str,
) -> Result<usize, Refusal> {
    may_approve(state, config, name, wanted, despite)?;
    let record = server(state, name)?;
    let mut news = Vec::new();
    for want in wanted {
        let item = item(record, &want.key)?;
        if item.status() != Status::Approved || item.soft_changed() {
            item.approved = Some(Pin::of(&item.seen, person.by(), now));
            news.push(want.key.clone());
        }
    }
    for key in &news {
        state.tell("approved", name, key, person.by(), now);
    }
    Ok(news.len())
}

/// Takes a server out of quarantine: exactly the command or address that was shown.
///
/// # Errors
/// There is no such server, or its launch is another by now.
pub(crate) fn go_live(
    state: &mut State,
    person: &Person,
    name: &str,
    launch: &str,
    now: &str,
) -> Result<(), Refusal> {
    let record = server(state, name)?;
    if record.launch_seen != launch {
        return Err(Refusal::new(
            "HASH_STALE",
            "The configuration starts something else by now than what was shown. Look again.",
        ));
    }
    if record.standing != Standing::Live || record.launch.as_deref() != Some(launch) {
        record.standing = Standing::Live;
        record.launch = Some(launch.to_owned());
        record.why.clear();
        state.tell("live", name, "", person.by(), now);
    }
    Ok(())
}

/// Puts a server in quarantine. Anybody may.
///
/// # Errors
/// There is no such server.
pub(crate) fn quarantine(state: &mut State, name: &str, by: &str, now: &str) -> Result<(), Refusal> {
    let record = server(state, name)?;
    if record.standing == Standing::Live {
        record.standing = Standing::Quarantined;
        by.clone_into(&mut record.why);
        state.tell("quarantined", name, "", by, now);
    } else if record.why == "new" {
        // Somebody has said no; a clean scan does not overrule that.
        by.clone_into(&mut record.why);
        state.tell("quarantined", name, "", by, now);
    }
    Ok(())
}

/// Blocks items, in one step for all. Anybody may.
///
/// # Errors
/// One of them is not there.
pub(crate) fn block(
    state: &mut State,
    name: &str,
    keys: &[String],
    by: &str,
    now: &str,
) -> Result<usize, Refusal> {
    let record = server(state, name)?;
    for key in keys {
        item(record, key)?;
    }
    let mut news = Vec::new();
    for key in keys {
        let item = item(record, key)?;
        if !item.blocked {
            item.blocked = true;
            news.push(key.clone());
        }
    }
    for key in &news {
        state.tell("blocked", name, key, by, now);
    }
    Ok(news.len())
}

/// Takes the block off. What the item is then depends on its pin: a changed one is still changed.
///
/// # Errors
/// One of them is not there.
pub(crate) fn unblock(
    state: &mut State,
    person: &Person,
    name: &str,
    keys: &[String],
    now: &str,
) -> Result<usize, Refusal> {
    let record = server(state, name)?;
    for key in keys {
        item(record, key)?;
    }
    let mut news = Vec::new();
    for key in keys {
        let item = item(record, key)?;
        if item.blocked {
            item.blocked = false;
            news.push(key.clone());
        }
    }
    for key in &news {
        state.tell("unblocked", name, key, person.by(), now);
    }
    Ok(news.len())
}

/// Confirms a trust mode, for one server or, without a name, for servers that are new.
///
/// # Errors
/// There is no such server.
pub(crate) fn set_trust(
    state: &mut State,
    person: &Person,
    name: Option<&str>,
    trust: Trust,
    now: &str,
) -> Result<(), Refusal> {
    match name {
        None => state.trust_new = trust,
        Some(name) => server(state, name)?.trust = trust,
    }
    state.tell("trust", name.unwrap_or(""), trust.word(), person.by(), now);
    Ok(())
}
