//! `quarantine`: the desk, and the commands that work on it.

mod commands;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    commands::Cli::parse().run()
}
