//! Running an installed hook the way the harness does, with events of real shape, away from the person's own files.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::settings_file::Installed;
use crate::deadline::within;

/// A folder that goes away again.
pub(super) struct Room {
    folder: PathBuf,
    session: String,
}

/// What a hook did.
pub(super) struct Did {
    pub(super) code: Option<i32>,
    pub(super) out: String,
}

impl Did {
    /// The member of what is said for the event.
    pub(super) fn specific(&self) -> Option<Value> {
        serde_json::from_str::<Value>(&self.out).ok()?.get("hookSpecificOutput").cloned()
    }

    /// The text that the model would read: that of a rewrite in a shape the harness takes.
    pub(super) fn rewritten(&self, tool: &str) -> Option<(Value, String)> {
        let output = self.specific()?.get("updatedToolOutput")?.clone();
        let text = match tool {
            "Bash" => {
                output.get("stdout").filter(|_| output.get("interrupted").is_some_and(Value::is_boolean))?
            }
            "WebFetch" => {
                output.get("result").filter(|_| output.get("code").is_some_and(Value::is_number))?
            }
            _ => output.as_array().and_then(|blocks| match blocks.as_slice() {
                [block] if block.get("type").is_some_and(|kind| kind == "text") => block.get("text"),
                _ => None,
            })?,
        };
        let text = text.as_str()?.to_owned();
        Some((output, text))
    }
}

impl Room {
    pub(super) fn new() -> Option<Self> {
        let number = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).ok()?.as_nanos();
        let session = format!("doctor-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(format!("quarantine-{session}"));
        std::fs::create_dir(&folder).ok()?;
        Some(Self { folder, session })
    }

    /// A word that stands nowhere else.
    pub(super) fn canary(&self) -> String {
        let digits: String = self.session.chars().filter(char::is_ascii_digit).rev().take(12).collect();
        format!("canary{digits}")
    }

    /// An event file, made ours.
    pub(super) fn event(
        &self,
        file: &str,
        change: impl FnOnce(&mut serde_json::Map<String, Value>),
    ) -> String {
        let mut event: serde_json::Map<String, Value> = serde_json::from_str(file).unwrap_or_default();
        event.insert("session_id".into(), json!(self.session));
        change(&mut event);
        Value::Object(event).to_string()
    }

    /// Runs a hook's command with a shell, as the harness does.
    pub(super) fn run(&self, hook: &Installed, event: String) -> Option<Did> {
        let command = hook.command.clone();
        let folder = self.folder.clone();
        let limit = std::time::Duration::from_secs(hook.timeout.clamp(1, 60));
        within(limit, move || shell(&command, &folder, &event)).ok().flatten()
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn shell(command: &str, folder: &Path, event: &str) -> Option<Did> {
    let (program, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut child = Command::new(program)
        .args([flag, command])
        .env("QUARANTINE_STATE", folder.join("state"))
        .env("QUARANTINE_TELEMETRY", folder.join("telemetry.jsonl"))
        .env_remove("QUARANTINE_DISABLE")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut stdin = child.stdin.take()?;
    // The event is small; a hook that does not read it is seen by its answer.
    let _ = stdin.write_all(event.as_bytes());
    drop(stdin);
    let mut out = String::new();
    child.stdout.take()?.read_to_string(&mut out).ok()?;
    Some(Did { code: child.wait().ok()?.code(), out })
}
