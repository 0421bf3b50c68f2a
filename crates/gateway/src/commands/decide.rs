//! The verbs that decide. What opens something asks for a code at the terminal.

use std::fmt::Write as _;
use std::process::ExitCode;

use super::board::{Board, find, record};
use super::inspect::{changes_text, item_text};
use super::{Failure, Files};
use crate::clock::now;
use crate::config::{Approve, ServerEntry, Trust};
use crate::person::{Passphrase, SHORTEST, ask_passphrase, confirm};
use crate::record::{self, Item, Refusal, ServerRecord, Status, Wanted};
use crate::review::{changes, peers_of};

#[derive(Debug, clap::Args)]
pub(super) struct ApproveArgs {
    /// A server's name.
    server: String,
    /// Items; without one, everything that waits, and the server goes live.
    items: Vec<String>,
    /// The hash of the one item named, as it was shown: another one is refused.
    #[arg(long, value_name = "SHA256")]
    hash: Option<String>,
    /// Approve although the scan has findings that honest text does not have.
    #[arg(long)]
    despite_findings: bool,
}

#[derive(Debug, clap::Args)]
pub(super) struct ItemsArgs {
    /// A server's name.
    server: String,
    /// Items.
    items: Vec<String>,
    /// Every item of the server.
    #[arg(long, conflicts_with = "items")]
    all: bool,
}

#[derive(Debug, clap::Args)]
pub(super) struct ServerArgs {
    /// A server's name.
    server: String,
}

#[derive(Debug, clap::Args)]
pub(super) struct TrustArgs {
    /// A server's name.
    #[arg(required_unless_present = "new")]
    server: Option<String>,
    /// manual, scan or auto.
    #[arg(required_unless_present = "new")]
    mode: Option<String>,
    /// The mode of servers that are new from now on.
    #[arg(long, value_name = "MODE", conflicts_with_all = ["server", "mode"])]
    new: Option<String>,
}

/// Items that wait: offered now, not blocked, not as approved.
fn waiting(record: &ServerRecord) -> Vec<(&str, &Item)> {
    record
        .items
        .iter()
        .filter(|(_, item)| item.seen.present)
        .filter(|(_, item)| matches!(item.status(), Status::Pending | Status::Changed) || item.soft_changed())
        .map(|(key, item)| (key.as_str(), item))
        .collect()
}

pub(super) fn approve(files: &Files, args: &ApproveArgs) -> Result<ExitCode, Failure> {
    let board = Board::open(files)?;
    board.terminal_counts()?;
    let entry = board.entry(&args.server)?;
    board.look(entry, false)?;
    let state = board.state()?;
    let record = record(&state, entry)?;
    let whole = args.items.is_empty();
    let mut chosen: Vec<(&str, &Item)> = if whole {
        waiting(record)
    } else {
        args.items.iter().map(|word| find(record, word)).collect::<Result<_, _>>()?
    };
    // With the whole server, what can't be approved stays behind and is named.
    let left: Vec<&str> = if whole {
        let left =
            chosen.iter().filter(|(_, item)| item.seen.problem.is_some()).map(|(key, _)| *key).collect();
        chosen.retain(|(_, item)| item.seen.problem.is_none());
        left
    } else {
        Vec::new()
    };
    if let Some(hash) = &args.hash {
        let [(_, item)] = chosen.as_slice() else {
            return Err(Failure::CouldNot("--hash goes with exactly one item.".to_owned()));
        };
        if !is_hash_of(hash, &item.seen.hash) {
            return Err(
                Refusal::new("HASH_STALE", "The server offers something else by now. Look again.").into()
            );
        }
    }
    let goes_live = whole && record::server_reason(&state, entry).is_err() && !entry.disabled;
    if chosen.is_empty() && !goes_live {
        println!("Nothing waits.");
        return Ok(ExitCode::SUCCESS);
    }
    let wanted: Vec<Wanted> = chosen
        .iter()
        .map(|(key, item)| Wanted { key: (*key).to_owned(), hash: item.seen.hash.clone() })
        .collect();
    // What would be refused anyway is refused before anybody reads a page of text.
    record::may_approve(&state, &board.config, &entry.name, &wanted, args.despite_findings)?;
    let launch = entry.transport.hash();
    let person = confirm(&shown(entry, record, &chosen, &left, goes_live, &peers_of(&state)))?;
    let count = board.change(|state| {
        let count = record::approve(
            state,
            &board.config,
            &person,
            &entry.name,
            &wanted,
            args.despite_findings,
            &now(),
        )?;
        if goes_live {
            record::go_live(state, &person, &entry.name, &launch, &now())?;
        }
        Ok(count)
    })?;
    println!("{count} approved.{}", if goes_live { " The server is live." } else { "" });
    Ok(ExitCode::SUCCESS)
}

/// A hash, or at least its first 12 digits.
fn is_hash_of(given: &str, hash: &str) -> bool {
    let given = given.strip_prefix("sha256:").unwrap_or(given);
    given.len() >= 12 && hash.strip_prefix("sha256:").is_some_and(|hash| hash.starts_with(given))
}

fn shown(
    entry: &ServerEntry,
    record: &ServerRecord,
    chosen: &[(&str, &Item)],
    left: &[&str],
    goes_live: bool,
    peers: &detect::Peers,
) -> String {
    let mut out = String::new();
    for (_, item) in chosen {
        let _ = writeln!(out, "\n{}", item_text(&entry.name, item, peers));
        if let (Status::Changed, Some(pin)) = (item.status(), &item.approved) {
            let _ = writeln!(out, "  Different from what was approved:");
            let _ = write!(out, "{}", changes_text(&changes(&pin.raw, &item.seen.raw)));
        }
    }
    for key in left {
        let _ = writeln!(out, "\nLeft out, can't be approved: {}", detect::visible(key));
    }
    let _ = writeln!(out);
    if !chosen.is_empty() {
        let _ = writeln!(out, "Approve these {} items of {}.", chosen.len(), detect::visible(&entry.name));
    }
    if goes_live {
        let _ = writeln!(out, "{}", launch_text(entry, record));
    }
    out
}

