//! The namespaces a person trusts. The file is read on every call, so that a change counts at once.

use std::path::Path;

use crate::place::read_some;

/// More than any list a person keeps by hand.
const LIMIT: u64 = 1 << 20;

/// One namespace per line, `mcp__name` or `name`; `#` starts a comment. Nobody is trusted by default: a server is
/// named by whoever registers it, and even a well-known one carries what strangers wrote.
#[derive(Debug, Clone, Default)]
pub struct Trusted {
    names: Vec<String>,
}

impl Trusted {
    /// Reads the list; one that is not there trusts nobody.
    #[must_use]
    pub fn read(path: &Path) -> Self {
        Self::parse(&read_some(path, LIMIT).unwrap_or_default())
    }

    /// Takes the list from its text. Lines that are no plain name (a `*`, a space) trust nobody.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let line = |line: &str| {
            let name = line.split('#').next().unwrap_or_default().trim().to_owned();
            let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
            let full = if name.starts_with("mcp__") { name.clone() } else { format!("mcp__{name}") };
            (!name.is_empty() && name != "mcp__" && plain).then_some(full)
        };
        Self { names: text.lines().filter_map(line).collect() }
    }

    /// Whether this namespace is on the list.
    #[must_use]
    pub fn has(&self, namespace: &str) -> bool {
        self.names.iter().any(|name| name == namespace)
    }
}
