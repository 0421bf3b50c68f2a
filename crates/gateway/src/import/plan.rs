//! What an import would do: which servers move, and what both files would say afterwards.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::hosts::Shape;
use super::jsonc::plain;
use crate::pin::json::{members, replaced};

/// The name of the one entry that takes their place.
const OURS: &str = "quarantine";

/// What is about to be written.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The host's file.
    pub(crate) path: PathBuf,
    pub(crate) before: String,
    pub(crate) after: String,
    /// The gateway's configuration.
    pub(crate) config_after: String,
    /// Servers that move: the name there, and the name in the gateway's configuration.
    pub(crate) moved: Vec<(String, String)>,
    /// What a person should know.
    pub(crate) notes: Vec<String>,
}

/// Plans the import of a host's file.
///
/// # Errors
/// A sentence: the file can't be read or has no servers to move.
pub(crate) fn plan(path: &Path, shape: Shape, config: &Path) -> Result<Plan, String> {
    // What a link leads to is written, not the link.
    let path =
        std::fs::canonicalize(path).map_err(|error| format!("{} can't be read: {error}.", path.display()))?;
    let before = std::fs::read_to_string(&path)
        .map_err(|error| format!("{} can't be read: {error}.", path.display()))?;
    let entries =
        entries(&before, shape).ok_or_else(|| format!("{} can't be understood.", path.display()))?;
    let theirs: Vec<(String, Value)> = entries.into_iter().filter(|(_, entry)| !is_ours(entry)).collect();
    if theirs.is_empty() {
        return Err(format!("{} has no servers to move.", path.display()));
    }
    let (config_after, moved, notes) = merged(config, &theirs)?;
    let program = std::env::current_exe()
        .map_err(|error| format!("This program's own place is not known: {error}."))?;
    let config = std::path::absolute(config).map_err(|error| error.to_string())?;
    let words =
        vec![program.display().to_string(), "run".into(), "--config".into(), config.display().to_string()];
    let after = rewritten(&before, shape, &words)
        .ok_or_else(|| format!("{} can't be rewritten safely.", path.display()))?;
    Ok(Plan { path, before, after, config_after, moved, notes })
}

fn is_ours(entry: &Value) -> bool {
    let word = match entry.get("command") {
        Some(Value::String(word)) => Some(word.as_str()),
        Some(Value::Array(words)) => words.first().and_then(Value::as_str),
        _ => None,
    };
    word.is_some_and(|word| Path::new(word).file_stem().is_some_and(|stem| stem == "quarantine-gateway"))
}

fn entries(text: &str, shape: Shape) -> Option<Vec<(String, Value)>> {
    let root: Value = match shape {
        Shape::Toml => {
            let table: toml::Table = text.parse().ok()?;
            serde_json::to_value(table).ok()?
        }
        _ => serde_json::from_str(&plain(text)).ok()?,
    };
    match root.get(shape.key()) {
        None => Some(Vec::new()),
        Some(Value::Object(map)) => {
            Some(map.iter().map(|(name, entry)| (name.clone(), entry.clone())).collect())
        }
        Some(_) => None,
    }
}

type Merged = (String, Vec<(String, String)>, Vec<String>);

/// The gateway's configuration with these servers in it too.
fn merged(config: &Path, theirs: &[(String, Value)]) -> Result<Merged, String> {
    let mut root: Value = match std::fs::read_to_string(config) {
        Ok(text) => serde_json::from_str(&text).map_err(|_| format!("{} is not JSON.", config.display()))?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => json!({ "mcpServers": {} }),
        Err(error) => return Err(format!("{} can't be read: {error}.", config.display())),
    };
    let wrong = || format!("{} has no mcpServers object.", config.display());
    let servers: &mut Map<String, Value> = root
        .as_object_mut()
        .ok_or_else(wrong)?
        .entry("mcpServers")
        .or_insert_with(|| json!({}))
        .as_object_mut()
        .ok_or_else(wrong)?;
    let (mut moved, mut notes) = (Vec::new(), Vec::new());
    for (name, entry) in theirs {
        let free = |candidate: &String| servers.get(candidate).is_none_or(|there| there == entry);
        let target = std::iter::once(name.clone())
            .chain((2..100).map(|number| format!("{name}-{number}")))
            .find(free)
            .ok_or_else(|| format!("Too many servers are called {name}."))?;
        if entry.to_string().contains("${input:") {
            notes.push(format!("{name} asks for input that only its host can ask for; put the value into an environment variable."));
        }
        servers.insert(target.clone(), entry.clone());
        moved.push((name.clone(), target));
    }
    let text = serde_json::to_string_pretty(&root).map_err(|error| error.to_string())?;
    Ok((text + "\n", moved, notes))
}

