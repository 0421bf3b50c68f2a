//! `inspect` and `diff`: what a server offers, and what is different from what was approved.

use std::fmt::Write as _;
use std::process::ExitCode;

use detect::Peers;
use serde_json::{Value, json};

use super::board::{Board, find, record};
use super::{Failure, Files, print_json};
use crate::pin::Kind;
use crate::record::{Item, ServerRecord, Status};
use crate::review::{Change, changes, fields, peers_of, report_of_item, verdict_word};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A server's name.
    server: String,
    /// An item: its name, or tool:NAME, prompt:NAME, resource:ADDRESS, template:ADDRESS, instructions.
    item: Option<String>,
    /// Ask the server again, even if it was looked at before.
    #[arg(long)]
    look: bool,
    /// One JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
pub(super) struct DiffArgs {
    /// A server's name.
    server: String,
    /// An item; without one, every item that is different.
    item: Option<String>,
    /// One JSON object.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(files: &Files, args: &Args) -> Result<ExitCode, Failure> {
    let board = Board::open(files)?;
    let entry = board.entry(&args.server)?;
    board.look(entry, args.look)?;
    let state = board.state()?;
    let record = record(&state, entry)?;
    let peers = peers_of(&state);
    let chosen: Vec<(&str, &Item)> = match &args.item {
        Some(word) => vec![find(record, word)?],
        None => record.items.iter().map(|(key, item)| (key.as_str(), item)).collect(),
    };
    if args.json {
        print_json(&server_json(&entry.name, record, &chosen, &peers));
        return Ok(ExitCode::SUCCESS);
    }
    println!("{} is started as:\n  {}", detect::visible(&entry.name), entry.transport.line());
    if chosen.is_empty() {
        println!("It offers nothing.");
    }
    for (_, item) in chosen {
        println!("\n{}", item_text(&entry.name, item, &peers));
    }
    if record.items.values().any(|item| matches!(item.status(), Status::Pending | Status::Changed)) {
        println!("\nTo approve all of this:  quarantine-gateway approve {}", detect::visible(&entry.name));
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn diff(files: &Files, args: &DiffArgs) -> Result<ExitCode, Failure> {
    let board = Board::open(files)?;
    let entry = board.entry(&args.server)?;
    let state = board.state()?;
    let record = record(&state, entry)?;
    let chosen: Vec<(&str, &Item)> = match &args.item {
        Some(word) => vec![find(record, word)?],
        None => record.items.iter().map(|(key, item)| (key.as_str(), item)).collect(),
    };
    let different: Vec<(&str, &Item, Vec<Change>)> = chosen
        .into_iter()
        .filter_map(|(key, item)| {
            let pin = item.approved.as_ref()?;
            let changes = changes(&pin.raw, &item.seen.raw);
            (!changes.is_empty()).then_some((key, item, changes))
        })
        .collect();
    if args.json {
        let items: Vec<Value> = different
            .iter()
            .map(|(key, item, changes)| {
                json!({ "item": key, "status": item.status(), "hash": item.seen.hash,
                        "approved_hash": item.approved.as_ref().map(|pin| &pin.hash), "changes": changes })
            })
            .collect();
        print_json(&json!({ "server": entry.name, "items": items }));
    } else if different.is_empty() {
        println!("Nothing is different from what was approved.");
    }
    if !args.json {
        for (key, item, changes) in &different {
            println!("{} ({})", detect::visible(key), item.status().word());
            print!("{}", changes_text(changes));
        }
    }
    Ok(if different.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Changes as text: `[-removed-]` and `{+added+}`.
pub(super) fn changes_text(changes: &[Change]) -> String {
    let mut out = String::new();
    for change in changes {
        let note = if change.soft { " (not shown to models; does not hold the item back)" } else { "" };
        let _ = writeln!(out, "  {}{note}:", change.field);
        let mut text = String::new();
        for piece in &change.pieces {
            match piece.what {
                "removed" => {
                    let _ = write!(text, "[-{}-]", piece.text);
                }
                "added" => {
                    let _ = write!(text, "{{+{}+}}", piece.text);
                }
                _ => text.push_str(&piece.text),
            }
        }
        for line in text.lines() {
            let _ = writeln!(out, "    {line}");
        }
    }
    out
}

/// One item as a person reads it.
pub(super) fn item_text(server: &str, item: &Item, peers: &Peers) -> String {
    let mut out = String::new();
    let title = match item.kind {
        Kind::Instructions => "instructions, which every model is given".to_owned(),
        kind => format!("{} {}", kind.word(), detect::visible(&item.name)),
    };
    let mut marks = vec![item.status().word().to_owned()];
    if !item.seen.present {
        marks.push("not offered now".to_owned());
    }
    if item.changes > 0 {
        marks.push(format!("changed {} times", item.changes));
    }
    if item.soft_changed() {
        marks.push("annotations differ".to_owned());
    }
    let _ = writeln!(out, "== {title}  [{}]", marks.join(", "));
    if let Some(problem) = item.seen.problem {
        let _ = writeln!(out, "  Can't be approved: {}", problem.says());
    }
    for finding in report_of_item(server, item, peers).findings {
        let tier = if finding.tier == detect::Tier::Hard { "FINDING" } else { "finding" };
        let _ = writeln!(
            out,
            "  {tier} {} at {}: {}",
            finding.rule,
            detect::visible(&finding.path),
            finding.says
        );
        let _ = writeln!(out, "      {}", finding.excerpt);
    }
    for field in fields(&item.seen.raw) {
        let _ = writeln!(out, "  {}:", field.name);
        for line in field.text.lines() {
            let _ = writeln!(out, "    {line}");
        }
    }
    let _ = write!(out, "  {}", item.seen.hash);
    out
}

/// A server and some of its items as JSON: also what REST answers.
pub(crate) fn server_json(
    name: &str,
    record: &ServerRecord,
    items: &[(&str, &Item)],
    peers: &Peers,
) -> Value {
    let items: Vec<Value> = items.iter().map(|(key, item)| item_json(name, key, item, peers)).collect();
    json!({
        "server": name,
        "standing": record.standing,
        "why": record.why,
        "launch": record.launch_line,
        "launch_hash": record.launch_seen,
        "trust": record.trust,
        "items": items,
    })
}

fn item_json(server: &str, key: &str, item: &Item, peers: &Peers) -> Value {
    let report = report_of_item(server, item, peers);
    let shown: Vec<Value> = fields(&item.seen.raw)
        .into_iter()
        .map(|field| json!({ "field": field.name, "text": field.text, "soft": field.soft }))
        .collect();
    json!({
        "item": key,
        "kind": item.kind,
        "name": item.name,
        "exposed": item.exposed,
        "status": item.status(),
        "present": item.seen.present,
        "problem": item.seen.problem,
        "hash": item.seen.hash,
        "approved_hash": item.approved.as_ref().map(|pin| &pin.hash),
        "approved_at": item.approved.as_ref().map(|pin| &pin.at),
        "approved_by": item.approved.as_ref().map(|pin| &pin.by),
        "annotations_changed": item.soft_changed(),
        "times_changed": item.changes,
        "verdict": verdict_word(report.verdict),
        "findings": report.findings,
        "shown": shown,
    })
}
