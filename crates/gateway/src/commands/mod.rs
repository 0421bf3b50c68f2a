//! The program: what a person types.

mod board;
mod decide;
mod import;
mod inspect;
mod page;
mod run;
mod scan;
mod status;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::config::{default_config, state_file};
use crate::record::Refusal;

pub(crate) use inspect::server_json;
pub(crate) use status::whole;

/// MCP servers and their tools stay in quarantine until a person has looked.
#[derive(Debug, Parser)]
#[command(name = "quarantine-gateway", version)]
struct Cli {
    /// The file that lists the servers, in the common mcpServers shape.
    #[arg(long, global = true, env = "QUARANTINE_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// Where decisions are kept.
    #[arg(long, global = true, env = "QUARANTINE_STATE", value_name = "FILE")]
    state: Option<PathBuf>,
    /// What is logged to standard error: a level, or a list like info,gateway=debug.
    #[arg(long, global = true, env = "QUARANTINE_LOG", default_value = "warn")]
    log: String,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serves one MCP endpoint; without a word, on standard input and output.
    Run(run::Args),
    /// Shows every server and what waits for review.
    Status(status::Args),
    /// Shows what a server offers, as a model would see it, with hidden characters made visible.
    Inspect(inspect::Args),
    /// Shows what is different from what was approved. Exit code 1 if anything is.
    Diff(inspect::DiffArgs),
    /// Approves what a server offers now: the items named, or all, and takes the server out of quarantine.
    Approve(decide::ApproveArgs),
    /// Blocks items: they can be neither listed nor called until they are unblocked.
    Block(decide::ItemsArgs),
    /// Takes the block off.
    Unblock(decide::ItemsArgs),
    /// Puts a server in quarantine.
    Quarantine(decide::ServerArgs),
    /// Takes a server out of quarantine, without approving any item.
    Live(decide::ServerArgs),
    /// Says what happens to items nobody has looked at: manual, scan or auto.
    Trust(decide::TrustArgs),
    /// Looks for signals in what servers offer. Exit code 1 on findings of the hard tier.
    Scan(scan::Args),
    /// Puts the gateway in front of the servers a host has.
    Import(import::Args),
    /// Serves the review page by itself.
    Page(page::Args),
    /// Sets the passphrase that opens the review page.
    Passphrase,
}

/// The files a command works with.
#[derive(Debug)]
struct Files {
    config: PathBuf,
    state: PathBuf,
}

/// Runs the command line. Exit codes: 0 done, 1 the answer is no, 2 wrong use or could not run.
#[must_use]
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    web::log::start(false, &cli.log);
    let config = cli.config.unwrap_or_else(default_config);
    let state = cli.state.unwrap_or_else(|| state_file(&config));
    let files = Files { config, state };
    let done = match cli.command.unwrap_or(Command::Run(run::Args::default())) {
        Command::Run(args) => run::run(&files, &args),
        Command::Status(args) => status::run(&files, &args),
        Command::Inspect(args) => inspect::run(&files, &args),
        Command::Diff(args) => inspect::diff(&files, &args),
        Command::Approve(args) => decide::approve(&files, &args),
        Command::Block(args) => decide::block(&files, &args),
        Command::Unblock(args) => decide::unblock(&files, &args),
        Command::Quarantine(args) => decide::quarantine(&files, &args),
        Command::Live(args) => decide::live(&files, &args),
        Command::Trust(args) => decide::trust(&files, &args),
        Command::Scan(args) => scan::run(&files, &args),
        Command::Import(args) => import::run(&files, &args),
        Command::Page(args) => page::run(&files, &args),
        Command::Passphrase => decide::passphrase(&files),
    };
    done.unwrap_or_else(|failure| failure.end())
}

/// Why a command did not do what it was asked.
#[derive(Debug)]
enum Failure {
    /// The answer is no; exit code 1.
    Refused(Refusal),
    /// It could not run; exit code 2.
    CouldNot(String),
}

impl Failure {
    fn end(&self) -> ExitCode {
        match self {
            Failure::Refused(refusal) => {
                eprintln!("{}: {}", refusal.code, refusal.says);
                ExitCode::from(1)
            }
            Failure::CouldNot(says) => {
                eprintln!("{says}");
                ExitCode::from(2)
            }
        }
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        Failure::Refused(refusal)
    }
}

/// Anything else that stops a command, in its own words.
fn could_not(error: impl std::fmt::Display) -> Failure {
    Failure::CouldNot(error.to_string())
}

/// One line of JSON on standard output.
fn print_json(value: &serde_json::Value) {
    println!("{value}");
}
