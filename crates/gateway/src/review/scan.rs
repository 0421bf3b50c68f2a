//! The scan of what servers offer: everything the gateway asks of `detect` is asked here.

use detect::{Context, Peers, Report, Verdict};
use serde_json::Value;

use crate::pin::{Kind, json};
use crate::record::{Item, State};

/// Every tool on the record, which is what a tool's text is read beside.
pub(crate) fn peers_of(state: &State) -> Peers {
    let mut peers = Peers::default();
    for (server, record) in &state.servers {
        for item in record.items.values().filter(|item| item.kind == Kind::Tool) {
            let description = json::members(&item.seen.raw)
                .and_then(|all| all.one("description").and_then(json::text))
                .unwrap_or_default();
            peers.add(server, &item.name, &description);
        }
    }
    peers
}

/// What the scan finds in one definition.
pub(crate) fn report_of(server: &str, kind: Kind, raw: &str, peers: &Peers) -> Report {
    let context = Context { server, peers };
    let Ok(value) = serde_json::from_str::<Value>(raw) else {
        return detect::scan_instructions(raw, &context);
    };
    match (kind, &value) {
        (Kind::Tool, _) => detect::scan_tool(&value, &context),
        (_, Value::String(text)) => detect::scan_instructions(text, &context),
        _ => detect::scan_entry(&value, &context),
    }
}

/// What the scan finds in what an item is now.
pub(crate) fn report_of_item(server: &str, item: &Item, peers: &Peers) -> Report {
    report_of(server, item.kind, &item.seen.raw, peers)
}

/// A verdict as the state file and JSON output write it.
pub(crate) fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Clean => "clean",
        Verdict::Warning => "warning",
        Verdict::Dangerous => "dangerous",
    }
}
