//! The lists: what a person approved, byte for byte as the server wrote it, but for the names.

use std::time::Duration;

use super::gateway::Gateway;
use super::session::Session;
use crate::rpc::Body;

/// A list older than this is read again before an agent is shown it.
const FRESH: Duration = Duration::from_secs(30);

/// How long a host waits for that.
const PATIENCE: Duration = Duration::from_secs(5);

impl Gateway {
    /// The answer to a method that lists; `None` if it is none.
    pub(super) async fn list(&self, session: &Session, method: &str, modern: bool) -> Option<Body<String>> {
        if !matches!(method, "tools/list" | "prompts/list" | "resources/list" | "resources/templates/list") {
            return None;
        }
        self.settled().await;
        self.freshen().await;
        session.shown().insert(match method {
            "tools/list" => "toolsListChanged",
            "prompts/list" => "promptsListChanged",
            _ => "resourcesListChanged",
        });
        let catalog = self.current();
        let (member, elements) = match method {
            "tools/list" => ("tools", &catalog.tools),
            "prompts/list" => ("prompts", &catalog.prompts),
            "resources/list" => ("resources", &catalog.resources),
            _ => ("resourceTemplates", &catalog.templates),
        };
        let more =
            if modern { ",\"resultType\":\"complete\",\"ttlMs\":0,\"cacheScope\":\"private\"" } else { "" };
        Some(Body::Result(format!("{{\"{member}\":[{}]{more}}}", elements.join(","))))
    }

    /// Has servers that were last looked at a while ago looked at again.
    async fn freshen(&self) {
        let stale: Vec<_> = self.servers.iter().filter(|server| server.is_stale(FRESH)).collect();
        for server in &stale {
            server.want_look();
        }
        let looks = stale.into_iter().map(|server| server.looked_at(PATIENCE));
        futures_util::future::join_all(looks).await;
    }
}
