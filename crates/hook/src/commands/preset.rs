//! The hooks of each preset.

use std::path::Path;

use serde_json::{Value, json};

use crate::arguments::Hook;

/// Results that may be a stranger's. With `^` and brackets it is a pattern, not a list of names.
const RESULTS: &str = "^(mcp__.*|WebFetch|WebSearch|Read|Bash|PowerShell|ReadMcpResource|ReadMcpResourceDir|ReadMcpResourceTool)$";
/// Calls whose input may hold a reference, or name the folder of sealed values.
const CALLS: &str = "^(mcp__.*|Bash|PowerShell|Read|Grep|Glob|Edit|Write|NotebookEdit)$";

/// A set of hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Preset {
    Advise,
    Extract,
    Off,
}

impl Preset {
    pub(super) fn named(word: &str) -> Option<Self> {
        match word {
            "advise" => Some(Self::Advise),
            "extract" => Some(Self::Extract),
            "off" => Some(Self::Off),
            _ => None,
        }
    }

    /// Each hook with the group of settings that runs it. Every time-out is above the hook's own deadline.
    pub(super) fn groups(self, program: &Path, security: &Path) -> Vec<(Hook, Value)> {
        let program = shell_word(&program.to_string_lossy());
        let security = shell_word(&security.to_string_lossy());
        let group = |hook: Hook, matcher: Option<&str>, timeout: u32| {
            let command = match self {
                Self::Extract => format!("{program} {} --security-dir {security}", hook.word()),
                _ => format!("{program} {}", hook.word()),
            };
            let run = json!([{"type": "command", "command": command, "timeout": timeout}]);
            let group = match matcher {
                Some(matcher) => json!({"matcher": matcher, "hooks": run}),
                None => json!({ "hooks": run }),
            };
            (hook, group)
        };
        match self {
            Self::Off => Vec::new(),
            Self::Advise => {
                vec![
                    group(Hook::PostToolUse, Some(RESULTS), 10),
                    group(Hook::PostToolUseFailure, Some(RESULTS), 10),
                ]
            }
            Self::Extract => vec![
                group(Hook::SessionStart, None, 40),
                group(Hook::PreToolUse, Some(CALLS), 40),
                group(Hook::PostToolUse, Some(RESULTS), 40),
                group(Hook::PostToolUseFailure, Some(RESULTS), 40),
                group(Hook::PostToolBatch, None, 40),
                group(Hook::SessionEnd, None, 5),
            ],
        }
    }
}

/// A word that a shell takes as it is.
fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '-' | '_');
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

/// Which of our hooks a command of the settings runs.
pub(super) fn ours(command: &str) -> Option<Hook> {
    let (_, behind) = command.split_once("quarantine-hook")?;
    let behind = behind.strip_prefix(".exe").unwrap_or(behind).trim_start_matches(['\'', '"']);
    Hook::named(behind.split_whitespace().next()?)
}

#[cfg(test)]
mod tests {
    use super::{Hook, ours, shell_word};

    #[test]
    fn our_own_commands_are_recognised_and_no_others() {
        assert_eq!(ours("/opt/a b/quarantine-hook post-tool-use"), Some(Hook::PostToolUse));
        assert_eq!(ours("'/opt/a b/quarantine-hook' pre-tool-use --security-dir x"), Some(Hook::PreToolUse));
        assert_eq!(ours("quarantine-hook-of-others post-tool-use"), None);
        assert_eq!(ours("agent-sentinel hook post-tool-use"), None);
    }

    #[test]
    fn a_path_is_one_word_for_the_shell() {
        assert_eq!(shell_word("/usr/bin/x"), "/usr/bin/x");
        assert_eq!(shell_word("/a b/$(c)'d"), "'/a b/$(c)'\\''d'");
    }
}
