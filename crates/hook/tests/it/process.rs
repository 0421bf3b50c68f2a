//! A hook's process with a home of its own.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A machine of a test's own: home, state, telemetry.
pub(crate) struct Machine {
    home: TempDir,
    variables: Vec<(String, String)>,
}

/// What a process left.
#[derive(Debug)]
pub(crate) struct Left {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Left {
    /// The one JSON object on stdout.
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.out.lines().count(), 1, "stdout is one line of protocol: {self:?}");
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The words that are added beside the result.
    pub(crate) fn context(&self) -> String {
        self.json()["hookSpecificOutput"]["additionalContext"].as_str().expect("words").to_owned()
    }

    /// It let the session go on as it would.
    pub(crate) fn assert_silent(&self) {
        assert_eq!((self.code, self.out.as_str()), (0, ""), "{self:?}");
    }
}

impl Machine {
    pub(crate) fn new() -> Self {
        Self { home: tempfile::tempdir().unwrap(), variables: Vec::new() }
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn path(&self, inside: &str) -> PathBuf {
        self.home.path().join(inside)
    }

    pub(crate) fn write(&self, inside: &str, text: &str) -> PathBuf {
        let path = self.path(inside);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quarantine-hook"));
        command
            .env_clear()
            .env("HOME", self.home.path())
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .current_dir(self.home.path())
            .envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    pub(crate) fn run(&self, words: &[&str], stdin: &[u8]) -> Left {
        let mut child = self
            .command()
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut pipe = child.stdin.take().unwrap();
        std::thread::scope(|scope| {
            // A hook may end before it has read everything.
            scope.spawn(move || {
                let _ = pipe.write_all(stdin);
            });
            let output = child.wait_with_output().unwrap();
            Left {
                code: output.status.code().unwrap_or(-1),
                out: String::from_utf8(output.stdout).unwrap(),
                err: String::from_utf8_lossy(&output.stderr).into_owned(),
            }
        })
    }

    pub(crate) fn hook(&self, word: &str, event: &Value) -> Left {
        self.run(&[word], event.to_string().as_bytes())
    }

    /// The telemetry's lines.
    pub(crate) fn telemetry(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.path(".claude/telemetry.jsonl")).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// An event file of the folder `events`.
pub(crate) fn event(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/events").join(format!("{name}.json"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}
