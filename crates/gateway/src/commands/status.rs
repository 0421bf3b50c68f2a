//! `status`: every server and what waits.

use std::process::ExitCode;

use serde_json::{Value, json};

use super::board::Board;
use super::{Failure, Files, print_json};
use crate::config::{Approve, Config, ServerEntry};
use crate::record::{Reason, ServerRecord, State, Status, server_reason};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// One JSON object.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(files: &Files, args: &Args) -> Result<ExitCode, Failure> {
    let board = Board::open(files)?;
    let state = board.state()?;
    if args.json {
        print_json(&whole(&board.config, &state, &files.state.display().to_string()));
        return Ok(ExitCode::SUCCESS);
    }
    let rows: Vec<[String; 4]> = board.config.servers.iter().map(|entry| row(&state, entry)).collect();
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let (first, second, third) = (width(0), width(1), width(2));
    for [name, standing, counts, line] in &rows {
        println!("{name:first$}  {standing:second$}  {counts:third$}  {line}");
    }
    for refused in &board.config.refused {
        println!("{}  not used: {}", detect::visible(&refused.name), refused.why);
    }
    if rows.is_empty() {
        println!("The configuration {} lists no servers.", files.config.display());
    }
    for hint in hints(&board.config, &state) {
        println!("\n{hint}");
    }
    Ok(ExitCode::SUCCESS)
}

fn counted(record: &ServerRecord, status: Status) -> usize {
    record.items.values().filter(|item| item.seen.present && item.status() == status).count()
}

fn standing(state: &State, entry: &ServerEntry) -> &'static str {
    match server_reason(state, entry) {
        _ if entry.disabled => "disabled",
        Ok(()) => "live",
        Err(Reason::Disabled) => "disabled",
        Err(_) => "quarantined",
    }
}

fn row(state: &State, entry: &ServerEntry) -> [String; 4] {
    let none = ServerRecord::default();
    let record = state.servers.get(&entry.name).unwrap_or(&none);
    let mut counts = Vec::new();
    for status in [Status::Changed, Status::Pending, Status::Approved, Status::Blocked] {
        match counted(record, status) {
            0 => {}
            count => counts.push(format!("{count} {}", status.word())),
        }
    }
    if record.looked_at.is_empty() && !entry.disabled {
        counts.push("not looked at yet".to_owned());
    }
    if !record.trouble.is_empty() {
        counts.push(record.trouble.clone());
    }
    let mut standing = standing(state, entry).to_owned();
    if standing == "quarantined" && !record.why.is_empty() {
        standing = format!("{standing} ({})", record.why);
    }
    [detect::visible(&entry.name), standing, counts.join(", "), entry.transport.line()]
}

fn hints(config: &Config, state: &State) -> Vec<String> {
    let mut hints = Vec::new();
    for entry in &config.servers {
        let Some(record) = state.servers.get(&entry.name) else { continue };
        let name = detect::visible(&entry.name);
        if standing(state, entry) == "quarantined" {
            hints.push(format!("Review {name}:  quarantine-gateway inspect {name}"));
        } else if counted(record, Status::Changed) > 0 {
            hints.push(format!("Compare {name}:  quarantine-gateway diff {name}"));
        } else if counted(record, Status::Pending) > 0 {
            hints.push(format!("Review {name}:  quarantine-gateway inspect {name}"));
        }
        if let Some(asked) = entry.trust.filter(|asked| *asked > record.trust) {
            hints.push(format!(
                "The configuration asks for trust {} for {name}; it is {} until you run:  quarantine-gateway trust {name} {}",
                asked.word(),
                record.trust.word(),
                asked.word()
            ));
        }
        if entry.says_reviewed && standing(state, entry) == "quarantined" {
            hints.push(format!(
                "The configuration says that {name} is reviewed. That opens nothing; a review does."
            ));
        }
    }
    if state.approve == Approve::Web && state.passphrase.is_none() {
        hints.push("Nobody can sign in on the review page yet:  quarantine-gateway passphrase".to_owned());
    }
    hints
}

/// The status as JSON: also what REST answers.
pub(crate) fn whole(config: &Config, state: &State, file: &str) -> Value {
    let servers: Vec<Value> = config.servers.iter().map(|entry| server(state, entry)).collect();
    let refused: Vec<Value> = config
        .refused
        .iter()
        .map(|refused| json!({ "name": detect::visible(&refused.name), "why": refused.why }))
        .collect();
    json!({
        "config": config.path.display().to_string(),
        "state": file,
        "seq": state.seq,
        "approve": state.approve,
        "trust_new": state.trust_new,
        "page": crate::page::address(&config.settings),
        "servers": servers,
        "refused": refused,
    })
}

fn server(state: &State, entry: &ServerEntry) -> Value {
    let none = ServerRecord::default();
    let record = state.servers.get(&entry.name).unwrap_or(&none);
    json!({
        "name": entry.name,
        "alias": entry.alias,
        "standing": standing(state, entry),
        "why": record.why,
        "launch": entry.transport.line(),
        "launch_hash": entry.transport.hash(),
        "trust": record.trust,
        "trust_asked": entry.trust,
        "looked_at": record.looked_at,
        "trouble": record.trouble,
        "pending": counted(record, Status::Pending),
        "changed": counted(record, Status::Changed),
        "approved": counted(record, Status::Approved),
        "blocked": counted(record, Status::Blocked),
        "absent": record.items.values().filter(|item| !item.seen.present).count(),
    })
}
