//! Where files are.

use std::env;
use std::path::{Path, PathBuf};

fn home() -> PathBuf {
    env::home_dir().unwrap_or_default()
}

fn folder(variable: &str, otherwise: &str) -> PathBuf {
    let set = env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    set.unwrap_or_else(|| home().join(otherwise)).join("quarantine")
}

/// The configuration that is used when none is named.
pub(crate) fn default_config() -> PathBuf {
    folder("XDG_CONFIG_HOME", ".config").join("mcp.json")
}

/// Where decisions are kept: never beside the configuration, since a project's folder may come from a stranger.
pub(crate) fn data_folder() -> PathBuf {
    folder("XDG_STATE_HOME", ".local/state")
}

/// The state file of a configuration. Two configurations never share decisions.
pub(crate) fn state_file(config: &Path) -> PathBuf {
    let full = std::fs::canonicalize(config).unwrap_or_else(|_| config.to_owned());
    let name: String = web::token::hash("gateway state", &full.to_string_lossy()).chars().take(16).collect();
    data_folder().join(format!("gateway-{name}.json"))
}
