//! `tool-registry.json`: which tools are read behind glass, and which may be handed references.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use reader::Sink;
use reader::schema::Refused;
use serde::Deserialize;

use crate::place::read_some;
use crate::tool_name::ToolName;

const FILE: &str = "tool-registry.json";
const LIMIT: u64 = 4 << 20;
/// Built-in tools whose results have a shape that we can write.
const BUILT_IN: [&str; 2] = ["Bash", "WebFetch"];

/// What is done when a tool fails: its error text can't be rewritten.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Failures {
    /// The session stops before the model reads it.
    #[default]
    Stop,
    /// The model reads it, with a notice beside it.
    Notice,
}

/// A tool whose results are read behind glass.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listed {
    /// The settings of its reading, a path below the folder.
    pub config: PathBuf,
    /// The member of its input that names what it is about.
    #[serde(default = "issue")]
    pub prefix_from: String,
}

fn issue() -> String {
    "issueIdOrKey".to_owned()
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Quotes {
    #[serde(default)]
    quotes: Vec<String>,
    #[serde(default)]
    from: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    post_tool_use: BTreeMap<String, Listed>,
    #[serde(default)]
    pre_tool_use: BTreeMap<String, Quotes>,
    #[serde(default)]
    failures: Failures,
}

/// The registry of a folder.
#[derive(Debug, Clone)]
pub struct Registry {
    folder: PathBuf,
    post: Vec<(ToolName, Listed)>,
    pre: Vec<(ToolName, Sink)>,
    /// What is done when a listed tool fails.
    pub failures: Failures,
}

impl Registry {
    /// Reads the registry of a folder.
    ///
    /// # Errors
    /// It is not there, is no such JSON, says something we don't know, or opens what is never opened.
    pub fn read(folder: &Path, gateway: &str) -> Result<Self, Refused> {
        let path = folder.join(FILE);
        let Some(text) = read_some(&path, LIMIT) else {
            return Err(Refused(format!("{FILE} can't be read in that folder")));
        };
        // A list would be taken for the members in their order.
        if !text.trim_start().starts_with('{') {
            return Err(Refused(format!("{FILE} is no JSON object")));
        }
        let file: File = serde_json::from_str(&text).map_err(|error| {
            // Its own text, not a stranger's: the place helps whoever wrote it.
            Refused(format!("{FILE}: {error}"))
        })?;
        let named = |name: &str| ToolName::new(name, gateway);
        for name in file.post_tool_use.keys() {
            if !named(name).is_mcp() && !BUILT_IN.contains(&name.as_str()) {
                return Err(Refused(format!(
                    "{FILE}: {name} is neither an MCP tool nor Bash or WebFetch; the shape of its results is not known"
                )));
            }
        }
        let sink = |(name, quotes): (String, Quotes)| {
            let sink = Sink::new(quotes.quotes, quotes.from)
                .map_err(|refused| Refused(format!("{FILE}: {name}: {refused}")))?;
            Ok((named(&name), sink))
        };
        Ok(Self {
            folder: folder.to_path_buf(),
            post: file.post_tool_use.into_iter().map(|(name, listed)| (named(&name), listed)).collect(),
            pre: file.pre_tool_use.into_iter().map(sink).collect::<Result<_, _>>()?,
            failures: file.failures,
        })
    }

    /// The folder it stands in.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// How this tool's results are read, where it is listed.
    #[must_use]
    pub fn listed(&self, tool: &ToolName) -> Option<&Listed> {
        self.post.iter().find(|(name, _)| tool.is(name.as_str())).map(|(_, listed)| listed)
    }

    /// The references this tool may be handed, where it is listed.
    #[must_use]
    pub fn sink(&self, tool: &ToolName) -> Option<&Sink> {
        self.pre.iter().find(|(name, _)| tool.is(name.as_str())).map(|(_, sink)| sink)
    }

    /// Every tool that is read behind glass.
    pub fn post(&self) -> impl Iterator<Item = (&str, &Listed)> {
        self.post.iter().map(|(name, listed)| (name.as_str(), listed))
    }

    /// Every tool that may be handed references.
    pub fn pre(&self) -> impl Iterator<Item = &str> {
        self.pre.iter().map(|(name, _)| name.as_str())
    }
}
