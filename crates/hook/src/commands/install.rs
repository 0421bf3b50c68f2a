//! `quarantine hook install`: puts our hooks into the agent's settings, takes them out, or takes the last change back.

use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::preset::Preset;
use super::settings_file::changed;
use super::{Failed, Flags, Scope, diff, failed};
use crate::place::Places;
use crate::registry::Registry;
use crate::tool_name::GATEWAY;

/// Runs it.
///
/// # Errors
/// Wrong use, settings that are not understood, or a file that can't be written.
pub fn run(words: &[String], places: &Places) -> Result<ExitCode, Failed> {
    let flags = Flags::read(
        words,
        &["--preset", "--project", "--user", "--undo", "--dry-run", "--yes", "--security-dir"],
    )?;
    if !flags.rest.is_empty() {
        return failed("install takes flags only; see quarantine-hook --help.");
    }
    let folder = flags.scope.unwrap_or(Scope::Project).folder(places);
    // Settings that are a link stay one: what it points to is changed.
    let given = folder.join("settings.json");
    let file = std::fs::canonicalize(&given).unwrap_or(given);
    let backup = places.state().join("installs").join(format!("{}.json", digest(&file.to_string_lossy())));
    if flags.undo {
        return undo(&file, &backup, &flags);
    }
    let Some(preset) = flags.preset.as_deref().and_then(Preset::named) else {
        return failed("say which: --preset advise, --preset extract or --preset off.");
    };
    let security = flags.security.clone().unwrap_or_else(|| folder.join("quarantine"));
    let security = std::path::absolute(&security).unwrap_or(security);
    if preset == Preset::Extract
        && let Err(refused) = Registry::read(&security, GATEWAY)
    {
        return failed(format!(
            "{refused}: {}. Write it first, or name its folder with --security-dir.",
            security.display()
        ));
    }
    let Ok(program) = std::env::current_exe() else { return failed("this program's own path is not known.") };
    let before = read(&file)?;
    let after = changed(before.as_deref().unwrap_or_default(), &preset.groups(&program, &security))?;
    if before.as_deref().unwrap_or_default() == after {
        println!("{} is already as it should be.", file.display());
        return Ok(ExitCode::SUCCESS);
    }
    println!("{}", file.display());
    print!("{}", diff::of(before.as_deref().unwrap_or_default(), &after));
    if !agreed(&flags) {
        return Ok(ExitCode::from(1));
    }
    let kept = json!({"before": before, "after": digest(&after)});
    write(&backup, &kept.to_string(), true)?;
    write(&file, &after, false)?;
    println!("Done. quarantine hook install --undo takes it back; quarantine hook doctor tries it out.");
    Ok(ExitCode::SUCCESS)
}

fn undo(file: &Path, backup: &Path, flags: &Flags) -> Result<ExitCode, Failed> {
    let kept: Option<Value> =
        std::fs::read_to_string(backup).ok().and_then(|text| serde_json::from_str(&text).ok());
    let Some(kept) = kept else { return failed("there is no change of ours to take back.") };
    let now = read(file)?.unwrap_or_default();
    if kept.get("after").and_then(Value::as_str) != Some(&digest(&now)) {
        return failed(
            "the settings were changed since; taking all back would lose that. --preset off removes ours alone.",
        );
    }
    let before = kept.get("before").and_then(Value::as_str);
    println!("{}", file.display());
    print!("{}", diff::of(&now, before.unwrap_or_default()));
    if !agreed(flags) {
        return Ok(ExitCode::from(1));
    }
    match before {
        Some(before) => write(file, before, false)?,
        None => std::fs::remove_file(file)
            .map_err(|_| Failed("the settings file can't be removed.".to_owned()))?,
    }
    let _ = std::fs::remove_file(backup);
    println!("Taken back.");
    Ok(ExitCode::SUCCESS)
}

/// A person at a terminal is asked; a script has said what it wants.
fn agreed(flags: &Flags) -> bool {
    if flags.dry_run {
        return false;
    }
    if flags.yes || !(std::io::stdin().is_terminal() && std::io::stdout().is_terminal()) {
        return true;
    }
    print!("Write this? [y/N] ");
    let _ = std::io::stdout().flush();
    let mut answer = String::new();
    let _ = std::io::stdin().read_line(&mut answer);
    matches!(answer.trim(), "y" | "Y" | "yes")
}

fn read(file: &Path) -> Result<Option<String>, Failed> {
    match std::fs::read(file) {
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Ok(Some(text)),
            Err(_) => failed("the settings file is not UTF-8. It is left as it is."),
        },
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(_) => failed("the settings file can't be read."),
    }
}

/// Writes beside and moves into place, with the permissions that were there.
fn write(file: &Path, text: &str, private: bool) -> Result<(), Failed> {
    let beside: PathBuf = file.with_extension(format!("{}.new", std::process::id()));
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, if private { 0o600 } else { 0o644 });
    let done = file
        .parent()
        .map_or(Ok(()), std::fs::create_dir_all)
        .and_then(|()| options.open(&beside))
        .and_then(|mut new| new.write_all(text.as_bytes()).and_then(|()| new.sync_all()))
        .and_then(|()| match std::fs::metadata(file) {
            Ok(data) => std::fs::set_permissions(&beside, data.permissions()),
            Err(_) => Ok(()),
        })
        .and_then(|()| std::fs::rename(&beside, file));
    if done.is_err() {
        let _ = std::fs::remove_file(&beside);
        return failed(format!("{} can't be written. It is left as it is.", file.display()));
    }
    Ok(())
}

fn digest(text: &str) -> String {
    use std::fmt::Write as _;
    Sha256::digest(text.as_bytes()).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
