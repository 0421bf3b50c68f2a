//! The words behind a hook's name.

use std::path::PathBuf;
use std::time::Duration;

use crate::tool_name::GATEWAY;

/// The events that are answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hook {
    /// A session starts or goes on.
    SessionStart,
    /// A tool is about to be called.
    PreToolUse,
    /// A tool answered.
    PostToolUse,
    /// A tool failed.
    PostToolUseFailure,
    /// All calls of a step are done; the model comes next.
    PostToolBatch,
    /// A session ends.
    SessionEnd,
}

impl Hook {
    /// Every one, in the order of a session.
    pub const ALL: [Self; 6] = [
        Self::SessionStart,
        Self::PreToolUse,
        Self::PostToolUse,
        Self::PostToolUseFailure,
        Self::PostToolBatch,
        Self::SessionEnd,
    ];

    /// The word on the command line.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::SessionStart => "session-start",
            Self::PreToolUse => "pre-tool-use",
            Self::PostToolUse => "post-tool-use",
            Self::PostToolUseFailure => "post-tool-use-failure",
            Self::PostToolBatch => "post-tool-batch",
            Self::SessionEnd => "session-end",
        }
    }

    /// The event's name in the harness.
    #[must_use]
    pub fn event(self) -> &'static str {
        match self {
            Self::SessionStart => "SessionStart",
            Self::PreToolUse => "PreToolUse",
            Self::PostToolUse => "PostToolUse",
            Self::PostToolUseFailure => "PostToolUseFailure",
            Self::PostToolBatch => "PostToolBatch",
            Self::SessionEnd => "SessionEnd",
        }
    }

    /// The one with that word.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|hook| hook.word() == word)
    }
}

/// What a hook's command line says. A hook can't stop to complain about a word it does not know, so those are passed
/// over; `quarantine hook doctor` names them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Arguments {
    security: Option<PathBuf>,
    deadline: Option<Duration>,
    gateway: Option<String>,
    /// Words that mean nothing.
    pub unknown: Vec<String>,
}

impl Arguments {
    /// Reads `--security-dir DIR`, `--deadline-ms N`, `--gateway NAME`, each also as `--name=value`. The environment
    /// says the same as `QUARANTINE_SECURITY_DIR`, `QUARANTINE_DEADLINE_MS`, `QUARANTINE_GATEWAY`; a flag beats it.
    #[must_use]
    pub fn of(words: &[String]) -> Self {
        let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let mut found = Self::default();
        for (name, variable) in [
            ("--security-dir", "QUARANTINE_SECURITY_DIR"),
            ("--deadline-ms", "QUARANTINE_DEADLINE_MS"),
            ("--gateway", "QUARANTINE_GATEWAY"),
        ] {
            if let Some(value) = set(variable) {
                found.take(name, &value);
            }
        }
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let (name, value) = match word.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (word.as_str(), None),
            };
            if !matches!(name, "--security-dir" | "--deadline-ms" | "--gateway") {
                found.unknown.push(word.clone());
                continue;
            }
            match value.or_else(|| words.next().cloned()) {
                Some(value) => found.take(name, &value),
                None => found.unknown.push(word.clone()),
            }
        }
        found
    }

    fn take(&mut self, name: &str, value: &str) {
        match name {
            "--security-dir" => self.security = Some(PathBuf::from(value)),
            "--deadline-ms" => match value.parse() {
                Ok(wait) if wait > 0 => self.deadline = Some(Duration::from_millis(wait)),
                _ => self.unknown.push(value.to_owned()),
            },
            _ => self.gateway = Some(value.to_owned()),
        }
    }

    /// The folder with `tool-registry.json`. Where one is named, results are read behind glass; without it they are
    /// marked.
    #[must_use]
    pub fn security(&self) -> Option<PathBuf> {
        self.security.clone()
    }

    /// The hook's own deadline, where one is set.
    #[must_use]
    pub fn deadline(&self) -> Option<Duration> {
        self.deadline
    }

    /// The name under which the gateway is registered with the agent.
    #[must_use]
    pub fn gateway(&self) -> String {
        self.gateway.clone().unwrap_or_else(|| GATEWAY.to_owned())
    }
}
