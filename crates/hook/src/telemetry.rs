//! One JSON line per matched call: which tool, what was decided, where from, which session. Never what was in it.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;

use reader::label;
use serde_json::json;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// What was decided about a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// A notice was given.
    Emit,
    /// Looked at and let through.
    Skip,
    /// The hook's own deadline passed.
    Timeout,
    /// Read behind glass: a rewrite stands in the result's place.
    Seal,
    /// The second lock found a rewrite where the model reads.
    Confirmed,
    /// The second lock stopped the session.
    Stop,
}

impl Decision {
    fn word(self) -> &'static str {
        match self {
            Self::Emit => "emit",
            Self::Skip => "skip",
            Self::Timeout => "timeout",
            Self::Seal => "seal",
            Self::Confirmed => "confirmed",
            Self::Stop => "stop",
        }
    }
}

/// Appends a line. A file that can't be written costs the line, never the call.
pub fn record(file: &Path, tool: &str, decision: Decision, source: &str, session: &str) {
    let line = json!({
        "event": "quarantine",
        "ts": OffsetDateTime::now_utc().format(&Rfc3339).unwrap_or_default(),
        "tool": label(tool),
        "decision": decision.word(),
        "source": source,
        "session_id": label(session),
    });
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    if let Some(folder) = file.parent() {
        let _ = std::fs::create_dir_all(folder);
    }
    // One write of one line: lines of calls that run at the same time don't mix.
    let _ = options.open(file).and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
}
