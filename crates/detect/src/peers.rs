//! The tools of all servers that meet in one agent: what shadowing is measured against.

use std::collections::{BTreeMap, BTreeSet};

use crate::fold;

/// Every tool of every server that the same agent sees. Built once, asked for each tool.
#[derive(Debug, Clone, Default)]
pub struct Peers {
    tools: BTreeMap<String, Vec<Peer>>,
    /// The names by what they look like.
    shapes: BTreeMap<String, BTreeSet<String>>,
}

#[derive(Debug, Clone)]
struct Peer {
    server: String,
    words: BTreeSet<u64>,
}

impl Peers {
    /// No tools.
    #[must_use]
    pub const fn new() -> Self {
        Self { tools: BTreeMap::new(), shapes: BTreeMap::new() }
    }

    /// Adds a tool of a server; a tool that is already there is replaced.
    pub fn add(&mut self, server: &str, tool: &str, description: &str) {
        let peers = self.tools.entry(tool.to_owned()).or_default();
        peers.retain(|peer| peer.server != server);
        peers.push(Peer { server: server.to_owned(), words: words(description) });
        self.shapes.entry(key(tool)).or_default().insert(tool.to_owned());
    }

    /// Forgets a server's tools.
    pub fn remove_server(&mut self, server: &str) {
        self.tools.retain(|_, peers| {
            peers.retain(|peer| peer.server != server);
            !peers.is_empty()
        });
        let tools = &self.tools;
        self.shapes.retain(|_, names| {
            names.retain(|name| tools.contains_key(name));
            !names.is_empty()
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

    /// Whether a tool of that name exists on other servers and not on this one.
    pub(crate) fn only_elsewhere(&self, tool: &str, server: &str) -> bool {
        self.tools.get(tool).is_some_and(|peers| peers.iter().all(|peer| peer.server != server))
    }

    /// Whether some name of another server looks like this one.
    pub(crate) fn resembles(&self, tool: &str, server: &str) -> bool {
        self.twin(&key(tool), tool, server).is_some()
    }

    /// A name of another server that looks like this one and is written differently.
    pub(crate) fn twin(&self, key: &str, tool: &str, server: &str) -> Option<&str> {
        let names = self.shapes.get(key)?;
        names.iter().find(|name| *name != tool && self.only_elsewhere(name, server)).map(String::as_str)
    }

    /// The server that has a tool of the same name and nearly the same words.
    pub(crate) fn clone_of(&self, tool: &str, description: &str, server: &str) -> Option<&str> {
        let peers = self.tools.get(tool)?;
        if peers.iter().all(|peer| peer.server == server) {
            return None;
        }
        let own = words(description);
        let twin = peers.iter().filter(|peer| peer.server != server).find(|peer| {
            let shared = own.intersection(&peer.words).count();
            let (small, large) = (own.len().min(peer.words.len()), own.len().max(peer.words.len()));
            small >= 3 && shared * 100 >= small * 85 && shared * 100 >= large * 70
        });
        twin.map(|peer| peer.server.as_str())
    }
}

/// The different words of a description, as numbers; of scripts without spaces, pairs of letters.
fn words(description: &str) -> BTreeSet<u64> {
    let mut words = BTreeSet::new();
    let mut add = |word: &str| {
        words.insert(crate::words::Fnv::of(word).value());
    };
    for word in
        description.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).take(4096)
    {
        let word = fold::word(word);
        if word.is_ascii() || !word.chars().any(crate::token::is_unspaced) {
            add(&word);
        } else {
            let letters: Vec<char> = word.chars().collect();
            for pair in letters.windows(2) {
                add(&pair.iter().collect::<String>());
            }
        }
    }
    words
}

/// What a name looks like: folded, look-alike letters and digits made one.
pub(crate) fn key(name: &str) -> String {
    let folded = fold::word(name);
    let latin = fold::lookalike(&folded).unwrap_or(folded);
    latin
        .chars()
        .map(|letter| match letter {
            '0' => 'o',
            '1' | 'i' | '|' => 'l',
            '5' => 's',
            _ => letter,
        })
        .collect()
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

static NOBODY: Peers = Peers::new();

impl Context<'static> {
    /// A tool about whose neighbours nothing is known.
    #[must_use]
    pub fn alone() -> Self {
        Self { server: "", peers: &NOBODY }
    }
}
