//! Labelled texts and tools: our own cases, and the corpora beside the repository where they are. What a scan says of
//! each, and what that comes to.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use detect::{Context, Finding, Peers, Tier};
use serde_json::Value;

/// One labelled text or tool.
#[derive(Debug, Clone)]
pub struct Entry {
    pub set: String,
    pub id: String,
    pub source: String,
    pub category: String,
    pub malicious: bool,
    /// For our own cases: the rule that has to speak.
    pub rule: Option<String>,
    /// For our own cases: the tier that has to be reached.
    pub tier: Option<Tier>,
    pub subject: Subject,
}

#[derive(Debug, Clone)]
pub enum Subject {
    Text(String),
    Tool { server: String, tool: Value, peers: Vec<(String, Value)> },
}

/// What a scan says of an entry.
pub fn scan(entry: &Entry) -> Vec<Finding> {
    match &entry.subject {
        Subject::Text(text) => detect::scan_text(text),
        Subject::Tool { server, tool, peers } => {
            let mut known = Peers::new();
            let text =
                |value: &Value, key: &str| value.get(key).and_then(Value::as_str).unwrap_or("").to_owned();
            known.add(server, &text(tool, "name"), &text(tool, "description"));
            for (server, peer) in peers {
                known.add(server, &text(peer, "name"), &text(peer, "description"));
            }
            detect::scan_tool(tool, &Context { server, peers: &known }).findings
        }
    }
}

/// The corpora beside the repository, or where `QUARANTINE_CORPORA` says.
pub fn corpora() -> PathBuf {
    match std::env::var_os("QUARANTINE_CORPORA") {
        Some(path) => PathBuf::from(path),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora"),
    }
}

/// The sets of the corpora, by name; none where the folder is missing.
pub fn shared() -> BTreeMap<String, Vec<Entry>> {
    let mut sets = BTreeMap::new();
    let Ok(folder) = std::fs::read_dir(corpora()) else { return sets };
    for file in folder.flatten().map(|entry| entry.path()) {
        if file.extension().is_none_or(|ending| ending != "json") {
            continue;
        }
        let name = file.file_stem().and_then(|name| name.to_str()).unwrap_or("").to_owned();
        let text = std::fs::read_to_string(&file).unwrap();
        let value: Value = serde_json::from_str(&text).unwrap();
        let entries =
            value["entries"].as_array().unwrap().iter().map(|entry| from_json(&name, entry)).collect();
        sets.insert(name, entries);
    }
    sets
}

fn from_json(set: &str, entry: &Value) -> Entry {
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).unwrap_or("").to_owned();
    let subject = match entry.get("text").and_then(Value::as_str) {
        Some(text) => Subject::Text(text.to_owned()),
        None => Subject::Tool {
            server: text(entry, "server"),
            tool: entry["tool"].clone(),
            peers: entry
                .get("peers")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .map(|peer| (text(peer, "server"), peer["tool"].clone()))
                .collect(),
        },
    };
    Entry {
        set: set.to_owned(),
        id: text(entry, "id"),
        source: text(&entry["provenance"], "source"),
        category: text(entry, "category"),
        malicious: entry["label"] == "malicious",
        rule: None,
        tier: None,
        subject,
    }
}

/// Our own cases, a file a theme.
pub fn own() -> Vec<Entry> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()).collect();
    files.sort();
    let mut entries = Vec::new();
    for file in files {
        let theme = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let table: toml::Table = std::fs::read_to_string(&file)
            .unwrap()
            .parse()
            .unwrap_or_else(|error| panic!("{theme}: {error}"));
        for case in table["case"].as_array().unwrap() {
            let text = |key: &str| case.get(key).and_then(toml::Value::as_str).map(str::to_owned);
            let id = text("id").unwrap();
            let tool = match (text("tool"), text("description")) {
                (Some(tool), None) => {
                    serde_json::from_str(&tool).unwrap_or_else(|error| panic!("{id}: {error}"))
                }
                (None, Some(description)) => {
                    let name = text("name").unwrap_or_else(|| "thing".to_owned());
                    serde_json::json!({"name": name, "description": description})
                }
                _ => Value::Null,
            };
            let subject = match (text("text"), tool) {
                (Some(text), Value::Null) => Subject::Text(text),
                (None, tool) if !tool.is_null() => Subject::Tool {
                    server: text("server").unwrap_or_else(|| "one".to_owned()),
                    tool,
                    peers: case
                        .get("peers")
                        .and_then(toml::Value::as_array)
                        .into_iter()
                        .flatten()
                        .map(|peer| {
                            let text = |key: &str| peer[key].as_str().unwrap().to_owned();
                            let tool =
                                serde_json::json!({"name": text("name"), "description": text("description")});
                            (text("server"), tool)
                        })
                        .collect(),
                },
                _ => panic!("{id}: either a text or a tool"),
            };
            let malicious = match text("label").as_deref() {
                Some("malicious") => true,
                Some("benign") => false,
                other => panic!("{id}: label {other:?}"),
            };
            entries.push(Entry {
                set: "own".to_owned(),
                source: format!("own/{theme}"),
                category: theme.clone(),
                malicious,
                rule: text("rule"),
                tier: text("tier").map(|tier| if tier == "hard" { Tier::Hard } else { Tier::Soft }),
                subject,
                id,
            });
        }
    }
    entries
}

/// How often something was so, of how often it could be.
#[derive(Debug, Clone, Copy, Default)]
pub struct Share {
    pub hits: usize,
    pub of: usize,
}

impl Share {
    pub fn count(&mut self, hit: bool) {
        self.of += 1;
        self.hits += usize::from(hit);
    }

    pub fn value(self) -> f64 {
        if self.of == 0 { 0.0 } else { self.hits as f64 / self.of as f64 }
    }

    /// The Wilson interval at 95 %.
    pub fn wilson(self) -> (f64, f64) {
        if self.of == 0 {
            return (0.0, 1.0);
        }
        let (z, n, p) = (1.96, self.of as f64, self.value());
        let middle = p + z * z / (2.0 * n);
        let half = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
        let scale = 1.0 + z * z / n;
        (((middle - half) / scale).max(0.0), ((middle + half) / scale).min(1.0))
    }
}

/// Hard and any-tier shares.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tiers {
    pub hard: Share,
    pub any: Share,
}

impl Tiers {
    pub fn count<'f>(&mut self, findings: impl Iterator<Item = &'f Finding> + Clone) {
        self.hard.count(findings.clone().any(|finding| finding.tier == Tier::Hard));
        self.any.count(findings.clone().next().is_some());
    }
}

/// Recall on what is malicious and false alarms on what is not.
#[derive(Debug, Clone, Copy, Default)]
pub struct Figures {
    pub malicious: Tiers,
    pub benign: Tiers,
}

impl Figures {
    pub fn of<'e>(
        entries: impl IntoIterator<Item = (&'e Entry, &'e Vec<Finding>)>,
        allowed: Option<&BTreeSet<&str>>,
    ) -> Self {
        let mut figures = Self::default();
        for (entry, findings) in entries {
            let kept =
                findings.iter().filter(|finding| allowed.is_none_or(|rules| rules.contains(finding.rule)));
            let side = if entry.malicious { &mut figures.malicious } else { &mut figures.benign };
            side.count(kept);
        }
        figures
    }
}
