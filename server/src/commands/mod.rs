//! The commands, one file each. Exit codes: 0 done, 1 the answer is no, 2 wrong use or could not run.

mod policy;
mod prove;
mod serve;
mod stop;

use std::fmt::Display;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use server::config::{ConfigError, Settings};

/// A support desk where AI agents hold only what the records permit, and refunds wait for a person.
///
/// Without a command it serves. Every flag is also an environment variable and a line of quarantine.toml; a flag beats
/// the variable, the variable beats the file.
#[derive(Debug, Parser)]
#[command(name = "quarantine", version, about, max_term_width = 100)]
pub(crate) struct Cli {
    /// File with settings [default: quarantine.toml, if it is there]
    #[arg(long, global = true, env = "QUARANTINE_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    settings: Settings,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the desk (the default)
    Serve(Settings),
    /// Check, show or activate the shop's rules
    #[command(subcommand)]
    Policy(policy::Policy),
    /// Run the proof's cases against a running desk
    Prove(prove::Prove),
    /// Take every acting tool away from all agents; held refunds stay decidable
    Stop(Settings),
    /// Let agents go on
    Resume(Settings),
}

impl Cli {
    /// Runs the command.
    pub(crate) fn run(self) -> ExitCode {
        let Cli { config, settings, command } = self;
        let read = |given: Settings| read(config.as_deref(), given.over(settings.clone()));
        let done = match command {
            None => read(Settings::default()).and_then(serve::run),
            Some(Command::Serve(given)) => read(given).and_then(serve::run),
            Some(Command::Policy(command)) => {
                read(Settings::default()).and_then(|settings| policy::run(command, &settings))
            }
            Some(Command::Prove(asked)) => prove::run(&asked),
            Some(Command::Stop(given)) => read(given).and_then(|settings| stop::run(&settings, true)),
            Some(Command::Resume(given)) => read(given).and_then(|settings| stop::run(&settings, false)),
        };
        done.unwrap_or_else(|Failed(says)| {
            eprintln!("quarantine: {says}");
            ExitCode::from(2)
        })
    }
}

/// Why a command could not run: one sentence.
#[derive(Debug)]
struct Failed(String);

impl Failed {
    fn new(says: impl Display) -> Failed {
        Failed(says.to_string())
    }
}

impl From<ConfigError> for Failed {
    fn from(error: ConfigError) -> Failed {
        Failed::new(error)
    }
}

fn read(file: Option<&std::path::Path>, given: Settings) -> Result<Settings, Failed> {
    let default = std::path::Path::new("quarantine.toml");
    let file = match file {
        Some(file) => Settings::read(file)?,
        None if default.exists() => Settings::read(default)?,
        None => Settings::default(),
    };
    Ok(given.over(file))
}

/// Runs something that waits, on threads of its own.
fn block_on<T>(work: impl Future<Output = Result<T, Failed>>) -> Result<T, Failed> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failed(format!("no threads could be started: {error}.")))?
        .block_on(work)
}
