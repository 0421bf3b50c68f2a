//! Where things lie on this machine.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The folders of the person whose agent runs. Each is a setting of the environment, or where it usually is.
#[derive(Debug, Clone, Default)]
pub struct Places {
    home: PathBuf,
    claude: Option<PathBuf>,
    state: Option<PathBuf>,
    telemetry: Option<PathBuf>,
    trusted: Option<PathBuf>,
}

impl Places {
    /// From the environment: `HOME`, `CLAUDE_CONFIG_DIR`, `QUARANTINE_STATE`, `QUARANTINE_TELEMETRY`,
    /// `QUARANTINE_TRUSTED`.
    #[must_use]
    pub fn of_this_machine() -> Self {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let home = set("HOME").or_else(|| set("USERPROFILE")).unwrap_or_default();
        let state = set("QUARANTINE_STATE")
            .or_else(|| set("XDG_STATE_HOME").map(|folder| folder.join("quarantine")))
            .or_else(|| set("LOCALAPPDATA").map(|folder| folder.join("quarantine")));
        Self {
            home,
            claude: set("CLAUDE_CONFIG_DIR"),
            state,
            telemetry: set("QUARANTINE_TELEMETRY"),
            trusted: set("QUARANTINE_TRUSTED"),
        }
    }

    /// The same below a folder of one's own, whatever the environment says.
    #[must_use]
    pub fn below(home: &Path) -> Self {
        Self { home: home.to_path_buf(), ..Self::default() }
    }

    /// The agent's own folder, `~/.claude`.
    #[must_use]
    pub fn claude(&self) -> PathBuf {
        self.claude.clone().unwrap_or_else(|| self.home.join(".claude"))
    }

    /// Where sealed values and backups of settings are kept.
    #[must_use]
    pub fn state(&self) -> PathBuf {
        self.state.clone().unwrap_or_else(|| self.home.join(".local/state/quarantine"))
    }

    /// One JSON line per matched call.
    #[must_use]
    pub fn telemetry(&self) -> PathBuf {
        self.telemetry.clone().unwrap_or_else(|| self.claude().join("telemetry.jsonl"))
    }

    /// The MCP namespaces a person trusts.
    #[must_use]
    pub fn trusted(&self) -> PathBuf {
        self.trusted
            .clone()
            .unwrap_or_else(|| self.claude().join("quarantine.d").join("trusted-mcp-allowlist.txt"))
    }
}

/// A file's text when it is there, at most `limit` bytes of it, whatever bytes they are.
#[must_use]
pub fn read_some(path: &Path, limit: u64) -> Option<String> {
    use std::io::Read as _;
    let mut bytes = Vec::new();
    std::fs::File::open(path).ok()?.take(limit).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Whether a person has switched the hooks off for this session: `QUARANTINE_DISABLE=1`.
#[must_use]
pub fn switched_off() -> bool {
    std::env::var_os("QUARANTINE_DISABLE") == Some(OsString::from("1"))
}
