//! `quarantine hook status`: what the telemetry comes to.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::process::ExitCode;

use reader::label;
use serde_json::{Value, json};

use super::{Failed, Flags, failed};
use crate::place::Places;

/// So many quarantined calls of one namespace in one session are worth a look.
const OFTEN: u64 = 5;

/// Runs it. Lines of other programs in the same file are passed over.
///
/// # Errors
/// Wrong use.
pub fn run(words: &[String], places: &Places) -> Result<ExitCode, Failed> {
    let flags = Flags::read(words, &["--json"])?;
    if !flags.rest.is_empty() {
        return failed("status takes no words besides --json.");
    }
    let mut decisions: BTreeMap<String, u64> = BTreeMap::new();
    let mut sources: BTreeMap<String, u64> = BTreeMap::new();
    let mut sessions: BTreeMap<(String, String), u64> = BTreeMap::new();
    let file = std::fs::File::open(places.telemetry());
    for line in file.into_iter().flat_map(|file| BufReader::new(file).split(b'\n')).map_while(Result::ok) {
        let Ok(line) = serde_json::from_slice::<Value>(&line) else { continue };
        let text = |name: &str| line.get(name).and_then(Value::as_str).unwrap_or_default();
        if text("event") != "quarantine" {
            continue;
        }
        // What stands in the file was escaped once; a file that somebody else wrote to is escaped again.
        let source: Vec<String> = text("source").splitn(2, ':').map(label).collect();
        let source = source.join(":");
        *decisions.entry(label(text("decision"))).or_default() += 1;
        if matches!(text("decision"), "emit" | "seal") {
            if source.starts_with("mcp:") {
                *sessions.entry((label(text("session_id")), source.clone())).or_default() += 1;
            }
            *sources.entry(source).or_default() += 1;
        }
    }
    let often: Vec<(&(String, String), &u64)> =
        sessions.iter().filter(|(_, count)| **count >= OFTEN).collect();
    if flags.json {
        let often: Vec<Value> = often
            .iter()
            .map(
                |((session, source), count)| json!({"session_id": session, "source": source, "calls": count}),
            )
            .collect();
        println!("{:#}", json!({"decisions": decisions, "sources": sources, "often_in_one_session": often}));
        return Ok(ExitCode::SUCCESS);
    }
    if decisions.is_empty() {
        println!("No call was looked at yet.");
        return Ok(ExitCode::SUCCESS);
    }
    let counted = |counts: &BTreeMap<String, u64>| {
        let list: Vec<String> = counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
        list.join(", ")
    };
    println!("Decisions: {}", counted(&decisions));
    println!("Quarantined: {}", counted(&sources));
    for ((session, source), count) in often {
        println!("{source} was quarantined {count} times in session {session}: look at what it sends.");
    }
    Ok(ExitCode::SUCCESS)
}
