//! `scan`: a one-off look for signals in what servers offer, for CI and for the curious. Decides nothing.

use std::io::Read as _;
use std::path::PathBuf;
use std::process::ExitCode;

use detect::Peers;
use serde_json::{Value, json};

use super::{Failure, Files, could_not, print_json};
use crate::config::Config;
use crate::pin::{Kind, json as text_of};
use crate::record::item_key;
use crate::review::{Scanned, report_of, sarif, verdict_word};
use crate::upstream::{Asking, look_once};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Scan a tools/list result, or [{"server": …, "tools": […]}], instead of servers; - reads standard input.
    #[arg(long, value_name = "FILE")]
    tools: Option<PathBuf>,
    /// Start only this server of the configuration; without it, every one.
    #[arg(long, conflicts_with = "tools")]
    server: Option<String>,
    /// One line of JSON per tool.
    #[arg(long)]
    json: bool,
    /// Write the findings as SARIF 2.1.0 too; - writes them to standard output.
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,
    /// Exit code 1 on any finding; without it, on findings of the hard tier.
    #[arg(long)]
    strict: bool,
}

/// One thing to scan.
struct Subject {
    server: String,
    kind: Kind,
    name: String,
    raw: String,
}

pub(super) fn run(files: &Files, args: &Args) -> Result<ExitCode, Failure> {
    let (file, subjects, unreached) = match &args.tools {
        Some(path) => (path.display().to_string(), of_file(path)?, false),
        None => of_servers(files, args.server.as_deref())?,
    };
    let mut peers = Peers::default();
    for one in subjects.iter().filter(|one| one.kind == Kind::Tool) {
        let description = text_of::members(&one.raw)
            .and_then(|all| all.one("description").and_then(text_of::text))
            .unwrap_or_default();
        peers.add(&one.server, &one.name, &description);
    }
    let scanned: Vec<Scanned> = subjects
        .into_iter()
        .map(|one| {
            let report = report_of(&one.server, one.kind, &one.raw, &peers);
            Scanned {
                tool: if one.kind == Kind::Tool { one.name } else { item_key(one.kind, &one.name) },
                server: one.server,
                verdict: verdict_word(report.verdict),
                findings: report.findings,
            }
        })
        .collect();
    let sarif_out = args.sarif.as_ref().is_some_and(|path| path.as_os_str() == "-");
    if let Some(path) = &args.sarif {
        let log = sarif(&file, &scanned);
        if sarif_out {
            print_json(&log);
        } else {
            std::fs::write(path, log.to_string()).map_err(could_not)?;
        }
    }
    for one in &scanned {
        if args.json {
            print_json(
                &json!({ "server": one.server, "tool": one.tool, "verdict": one.verdict, "findings": one.findings }),
            );
        } else if !sarif_out {
            told(one);
        }
    }
    let bad = |one: &Scanned| one.verdict == "dangerous" || (args.strict && one.verdict != "clean");
    if !args.json && !sarif_out {
        let count = |verdict| scanned.iter().filter(|one| one.verdict == verdict).count();
        println!(
            "{} dangerous, {} with warnings, {} clean.",
            count("dangerous"),
            count("warning"),
            count("clean")
        );
    }
    // A scan that did not see everything can't say that all is well.
    Ok(match (scanned.iter().any(bad), unreached) {
        (true, _) => ExitCode::from(1),
        (false, true) => ExitCode::from(2),
        (false, false) => ExitCode::SUCCESS,
    })
}

fn told(one: &Scanned) {
    if one.findings.is_empty() {
        return;
    }
    println!("{}: {} {}", one.verdict, detect::visible(&one.server), detect::visible(&one.tool));
    for finding in &one.findings {
        println!("  {} at {}: {}", finding.rule, detect::visible(&finding.path), finding.says);
        println!("    {}", finding.excerpt);
    }
}

fn of_file(path: &PathBuf) -> Result<Vec<Subject>, Failure> {
    let mut text = String::new();
    if path.as_os_str() == "-" {
        std::io::stdin().read_to_string(&mut text).map_err(could_not)?;
    } else {
        text = std::fs::read_to_string(path)
            .map_err(|error| Failure::CouldNot(format!("{} can't be read: {error}.", path.display())))?;
    }
    let value: Value = serde_json::from_str(&text)
        .map_err(|_| Failure::CouldNot(format!("{} is not JSON.", path.display())))?;
    subjects(&value).ok_or_else(|| {
        Failure::CouldNot(
            "The file is neither a tools/list result nor [{\"server\": …, \"tools\": […]}].".to_owned(),
        )
    })
}

fn subjects(value: &Value) -> Option<Vec<Subject>> {
    let tools = |server: &str, list: &Value| -> Option<Vec<Subject>> {
        let list = list.as_array()?.iter().map(|tool| Subject {
            server: server.to_owned(),
            kind: Kind::Tool,
            name: tool.get("name").and_then(Value::as_str).unwrap_or_default().to_owned(),
            raw: tool.to_string(),
        });
        Some(list.collect())
    };
    let value = value.get("result").unwrap_or(value);
    if let Some(list) = value.get("tools") {
        return tools(value.get("server").and_then(Value::as_str).unwrap_or(""), list);
    }
    let mut all = Vec::new();
    for one in value.as_array()? {
        let server = one.get("server").and_then(Value::as_str).unwrap_or("");
        all.extend(tools(server, one.get("tools")?)?);
    }
    Some(all)
}

type FromServers = (String, Vec<Subject>, bool);

fn of_servers(files: &Files, only: Option<&str>) -> Result<FromServers, Failure> {
    let config = Config::load(&files.config).map_err(could_not)?;
    let chosen: Vec<_> =
        match only {
            Some(name) => vec![config.server(name).ok_or_else(|| {
                Failure::CouldNot("The configuration has no server of this name.".to_owned())
            })?],
            None => config.servers.iter().filter(|entry| !entry.disabled).collect(),
        };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(could_not)?;
    let asking = Asking::nobody();
    let looks = runtime
        .block_on(futures_util::future::join_all(chosen.iter().map(|entry| look_once(entry, &asking))));
    let mut all = Vec::new();
    let mut unreached = !config.refused.is_empty() && only.is_none();
    for refused in config.refused.iter().filter(|_| only.is_none()) {
        eprintln!("The server {} is not used: {}.", detect::visible(&refused.name), refused.why);
    }
    for (entry, look) in chosen.iter().zip(looks) {
        match look {
            Ok(look) => all.extend(look.definitions.into_iter().map(|one| Subject {
                server: entry.name.clone(),
                kind: one.kind,
                name: one.name,
                raw: one.raw,
            })),
            Err(why) => {
                unreached = true;
                eprintln!("The server {} can't be asked: {why}.", detect::visible(&entry.name));
            }
        }
    }
    Ok((files.config.display().to_string(), all, unreached))
}
