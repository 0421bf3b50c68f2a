//! The well-known hosts, where each keeps its file, and which shape that has.

use std::path::PathBuf;

/// How a host writes its servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// An object under `mcpServers`.
    McpServers,
    /// An object under `servers`, each with a type: VS Code.
    Servers,
    /// An object under `context_servers`: Zed.
    ContextServers,
    /// An object under `mcp`, command and arguments in one list: opencode.
    Mcp,
    /// Tables under `mcp_servers`, in TOML: Codex.
    Toml,
}

impl Shape {
    /// The member the servers stand under.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Shape::McpServers => "mcpServers",
            Shape::Servers => "servers",
            Shape::ContextServers => "context_servers",
            Shape::Mcp => "mcp",
            Shape::Toml => "mcp_servers",
        }
    }
}

/// A host's file.
#[derive(Clone, Debug)]
pub(crate) struct Host {
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    pub(crate) path: PathBuf,
    pub(crate) shape: Shape,
}

/// Every host we know, with the place its file has on this system. The file need not be there.
pub(crate) fn known() -> Vec<Host> {
    let home = std::env::home_dir().unwrap_or_default();
    let application = if cfg!(target_os = "macos") {
        home.join("Library/Application Support")
    } else if cfg!(windows) {
        std::env::var_os("APPDATA").map(PathBuf::from).unwrap_or_else(|| home.join("AppData/Roaming"))
    } else {
        std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).unwrap_or_else(|| home.join(".config"))
    };
    let code = application.join("Code/User");
    let dot_config = home.join(".config");
    let host = |id, title, path, shape| Host { id, title, path, shape };
    vec![
        host(
            "claude-desktop",
            "Claude Desktop",
            application.join("Claude/claude_desktop_config.json"),
            Shape::McpServers,
        ),
        host("claude-code", "Claude Code", home.join(".claude.json"), Shape::McpServers),
        host("cursor", "Cursor", home.join(".cursor/mcp.json"), Shape::McpServers),
        host("windsurf", "Windsurf", home.join(".codeium/windsurf/mcp_config.json"), Shape::McpServers),
        host("vscode", "VS Code", code.join("mcp.json"), Shape::Servers),
        host(
            "cline",
            "Cline",
            code.join("globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"),
            Shape::McpServers,
        ),
        host("gemini-cli", "Gemini CLI", home.join(".gemini/settings.json"), Shape::McpServers),
        host("lm-studio", "LM Studio", home.join(".lmstudio/mcp.json"), Shape::McpServers),
        host("kiro", "Kiro", home.join(".kiro/settings/mcp.json"), Shape::McpServers),
        host("zed", "Zed", dot_config.join("zed/settings.json"), Shape::ContextServers),
        host("opencode", "opencode", dot_config.join("opencode/opencode.json"), Shape::Mcp),
        host("codex", "Codex", home.join(".codex/config.toml"), Shape::Toml),
    ]
}

/// The shape of a file that is named by its path.
pub(crate) fn shape_of(path: &std::path::Path, text: &str) -> Option<Shape> {
    if path.extension().is_some_and(|extension| extension == "toml") {
        return Some(Shape::Toml);
    }
    let plain = super::jsonc::plain(text);
    let all = crate::pin::json::members(&plain)?;
    [Shape::McpServers, Shape::Servers, Shape::ContextServers, Shape::Mcp]
        .into_iter()
        .find(|shape| all.0.iter().any(|(name, _)| name == shape.key()))
}