fn launch_text(entry: &ServerEntry, record: &ServerRecord) -> String {
    let why = if record.why == "launch_changed" {
        "\nThis is another command or address than the one that was reviewed before."
    } else {
        ""
    };
    format!(
        "Take {} out of quarantine, started as:\n  {}{why}",
        detect::visible(&entry.name),
        entry.transport.line()
    )
}

pub(super) fn live(files: &Files, args: &ServerArgs) -> Result<ExitCode, Failure> {
    let board = Board::open(files)?;
    board.terminal_counts()?;
    let entry = board.entry(&args.server)?;
    let state = board.state()?;
    let launch = entry.transport.hash();
    let person = confirm(&launch_text(entry, record(&state, entry)?))?;
    board.change(|state| record::go_live(state, &person, &entry.name, &launch, &now()))?;
    println!("The server is live. Only its approved items can be used.");
    Ok(ExitCode::SUCCESS)
}

pub(super) fn quarantine(files: &Files, args: &ServerArgs) -> Result<ExitCode, Failure> {
    let board = Board::open(files)?;
    let entry = board.entry(&args.server)?;
    board.change(|state| record::quarantine(state, &entry.name, "command", &now()))?;
    println!("The server is in quarantine.");
    Ok(ExitCode::SUCCESS)
}

fn keys(record: &ServerRecord, args: &ItemsArgs) -> Result<Vec<String>, Failure> {
    if args.all {
        return Ok(record.items.keys().cloned().collect());
    }
    if args.items.is_empty() {
        return Err(Failure::CouldNot("Name the items, or say --all.".to_owned()));
    }
    args.items.iter().map(|word| find(record, word).map(|(key, _)| key.to_owned())).collect()
}

pub(super) fn block(files: &Files, args: &ItemsArgs) -> Result<ExitCode, Failure> {
    let board = Board::open(files)?;
    let entry = board.entry(&args.server)?;
    let state = board.state()?;
    let keys = keys(record(&state, entry)?, args)?;
    let count = board.change(|state| record::block(state, &entry.name, &keys, "command", &now()))?;
    println!("{count} blocked.");
    Ok(ExitCode::SUCCESS)
}

pub(super) fn unblock(files: &Files, args: &ItemsArgs) -> Result<ExitCode, Failure> {
    let board = Board::open(files)?;
    board.terminal_counts()?;
    let entry = board.entry(&args.server)?;
    let state = board.state()?;
    let keys = keys(record(&state, entry)?, args)?;
    let names: Vec<String> = keys.iter().map(|key| detect::visible(key)).collect();
    let person = confirm(&format!("Unblock in {}:\n  {}", detect::visible(&entry.name), names.join("\n  ")))?;
    let count = board.change(|state| record::unblock(state, &person, &entry.name, &keys, &now()))?;
    println!("{count} unblocked.");
    Ok(ExitCode::SUCCESS)
}

pub(super) fn trust(files: &Files, args: &TrustArgs) -> Result<ExitCode, Failure> {
    let word = args.new.as_ref().or(args.mode.as_ref()).map_or("", String::as_str);
    let mode =
        Trust::read(word).ok_or_else(|| Failure::CouldNot("The mode is manual, scan or auto.".to_owned()))?;
    let board = Board::open(files)?;
    board.terminal_counts()?;
    let entry = args.server.as_deref().map(|name| board.entry(name)).transpose()?;
    let whom = entry.map_or("servers that are new".to_owned(), |entry| detect::visible(&entry.name));
    let means = match mode {
        Trust::Manual => "a person decides on each item",
        Trust::Scan => "what the scan finds clean passes without a person",
        Trust::Auto => "everything passes without a person",
    };
    let person = confirm(&format!("Trust for {whom}: {}, which means that {means}.", mode.word()))?;
    let name = entry.map(|entry| entry.name.as_str());
    board.change(|state| record::set_trust(state, &person, name, mode, &now()))?;
    println!("Done.");
    Ok(ExitCode::SUCCESS)
}

pub(super) fn passphrase(files: &Files) -> Result<ExitCode, Failure> {
    let board = Board::open(files)?;
    let known = board.state()?.passphrase.clone();
    if let Some(known) = &known
        && !known.is(&ask_passphrase("The passphrase as it is now:")?)
    {
        return Err(Refusal::new("WRONG_PASSPHRASE", "That is not it. Nothing was changed.").into());
    }
    let first = ask_passphrase("A new passphrase, 12 characters or more:")?;
    if first != ask_passphrase("The same again:")? {
        return Err(Refusal::new("DIFFERENT", "The two differ. Nothing was changed.").into());
    }
    let kept = Passphrase::of(&first).ok_or_else(|| {
        Refusal::new(
            "TOO_SHORT",
            format!("It must have at least {SHORTEST} characters. Nothing was changed."),
        )
    })?;
    board.change(|state| {
        if state.passphrase != known {
            return Err(Refusal::new("DIFFERENT", "Somebody else has just set one. Nothing was changed."));
        }
        state.passphrase = Some(kept);
        Ok(())
    })?;
    let how =
        if board.state()?.approve == Approve::Web { "" } else { " A code at a terminal still counts too." };
    println!("Sign in with it at {}.{how}", crate::page::address(&board.config.settings));
    Ok(ExitCode::SUCCESS)
}
