//! The tools of all servers that meet in one agent: what shadowing is measured against.

use std::collections::BTreeMap;

/// Every tool of every server that the same agent sees. Built once, asked for each tool.
#[derive(Debug, Clone, Default)]
pub struct Peers {
    tools: BTreeMap<String, Vec<Peer>>,
}

#[derive(Debug, Clone)]
struct Peer {
    server: String,
    #[expect(dead_code, reason = "the clone check is built on it")]
    description: String,
}

impl Peers {
    /// Adds a tool of a server; a tool that is already there is replaced.
    pub fn add(&mut self, server: &str, tool: &str, description: &str) {
        let peers = self.tools.entry(tool.to_owned()).or_default();
        peers.retain(|peer| peer.server != server);
        peers.push(Peer { server: server.to_owned(), description: description.to_owned() });
    }

    /// Forgets a server's tools.
    pub fn remove_server(&mut self, server: &str) {
        self.tools.retain(|_, peers| {
            peers.retain(|peer| peer.server != server);
            !peers.is_empty()
        });
    }

    /// How many tools are known.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tools.values().map(Vec::len).sum()
    }

    /// Whether no tool is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }
}

/// What is known about where a tool stands.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The server that offers it; empty when not known.
    pub server: &'a str,
    /// The tools of all servers, its own among them (what a description says about its own server's tools is
    /// no finding).
    pub peers: &'a Peers,
}

static NOBODY: Peers = Peers { tools: BTreeMap::new() };

impl Context<'static> {
    /// A tool about whose neighbours nothing is known.
    #[must_use]
    pub fn alone() -> Self {
        Self { server: "", peers: &NOBODY }
    }
}
