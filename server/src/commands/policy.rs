//! `quarantine policy check | show | activate`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Subcommand;
use server::clock::{Clock as _, SystemClock};
use server::config::Settings;
use server::rules;

use super::{Failed, block_on};

/// What is done with rules.
#[derive(Debug, Subcommand)]
pub(super) enum Policy {
    /// Say whether a file has rules that can be used
    Check {
        /// A policy.toml
        file: PathBuf,
    },
    /// Print the rules in force
    Show,
    /// Make a file's rules those in force, without a restart
    Activate {
        /// A policy.toml
        file: PathBuf,
    },
}

pub(super) fn run(command: Policy, settings: &Settings) -> Result<ExitCode, Failed> {
    match command {
        Policy::Check { file } => {
            let text = read(&file)?;
            match rules::parse(&text) {
                Ok(_) => {
                    println!("{} has rules that can be used.", file.display());
                    Ok(ExitCode::SUCCESS)
                }
                Err(error) => {
                    println!("{}: {error}.", file.display());
                    Ok(ExitCode::from(1))
                }
            }
        }
        Policy::Show => show(settings),
        Policy::Activate { file } => {
            let text = read(&file)?;
            if let Err(error) = rules::parse(&text) {
                println!("{}: {error}. Nothing was changed.", file.display());
                return Ok(ExitCode::from(1));
            }
            let config = settings.config(0)?;
            let version = block_on(async {
                let store = server::open(&config, &SystemClock).await.map_err(Failed::new)?;
                store.activate_rules(&text, SystemClock.now()).await.map_err(Failed::new)
            })?;
            println!("The rules are in force as version {version}.");
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn show(settings: &Settings) -> Result<ExitCode, Failed> {
    let config = settings.config(0)?;
    let active = block_on(async {
        let store = server::open(&config, &SystemClock).await.map_err(Failed::new)?;
        store.active_rules().await.map_err(Failed::new)
    })?;
    match active {
        Some((version, text)) => println!("# version {version}\n{text}"),
        None => {
            println!("# no rules were activated: those of the demonstration are in force\n{}", rules::DEMO)
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn read(file: &Path) -> Result<String, Failed> {
    std::fs::read_to_string(file)
        .map_err(|error| Failed(format!("{} can't be read: {error}.", file.display())))
}
