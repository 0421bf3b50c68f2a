//! Reading the file. One bad entry takes down that entry, not the others.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::expand::expand;
use super::launch::{Launch, Remote, Transport};
use super::settings::{Limits, ServerSettings, Settings, Trust};

/// A server that may be started.
#[derive(Clone, Debug)]
pub(crate) struct ServerEntry {
    /// Its name in the configuration.
    pub(crate) name: String,
    /// Its part of the names agents see: ASCII letters, digits, `_` and `-`.
    pub(crate) alias: String,
    pub(crate) transport: Transport,
    /// The configuration says that it is off.
    pub(crate) disabled: bool,
    /// What the configuration asks for, if it says. Raising it takes a person.
    pub(crate) trust: Option<Trust>,
    pub(crate) notice: bool,
    pub(crate) limits: Limits,
    /// The configuration says `"quarantined": false`, which opens nothing.
    pub(crate) says_reviewed: bool,
}

/// An entry that is not used, and why.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refused {
    pub(crate) name: String,
    pub(crate) why: String,
}

/// A configuration.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    pub(crate) path: PathBuf,
    pub(crate) servers: Vec<ServerEntry>,
    pub(crate) refused: Vec<Refused>,
    pub(crate) settings: Settings,
}

/// Why a configuration can't be used at all.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigError {
    #[error("{0} can't be read: {1}.")]
    Unreadable(PathBuf, std::io::Error),
    #[error("{0} is not JSON: line {1}, column {2}.")]
    NotJson(PathBuf, usize, usize),
    #[error("{0} has no mcpServers object.")]
    NoServers(PathBuf),
    #[error("The quarantine settings in {0} can't be used: {1}.")]
    Settings(PathBuf, String),
}

impl Config {
    /// Reads a file.
    ///
    /// # Errors
    /// It can't be read, is not JSON, lists no servers, or our own settings in it have a mistake.
    pub(crate) fn load(path: &Path) -> Result<Config, ConfigError> {
        let bytes =
            std::fs::read_to_string(path).map_err(|error| ConfigError::Unreadable(path.to_owned(), error))?;
        Config::parse(path, &bytes, &|name| std::env::var(name).ok())
    }

    fn parse(
        path: &Path,
        text: &str,
        lookup: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Config, ConfigError> {
        let json: Value = serde_json::from_str(text)
            .map_err(|error| ConfigError::NotJson(path.to_owned(), error.line(), error.column()))?;
        let settings: Settings = match json.get("quarantine") {
            None => Settings::default(),
            Some(value) => serde_json::from_value(value.clone())
                .map_err(|error| ConfigError::Settings(path.to_owned(), error.to_string()))?,
        };
        let listed = listed(&json).ok_or_else(|| ConfigError::NoServers(path.to_owned()))?;
        let folder = path.parent().unwrap_or(Path::new("."));
        let mut config = Config { path: path.to_owned(), servers: Vec::new(), refused: Vec::new(), settings };
        let mut aliases = BTreeSet::from([String::from("quarantine")]);
        let mut names = BTreeSet::new();
        for (name, entry) in listed {
            let read = entry_of(&name, &entry, &config.settings, folder, lookup).and_then(|entry| {
                if !names.insert(name.clone()) {
                    Err("the name is there twice".to_owned())
                } else if aliases.insert(entry.alias.clone()) {
                    Ok(entry)
                } else {
                    Err(format!("agents would see it as {}, which is taken; rename it", entry.alias))
                }
            });
            match read {
                Ok(entry) => config.servers.push(entry),
                Err(why) => config.refused.push(Refused { name, why }),
            }
        }
        for name in config.settings.servers.keys() {
            if !names.contains(name) && !config.refused.iter().any(|refused| &refused.name == name) {
                return Err(ConfigError::Settings(
                    path.to_owned(),
                    format!("quarantine.servers.{name} names no server"),
                ));
            }
        }
        Ok(config)
    }

    /// The server of this name, or of this alias.
    pub(crate) fn server(&self, name: &str) -> Option<&ServerEntry> {
        self.servers
            .iter()
            .find(|server| server.name == name)
            .or_else(|| self.servers.iter().find(|server| server.alias == name))
    }
}

/// The entries under whichever name the file has for them; an array of entries with names counts too.
fn listed(json: &Value) -> Option<Vec<(String, Value)>> {
    let found = ["mcpServers", "servers", "context_servers"].iter().find_map(|key| json.get(key))?;
    match found {
        Value::Object(map) => Some(map.iter().map(|(name, entry)| (name.clone(), entry.clone())).collect()),
        Value::Array(list) => {
            list.iter().map(|entry| Some((entry.get("name")?.as_str()?.to_owned(), entry.clone()))).collect()
        }
        _ => None,
    }
}

fn entry_of(
    name: &str,
    entry: &Value,
    settings: &Settings,
    folder: &Path,
    lookup: &dyn Fn(&str) -> Option<String>,
) -> Result<ServerEntry, String> {
    let entry = entry.as_object().ok_or("the entry is not an object")?;
    let none = ServerSettings::default();
    let own = settings.servers.get(name).unwrap_or(&none);
    let flag = |key: &str| match entry.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Bool(flag)) => Ok(Some(*flag)),
        Some(_) => Err(format!("{key} must be true or false")),
    };
    let trust = match &own.trust {
        Some(word) => Some(word.as_str()),
        None => match entry.get("trust_mode").or_else(|| entry.get("trust")) {
            None | Some(Value::Null) => None,
            Some(Value::String(word)) => Some(word.as_str()),
            // Some hosts keep a yes or no of their own under this name.
            Some(Value::Bool(_)) => None,
            Some(_) => return Err("trust must be manual, scan or auto".to_owned()),
        },
    };
    let trust = match trust {
        None | Some("") => None,
        Some(word) => Some(Trust::read(word).ok_or("trust must be manual, scan or auto")?),
    };
    let alias = alias(name).ok_or("the name has no letter or digit that agents could be shown")?;
    Ok(ServerEntry {
        name: name.to_owned(),
        alias,
        transport: transport(entry, folder, lookup)?,
        disabled: flag("disabled")? == Some(true) || flag("enabled")? == Some(false),
        trust,
        notice: own.notice.unwrap_or(settings.notices),
        limits: own.limits.unwrap_or(settings.limits),
        says_reviewed: flag("quarantined")? == Some(false),
    })
}

