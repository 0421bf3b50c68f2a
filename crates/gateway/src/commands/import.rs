//! `import`: the gateway in front of the servers a host has.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::{Value, json};

use super::{Failure, Files, could_not, print_json};
use crate::config::data_folder;
use crate::import::{Host, Shape, apply, known, plan, put_back, shape_of};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A host, such as claude-code, or a file. Without one, the hosts that are found.
    host: Option<String>,
    /// Write it; without this it is only shown.
    #[arg(long, conflicts_with = "undo")]
    apply: bool,
    /// Put back what was there before.
    #[arg(long, requires = "host")]
    undo: bool,
    /// One JSON object.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(files: &Files, args: &Args) -> Result<ExitCode, Failure> {
    let Some(word) = &args.host else { return Ok(list(args.json)) };
    let host = known().into_iter().find(|host| host.id == word);
    let path = host.as_ref().map_or_else(|| PathBuf::from(word), |host| host.path.clone());
    if args.undo {
        put_back(&path, &data_folder()).map_err(Failure::CouldNot)?;
        println!("{} is as it was.", path.display());
        return Ok(ExitCode::SUCCESS);
    }
    let shape = shape(host.as_ref(), &path)?;
    let plan = plan(&path, shape, &files.config).map_err(Failure::CouldNot)?;
    if args.apply {
        apply(&plan, &files.config, &data_folder()).map_err(could_not)?;
    }
    if args.json {
        let moved: Vec<Value> =
            plan.moved.iter().map(|(from, to)| json!({ "name": from, "as": to })).collect();
        print_json(
            &json!({ "file": plan.path.display().to_string(), "config": files.config.display().to_string(),
                            "applied": args.apply, "moved": moved, "notes": plan.notes }),
        );
        return Ok(ExitCode::SUCCESS);
    }
    let tense = if args.apply { "moved" } else { "would move" };
    println!("From {} {tense} to {}:", plan.path.display(), files.config.display());
    for (from, to) in &plan.moved {
        let renamed = if from == to { String::new() } else { format!(" as {}", detect::visible(to)) };
        println!("  {}{renamed}", detect::visible(from));
    }
    for note in &plan.notes {
        println!("  Note: {}", detect::visible(note));
    }
    if args.apply {
        println!("The host has one entry now, the gateway. Restart it, then:  quarantine-gateway status");
        println!("To put everything back:  quarantine-gateway import {word} --undo");
    } else {
        println!("In {} this would stand afterwards:\n", plan.path.display());
        println!("{}", detect::visible(&plan.after));
        println!("Nothing was written. To do it:  quarantine-gateway import {word} --apply");
    }
    Ok(ExitCode::SUCCESS)
}

fn shape(host: Option<&Host>, path: &Path) -> Result<Shape, Failure> {
    if let Some(host) = host {
        return Ok(host.shape);
    }
    let text = std::fs::read_to_string(path).map_err(|error| {
        Failure::CouldNot(format!("{} is no host we know and can't be read: {error}.", path.display()))
    })?;
    shape_of(path, &text).ok_or_else(|| Failure::CouldNot(format!("{} lists no servers.", path.display())))
}

fn list(as_json: bool) -> ExitCode {
    let found: Vec<Host> = known().into_iter().filter(|host| host.path.exists()).collect();
    if as_json {
        let hosts: Vec<Value> = found
            .iter()
            .map(|host| json!({ "host": host.id, "title": host.title, "file": host.path.display().to_string() }))
            .collect();
        print_json(&json!({ "hosts": hosts }));
    } else if found.is_empty() {
        println!("None of the hosts we know has a file here. Name one:  quarantine-gateway import FILE");
    } else {
        for host in found {
            println!("{:16} {:16} {}", host.id, host.title, host.path.display());
        }
    }
    ExitCode::SUCCESS
}
