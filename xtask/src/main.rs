//! The project's own chores: `cargo xtask test | bench | screenshots`.

mod bench;
mod command;
mod detect_report;
mod programs;
mod screenshots;
mod test;

use std::process::ExitCode;

/// A chore ends well, or with a sentence that says what to do.
type Outcome = Result<(), String>;

const HELP: &str = "\
cargo xtask test         install what the tests need, then format check, clippy, cargo deny, all tests
cargo xtask bench        measure, each figure beside its reference
cargo xtask screenshots  take docs/screenshots anew
cargo xtask detect-report [--errors [SET]]  recall and false alarms of detect, per set and tier";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["test"] => test::run(),
        ["bench", names @ ..] => bench::run(names),
        ["screenshots"] => screenshots::run(),
        ["detect-report", arguments @ ..] => detect_report::run(arguments),
        [] | ["help" | "--help" | "-h"] => {
            println!("{HELP}");
            Ok(())
        }
        _ => {
            eprintln!("There is no such chore.\n{HELP}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("xtask: {sentence}");
            ExitCode::FAILURE
        }
    }
}
