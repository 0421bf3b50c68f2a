//! Two tools of the gateway's own, where the settings ask for them: to see what waits, and to put in quarantine. There
//! is none to take out.

use serde_json::json;

use super::gateway::Gateway;
use crate::clock::now;
use crate::pin::json::members;
use crate::record::{Status, quarantine};
use crate::rpc::{Body, edit};

const STATUS: &str = "quarantine__status";
const QUARANTINE: &str = "quarantine__quarantine";

/// Their definitions.
pub(super) fn definitions() -> Vec<String> {
    vec![
        json!({
            "name": STATUS,
            "description": "Lists the MCP servers behind this gateway and how many of their items wait for a person's \
                            review. Changes nothing.",
            "inputSchema": { "type": "object", "properties": {}, "additionalProperties": false },
            "annotations": { "readOnlyHint": true, "openWorldHint": false },
        })
        .to_string(),
        json!({
            "name": QUARANTINE,
            "description": "Puts an MCP server in quarantine: none of its tools can be called until a person has \
                            reviewed it. Only a person can take it out again.",
            "inputSchema": {
                "type": "object",
                "properties": { "server": { "type": "string", "description": "The server's name." } },
                "required": ["server"],
                "additionalProperties": false,
            },
            "annotations": { "readOnlyHint": false, "destructiveHint": true, "idempotentHint": true, "openWorldHint": false },
        })
        .to_string(),
    ]
}

impl Gateway {
    /// The result of a call to one of them; `None` if the name is neither's.
    pub(super) fn own_tool(&self, name: &str, params: &str) -> Option<Body<String>> {
        if !self.config.settings.own_tools {
            return None;
        }
        match name {
            STATUS => Some(self.own_status()),
            QUARANTINE => {
                let arguments = members(params).and_then(|all| all.one("arguments")).unwrap_or("{}");
                let asked = edit::string(arguments, "server").unwrap_or_default();
                let Some(entry) = self.config.server(&asked) else {
                    return Some(result("There is no server of this name.", true));
                };
                let name = entry.name.clone();
                Some(match self.store.change(|state| quarantine(state, &name, "agent", &now())) {
                    Ok(Ok(())) => {
                        self.draw();
                        result("The server is in quarantine.", false)
                    }
                    Ok(Err(refusal)) => result(&refusal.says, true),
                    Err(error) => {
                        tracing::error!(%error, "a server can't be put in quarantine");
                        result("The state can't be written. Nothing was changed.", true)
                    }
                })
            }
            _ => None,
        }
    }

    fn own_status(&self) -> Body<String> {
        let catalog = self.current();
        let servers: Vec<_> = self
            .config
            .servers
            .iter()
            .map(|entry| {
                let record = catalog.state.servers.get(&entry.name);
                let count = |status: Status| {
                    record.map_or(0, |record| {
                        record
                            .items
                            .values()
                            .filter(|item| item.seen.present && item.status() == status)
                            .count()
                    })
                };
                json!({
                    "server": entry.alias,
                    "quarantined": catalog.quarantined.contains(&entry.alias),
                    "approved": count(Status::Approved),
                    "pending": count(Status::Pending),
                    "changed": count(Status::Changed),
                    "blocked": count(Status::Blocked),
                })
            })
            .collect();
        result(&json!({ "servers": servers, "review": self.page() }).to_string(), false)
    }
}

fn result(text: &str, error: bool) -> Body<String> {
    let content = json!([{ "type": "text", "text": text }]);
    Body::Result(format!("{{\"content\":{content},\"isError\":{error}}}"))
}