/// The host's file with one entry in the place of its servers, and everything else as it was.
fn rewritten(before: &str, shape: Shape, words: &[String]) -> Option<String> {
    let (program, args) = words.split_first()?;
    let entry = match shape {
        Shape::McpServers | Shape::ContextServers => json!({ "command": program, "args": args }),
        Shape::Servers => json!({ "type": "stdio", "command": program, "args": args }),
        Shape::Mcp => json!({ "type": "local", "command": words, "enabled": true }),
        Shape::Toml => return rewritten_toml(before, program, args),
    };
    let plain = plain(before);
    let all = members(&plain)?;
    let value = all.one(shape.key())?;
    // The places in the plain text are the places in the text with its comments.
    let start = (value.as_ptr() as usize).checked_sub(plain.as_ptr() as usize)?;
    let piece = before.get(start..start.checked_add(value.len())?)?;
    let text = serde_json::to_string_pretty(&json!({ OURS: entry })).ok()?;
    let after = replaced(before, piece, &text.replace('\n', "\n  "))?;
    let check: Value = serde_json::from_str(&self::plain(&after)).ok()?;
    (check.get(shape.key())?.as_object()?.len() == 1).then_some(after)
}

fn rewritten_toml(before: &str, program: &str, args: &[String]) -> Option<String> {
    let mut out = String::new();
    let mut ours = false;
    for line in before.lines() {
        let header = line.trim_start();
        if header.starts_with('[') {
            let name = header.trim_start_matches('[').trim_start();
            ours = name
                .strip_prefix("mcp_servers")
                .is_some_and(|rest| rest.trim_start().starts_with(['.', ']']));
        }
        if !ours {
            out.push_str(line);
            out.push('\n');
        }
    }
    let mut table = toml::Table::new();
    table.insert("command".into(), toml::Value::from(program));
    table.insert("args".into(), toml::Value::from(args.to_vec()));
    out.push_str(&format!("\n[mcp_servers.{OURS}]\n{}", toml::to_string(&table).ok()?));
    let check: toml::Table = out.parse().ok()?;
    let others = |table: &toml::Table| {
        let mut table = table.clone();
        table.remove("mcp_servers");
        table
    };
    let kept = others(&check) == others(&before.parse().ok()?);
    (kept && check.get("mcp_servers")?.as_table()?.len() == 1).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words() -> Vec<String> {
        vec!["/bin/quarantine-gateway".into(), "run".into()]
    }

    #[test]
    fn everything_else_in_the_file_stays_comments_included() {
        let before = "{\n  // my servers\n  \"mcpServers\": { \"a\": { \"command\": \"x\", }, /* b */ },\n  \"theme\": \"dark\", // keep\n}\n";
        let after = rewritten(before, Shape::McpServers, &words()).unwrap();
        assert!(after.contains("// my servers") && after.contains("\"theme\": \"dark\", // keep"));
        let entries = entries(&after, Shape::McpServers).unwrap();
        assert_eq!(entries.len(), 1);
        assert!(is_ours(&entries[0].1));
    }

    #[test]
    fn tables_of_toml_are_replaced_and_the_rest_stays() {
        let before = "model = \"x\" # keep\n\n[mcp_servers.a]\ncommand = \"x\"\nargs = [\"y\"]\n\n[mcp_servers.a.env]\nK = \"v\"\n\n[other]\nz = 1\n";
        let after = rewritten(before, Shape::Toml, &words()).unwrap();
        assert!(after.contains("model = \"x\" # keep") && after.contains("[other]\nz = 1"));
        assert!(!after.contains("K = \"v\""));
        assert!(is_ours(&entries(&after, Shape::Toml).unwrap()[0].1));
        // What can't be taken apart by its lines is left alone.
        assert_eq!(rewritten("mcp_servers = { a = { command = \"x\" } }\n", Shape::Toml, &words()), None);
    }
}
