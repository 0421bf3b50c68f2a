//! Hooks of a coding agent's session: untrusted tool results are marked, or read behind glass and handed over as typed
//! fields.
//!
//! stdout is protocol only. An event always ends with exit code 0: for the harness any other code means that the hook
//! is broken and the raw result stays, and 2 does not hold a result back either.
#![deny(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, missing_docs)]

pub mod advise;
pub mod answer;
pub mod arguments;
pub mod batch;
pub mod before;
pub mod behind_glass;
pub mod commands;
pub mod config;
pub mod deadline;
pub mod event;
pub mod extract;
pub mod input;
pub mod notice;
pub mod place;
pub mod receipt;
pub mod registry;
pub mod result;
pub mod rewrite;
pub mod source;
pub mod telemetry;
pub mod tool_name;
pub mod trusted;

use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;
use std::time::Duration;

use advise::{After, advise};
use answer::Answer;
use arguments::{Arguments, Hook};
use behind_glass::Desk;
use commands::{doctor, ended, install, report, status};
use deadline::within;
use input::{Input, LIMIT};
use place::{Places, switched_off};
use reader::Guards;
use telemetry::{Decision, record};

const HELP: &str = "\
Hooks of a coding agent's session, and a report on untrusted text.

  quarantine-hook install --preset advise|extract|off [--project|--user] [--security-dir DIR] [--dry-run] [--yes]
  quarantine-hook install --undo [--project|--user]
  quarantine-hook doctor [--project|--user] [--json]
  quarantine-hook status [--json]
  quarantine-hook report FILE|- [--because TEXT] [--json]

Each of these reads one event on stdin, answers on stdout and ends with 0:

  quarantine-hook session-start|pre-tool-use|post-tool-use|post-tool-use-failure|post-tool-batch|session-end
      --security-dir DIR   read results behind glass, as DIR/tool-registry.json says (QUARANTINE_SECURITY_DIR);
                           without it results are marked
      --deadline-ms N      the hook's own deadline (QUARANTINE_DEADLINE_MS)
      --gateway NAME       the name the gateway is registered under [default: quarantine] (QUARANTINE_GATEWAY)

Exit codes of the others: 0 done, 1 the answer is no, 2 wrong use or could not run.
";

/// Runs a command of the program.
#[must_use]
pub fn run(words: &[String]) -> ExitCode {
    let Some((first, rest)) = words.split_first() else {
        print!("{HELP}");
        return ExitCode::from(2);
    };
    if let Some(hook) = Hook::named(first) {
        return hook_on(hook, rest);
    }
    match first.as_str() {
        "--help" | "-h" | "help" => {
            print!("{HELP}");
            ExitCode::SUCCESS
        }
        "install" => ended(install::run(rest, &Places::of_this_machine())),
        "doctor" => ended(doctor::run(rest, &Places::of_this_machine())),
        "status" => ended(status::run(rest, &Places::of_this_machine())),
        "report" => ended(report::run(rest)),
        _ => unknown(first),
    }
}

/// A word we don't know may be an event that a newer harness has: then nothing is done, and nothing is stopped. A person
/// at a terminal is told that it is wrong.
fn unknown(_word: &str) -> ExitCode {
    eprintln!("quarantine-hook: there is no such command; see quarantine-hook --help.");
    ExitCode::from(if std::io::stdin().is_terminal() { 2 } else { 0 })
}

fn hook_on(hook: Hook, words: &[String]) -> ExitCode {
    // What a panic says could hold a part of what was being read.
    std::panic::set_hook(Box::new(|_| {}));
    let (arguments, places) = (Arguments::of(words), Places::of_this_machine());
    let answer = match (arguments.security(), hook) {
        (Some(folder), _) => {
            let desk = Desk {
                folder,
                places,
                gateway: arguments.gateway(),
                limit: arguments.deadline(),
                guards: Guards::all(),
            };
            desk.answer(hook, || Input::read(std::io::stdin().lock(), LIMIT))
        }
        (None, Hook::PostToolUse) => advised(After::Use, &arguments, &places),
        (None, Hook::PostToolUseFailure) => advised(After::Failure, &arguments, &places),
        (None, _) => Answer::nothing(),
    };
    let line = answer.line();
    if !line.is_empty() {
        let mut out = std::io::stdout().lock();
        let _ = out.write_all(line.as_bytes()).and_then(|()| out.write_all(b"\n")).and_then(|()| out.flush());
    }
    ExitCode::SUCCESS
}

/// How long the advisory hook takes at most.
const ADVISE: Duration = Duration::from_secs(5);

fn advised(after: After, arguments: &Arguments, places: &Places) -> Answer {
    let (theirs, gateway) = (places.clone(), arguments.gateway());
    let limit = arguments.deadline().unwrap_or(ADVISE);
    let off = switched_off();
    let work = move || advise(&Input::read(std::io::stdin().lock(), LIMIT), after, &theirs, &gateway, off);
    within(limit, work).unwrap_or_else(|_| {
        record(&places.telemetry(), "unknown", Decision::Timeout, "unknown", "unknown");
        Answer::nothing()
    })
}
