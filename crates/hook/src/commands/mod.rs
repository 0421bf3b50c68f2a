//! What a person asks for. Exit codes: 0 done, 1 the answer is no, 2 wrong use or could not run.

mod diff;
pub mod doctor;
pub mod install;
mod preset;
mod probe;
pub mod report;
mod settings_file;
pub mod status;

use std::path::PathBuf;
use std::process::ExitCode;

use crate::place::Places;

/// A command that could not run: one sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed(pub String);

pub(crate) fn failed<T>(says: impl Into<String>) -> Result<T, Failed> {
    Err(Failed(says.into()))
}

/// Ends a command.
pub(crate) fn ended(outcome: Result<ExitCode, Failed>) -> ExitCode {
    outcome.unwrap_or_else(|Failed(says)| {
        eprintln!("quarantine-hook: {says}");
        ExitCode::from(2)
    })
}

/// Whose settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    Project,
    User,
}

impl Scope {
    pub(crate) fn folder(self, places: &Places) -> PathBuf {
        match self {
            Self::Project => std::env::current_dir().unwrap_or_default().join(".claude"),
            Self::User => places.claude(),
        }
    }
}

/// The flags of a command.
#[derive(Debug, Default)]
pub(crate) struct Flags {
    pub(crate) scope: Option<Scope>,
    pub(crate) preset: Option<String>,
    pub(crate) security: Option<PathBuf>,
    pub(crate) because: Option<String>,
    pub(crate) json: bool,
    pub(crate) undo: bool,
    pub(crate) dry_run: bool,
    pub(crate) yes: bool,
    pub(crate) rest: Vec<String>,
}

impl Flags {
    /// Reads them; `allowed` are the ones that this command has.
    pub(crate) fn read(words: &[String], allowed: &[&str]) -> Result<Self, Failed> {
        let mut flags = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if !word.starts_with("--") {
                flags.rest.push(word.clone());
                continue;
            }
            let (name, given) =
                word.split_once('=').map_or((word.as_str(), None), |(a, b)| (a, Some(b.to_owned())));
            if !allowed.contains(&name) {
                return failed(format!(
                    "{} is not a flag of this command; see quarantine-hook --help.",
                    reader::label(name)
                ));
            }
            let mut value = || match given.clone().or_else(|| words.next().cloned()) {
                Some(value) => Ok(value),
                None => failed(format!("{name} needs a value.")),
            };
            match name {
                "--project" => flags.scope = Some(Scope::Project),
                "--user" => flags.scope = Some(Scope::User),
                "--json" => flags.json = true,
                "--undo" => flags.undo = true,
                "--dry-run" => flags.dry_run = true,
                "--yes" => flags.yes = true,
                "--preset" => flags.preset = Some(value()?),
                "--because" => flags.because = Some(value()?),
                _ => flags.security = Some(PathBuf::from(value()?)),
            }
        }
        Ok(flags)
    }
}
