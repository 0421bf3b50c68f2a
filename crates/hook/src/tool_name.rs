//! Names of tools as an agent sees them.

/// The name a gateway is registered under, unless told otherwise: its tools are `mcp__quarantine__server__tool`.
pub const GATEWAY: &str = "quarantine";

/// A tool's name, without the prefix of a gateway in front of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolName {
    name: String,
}

impl ToolName {
    /// Takes the gateway's prefix off: what it offers as `server__tool` counts as that server's own.
    #[must_use]
    pub fn new(name: &str, gateway: &str) -> Self {
        let behind = name
            .strip_prefix("mcp__")
            .and_then(|rest| rest.strip_prefix(gateway))
            .and_then(|rest| rest.strip_prefix("__"))
            .filter(|rest| !gateway.is_empty() && splits(rest).next().is_some());
        let name = behind.map_or_else(|| name.to_owned(), |rest| format!("mcp__{rest}"));
        Self { name }
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.name
    }

    /// Whether an MCP server offers it.
    #[must_use]
    pub fn is_mcp(&self) -> bool {
        self.name.starts_with("mcp__")
    }

    /// Every server it can belong to, the shortest name first; `None` when it is no MCP tool. `mcp__my__server__x`
    /// can be the tool `server__x` of `mcp__my` or the tool `x` of `mcp__my__server`.
    #[must_use]
    pub fn namespaces(&self) -> Option<Vec<String>> {
        let rest = self.name.strip_prefix("mcp__")?;
        let mut found: Vec<String> = splits(rest).map(|server| format!("mcp__{server}")).collect();
        if found.is_empty() {
            found.push(self.name.clone());
        }
        Some(found)
    }

    /// Whether this is the tool that a setting names, also where a plugin brings the server along and the name is
    /// `mcp__plugin_<plugin>_<server>__<tool>`.
    #[must_use]
    pub fn is(&self, listed: &str) -> bool {
        if self.name == listed {
            return true;
        }
        let plain = listed.strip_prefix("mcp__").and_then(|rest| rest.split_once("__"));
        let ours = self.name.strip_prefix("mcp__plugin_").and_then(|rest| rest.split_once("__"));
        match (plain, ours) {
            (Some((server, tool)), Some((plugin, named))) => {
                tool == named && plugin.strip_suffix(server).is_some_and(|plugin| plugin.ends_with('_'))
            }
            _ => false,
        }
    }
}

fn splits(rest: &str) -> impl Iterator<Item = &str> {
    rest.match_indices("__")
        .filter(|(at, _)| *at > 0)
        .filter_map(|(at, _)| rest.get(..at).filter(|_| rest.len() > at + 2))
}

#[cfg(test)]
mod tests {
    use super::{GATEWAY, ToolName};

    fn namespaces(name: &str) -> Vec<String> {
        ToolName::new(name, GATEWAY).namespaces().unwrap_or_default()
    }

    #[test]
    fn a_gateways_prefix_is_taken_off() {
        assert_eq!(ToolName::new("mcp__quarantine__zendesk__get", GATEWAY).as_str(), "mcp__zendesk__get");
        assert_eq!(ToolName::new("mcp__quarantine__get", GATEWAY).as_str(), "mcp__quarantine__get");
        assert_eq!(ToolName::new("mcp__quarantined__a__b", GATEWAY).as_str(), "mcp__quarantined__a__b");
        assert_eq!(ToolName::new("Read", GATEWAY).as_str(), "Read");
    }

    #[test]
    fn every_server_that_a_tool_can_belong_to_is_named() {
        assert_eq!(namespaces("mcp__zendesk__get"), ["mcp__zendesk"]);
        assert_eq!(namespaces("mcp__my__server__x"), ["mcp__my", "mcp__my__server"]);
        assert_eq!(namespaces("mcp__odd"), ["mcp__odd"]);
        assert_eq!(namespaces("mcp__"), ["mcp__"]);
        assert!(namespaces("Read").is_empty());
    }

    #[test]
    fn a_plugins_server_is_still_that_server() {
        let tool = ToolName::new("mcp__plugin_shop_zendesk__get_ticket", GATEWAY);
        assert!(tool.is("mcp__zendesk__get_ticket"));
        assert!(!tool.is("mcp__desk__get_ticket"), "a server's name is whole words");
        assert!(!tool.is("mcp__zendesk__get"));
    }
}