fn transport(
    entry: &Map<String, Value>,
    folder: &Path,
    lookup: &dyn Fn(&str) -> Option<String>,
) -> Result<Transport, String> {
    let filled = |text: &str| {
        expand(text, lookup).map_err(|name| format!("the environment variable {name} is not set"))
    };
    let map = |key: &str| -> Result<BTreeMap<String, String>, String> {
        let Some(value) = entry.get(key) else { return Ok(BTreeMap::new()) };
        let object = value.as_object().ok_or_else(|| format!("{key} must be an object"))?;
        object
            .iter()
            .map(|(name, value)| {
                let text = match value {
                    Value::String(text) => filled(text)?,
                    Value::Number(number) => number.to_string(),
                    Value::Bool(flag) => flag.to_string(),
                    _ => return Err(format!("{key} has a value that is no text")),
                };
                Ok((name.clone(), text))
            })
            .collect()
    };
    let kind = entry.get("type").or_else(|| entry.get("transport")).and_then(Value::as_str);
    let url = ["url", "serverUrl", "httpUrl"].iter().find_map(|key| entry.get(*key)).and_then(Value::as_str);
    match (entry.get("command"), url) {
        (Some(_), Some(_)) => Err("it has both a command and a url".to_owned()),
        (None, None) => Err("it has neither a command nor a url".to_owned()),
        (None, Some(url)) => {
            if kind == Some("sse") {
                return Err(
                    "the old HTTP+SSE transport is not spoken; use a streamable HTTP address".to_owned()
                );
            }
            if !matches!(
                kind,
                None | Some("http" | "remote" | "streamable-http" | "streamableHttp" | "streamable_http")
            ) {
                return Err("its type must be stdio or http".to_owned());
            }
            let url = filled(url)?;
            if web::host::authority(&url).is_none() {
                return Err("its url must begin with http:// or https:// and have no user in it".to_owned());
            }
            Ok(Transport::Http(Remote { url, headers: map("headers")? }))
        }
        (Some(command), None) => {
            if !matches!(kind, None | Some("stdio" | "local")) {
                return Err("its type must be stdio or http".to_owned());
            }
            let listed = |value: &Value| -> Result<Vec<String>, String> {
                let list = value.as_array().ok_or("args must be a list")?;
                list.iter().map(|arg| filled(arg.as_str().ok_or("args must be texts")?)).collect()
            };
            let (command, mut args) = match command {
                Value::String(command) => (filled(command)?, Vec::new()),
                // Some hosts write the command and its arguments as one list.
                Value::Array(_) => {
                    let mut words = listed(command)?.into_iter();
                    (words.next().unwrap_or_default(), words.collect())
                }
                _ => return Err("command must be text".to_owned()),
            };
            if command.is_empty() {
                return Err("its command is empty".to_owned());
            }
            if let Some(value) = entry.get("args") {
                args.extend(listed(value)?);
            }
            let cwd = match entry.get("cwd").and_then(Value::as_str) {
                Some(cwd) => Some(folder.join(filled(cwd)?)),
                None => None,
            };
            let env = if entry.contains_key("env") { map("env")? } else { map("environment")? };
            Ok(Transport::Stdio(Launch { command, args, env, cwd }))
        }
    }
}

/// What agents see of a server's name: at most 32 of its letters and digits.
fn alias(name: &str) -> Option<String> {
    let kept: String = name
        .chars()
        .map(|character| if character.is_ascii_alphanumeric() || character == '-' { character } else { '_' })
        .take(32)
        .collect();
    kept.bytes().any(|byte| byte.is_ascii_alphanumeric()).then_some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Config, ConfigError> {
        Config::parse(Path::new("/c/mcp.json"), text, &|name| (name == "T").then(|| "t".to_owned()))
    }

    #[test]
    fn the_common_shapes_are_read_as_they_are() {
        let config = parse(
            r#"{"mcpServers": {
                "time": {"command": "uvx", "args": ["mcp-server-time"], "env": {"A": "${T}"}, "alwaysAllow": []},
                "web one": {"type": "http", "url": "https://mcp.example/mcp", "headers": {"Authorization": "Bearer ${T}"}},
                "off": {"command": ["node", "x.js"], "disabled": true},
                "wind": {"serverUrl": "http://127.0.0.1:9/mcp"}
            }, "other": 1}"#,
        )
        .unwrap();
        assert!(config.refused.is_empty(), "{:?}", config.refused);
        let names: Vec<&str> = config.servers.iter().map(|server| server.alias.as_str()).collect();
        assert_eq!(names, ["off", "time", "web_one", "wind"]);
        let Transport::Stdio(time) = &config.server("time").unwrap().transport else { panic!("stdio") };
        assert_eq!((time.command.as_str(), time.env.get("A").unwrap().as_str()), ("uvx", "t"));
        assert!(config.server("off").unwrap().disabled);
        assert!(parse(r#"{"mcpServers":[{"name":"x","command":"c"}]}"#).unwrap().server("x").is_some());
    }

    #[test]
    fn a_bad_entry_is_refused_and_the_others_stay() {
        let config = parse(
            r#"{"mcpServers": {
                "good": {"command": "c"},
                "typo": {"command": "c", "trust_mode": "autoo"},
                "both": {"command": "c", "url": "http://x"},
                "old": {"type": "sse", "url": "http://x/sse"},
                "missing": {"command": "${NOT_SET}"},
                "a b": {"command": "c"}, "a_b": {"command": "c"},
                "quarantine": {"command": "c"}
            }}"#,
        )
        .unwrap();
        let refused: Vec<&str> = config.refused.iter().map(|refused| refused.name.as_str()).collect();
        assert_eq!(refused, ["a_b", "both", "missing", "old", "quarantine", "typo"]);
        assert_eq!(config.servers.len(), 2);
    }

    #[test]
    fn a_mistake_in_our_own_settings_stops_everything() {
        for text in [
            r#"{"mcpServers":{}, "quarantine": {"aprove": "web"}}"#,
            r#"{"mcpServers":{}, "quarantine": {"approve": "nobody"}}"#,
            r#"{"mcpServers":{}, "quarantine": {"servers": {"nobody": {}}}}"#,
            r#"{"mcpServers":{"a":{"command":"c"}}, "quarantine": {"servers": {"a": {"limits": {"calls": 1}}}}}"#,
        ] {
            assert!(matches!(parse(text), Err(ConfigError::Settings(..))), "{text}");
        }
        assert!(matches!(parse("{"), Err(ConfigError::NotJson(..))));
        assert!(matches!(parse("{}"), Err(ConfigError::NoServers(_))));
    }
}
