//! The first words with a host: `initialize` of the older revisions, `server/discover` of 2026-07-28.

use super::catalog::Catalog;
use super::gateway::Gateway;
use crate::pin::json::{members, quoted, text};
use crate::rpc::{self, Body, code, edit};
use crate::upstream::{Asking, Era, LATEST_LEGACY, LEGACY, MODERN};

/// What the gateway offers a host, whatever its servers offer.
const CAPABILITIES: &str = "{\"tools\":{\"listChanged\":true},\"prompts\":{\"listChanged\":true},\
     \"resources\":{\"listChanged\":true,\"subscribe\":true},\"completions\":{},\"logging\":{}}";

const INFO: &str =
    concat!("{\"name\":\"quarantine-gateway\",\"version\":\"", env!("CARGO_PKG_VERSION"), "\"}");

const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";

/// What a host says of itself in `initialize`. `None` if it says nothing of the kind.
pub(super) fn of_initialize(params: Option<&str>) -> Option<Asking> {
    let all = members(params?)?;
    let asked = all.one("protocolVersion").and_then(text)?;
    let version = if LEGACY.contains(&asked.as_str()) { asked } else { LATEST_LEGACY.to_owned() };
    Some(Asking {
        era: Era::Legacy(version),
        capabilities: all.one("capabilities").unwrap_or("{}").to_owned(),
        info: all.one("clientInfo")?.to_owned(),
    })
}

/// What a request says of its host where it carries all of it itself.
///
/// # Errors
/// The version it names, if that is none of ours.
pub(super) fn of_request(params: Option<&str>) -> Result<Option<Asking>, String> {
    let Some(all) = params.and_then(members) else { return Ok(None) };
    let Some(meta) = all.one("_meta").and_then(members) else { return Ok(None) };
    let Some(version) = meta.one(VERSION_KEY) else { return Ok(None) };
    if text(version).as_deref() != Some(MODERN) {
        return Err(version.to_owned());
    }
    let part = |name: &str, otherwise: &str| meta.one(name).unwrap_or(otherwise).to_owned();
    Ok(Some(Asking {
        era: Era::Modern,
        capabilities: part("io.modelcontextprotocol/clientCapabilities", "{}"),
        info: part("io.modelcontextprotocol/clientInfo", "{\"name\":\"unnamed\",\"version\":\"0\"}"),
    }))
}

/// The error for a version that is none of ours.
pub(super) fn unsupported(requested: &str) -> Body<String> {
    let mut supported: Vec<String> = LEGACY.iter().map(|version| quoted(version)).collect();
    supported.push(quoted(MODERN));
    Body::Error(format!(
        "{{\"code\":{},\"message\":\"Unsupported protocol version\",\"data\":{{\"supported\":[{}],\"requested\":{}}}}}",
        code::UNSUPPORTED_VERSION,
        supported.join(","),
        requested
    ))
}

impl Gateway {
    /// The answer to `initialize`.
    pub(super) fn greeting(&self, asking: &Asking) -> Body<String> {
        let Era::Legacy(version) = &asking.era else {
            return rpc::error(code::INVALID_PARAMS, "This version has no initialize.");
        };
        Body::Result(format!(
            "{{\"protocolVersion\":{},\"capabilities\":{CAPABILITIES},\"serverInfo\":{INFO},\"instructions\":{}}}",
            quoted(version),
            quoted(&self.instructions(&self.current())),
        ))
    }

    /// The answer to `server/discover`.
    pub(super) fn discovery(&self) -> Body<String> {
        let mut versions = vec![quoted(MODERN)];
        versions.extend(LEGACY.iter().rev().map(|version| quoted(version)));
        Body::Result(format!(
            "{{\"resultType\":\"complete\",\"supportedVersions\":[{}],\"capabilities\":{CAPABILITIES},\
             \"instructions\":{},\"ttlMs\":0,\"cacheScope\":\"private\",\
             \"_meta\":{{\"io.modelcontextprotocol/serverInfo\":{INFO}}}}}",
            versions.join(","),
            quoted(&self.instructions(&self.current())),
        ))
    }

    /// What models are told: our own words, then what a person approved of the servers'.
    fn instructions(&self, catalog: &Catalog) -> String {
        let mut parts = vec![String::from(
            "These tools come from several MCP servers through a gateway; each is named server__tool.",
        )];
        if !catalog.quarantined.is_empty() {
            parts.push(format!(
                "In quarantine until a person has reviewed them: {}. Their tools can't be called. The person can run \
                 `quarantine-gateway status` at a terminal or open {}.",
                catalog.quarantined.join(", "),
                self.page()
            ));
        }
        for (alias, text) in &catalog.instructions {
            parts.push(format!("## {alias}\n{text}"));
        }
        parts.join("\n\n")
    }
}

/// The result of an older server as a host of 2026-07-28 expects it.
pub(super) fn modernised(method: &str, result: String) -> String {
    let has = |name: &str| members(&result).is_some_and(|all| all.0.iter().any(|(member, _)| member == name));
    let mut missing = Vec::new();
    if !has("resultType") {
        missing.push(("resultType", "\"complete\""));
    }
    if method == "resources/read" {
        if !has("ttlMs") {
            missing.push(("ttlMs", "0"));
        }
        if !has("cacheScope") {
            missing.push(("cacheScope", "\"private\""));
        }
    }
    missing
        .into_iter()
        .fold(result, |result, (name, value)| edit::with(&result, name, value).unwrap_or(result))
}

/// Parameters of an older host as a server of 2026-07-28 expects them.
pub(super) fn with_meta(params: Option<&str>, asking: &Asking) -> String {
    let params = params.unwrap_or("{}");
    let ours = asking.meta();
    let meta = members(params).and_then(|all| all.one("_meta"));
    let merged = match (meta, ours.strip_prefix('{')) {
        (Some(meta), Some(ours)) => match meta.trim_end().strip_suffix('}') {
            Some(head) if head.trim() != "{" => edit::set(params, "_meta", &format!("{head},{ours}")),
            _ => edit::set(params, "_meta", &format!("{{{ours}")),
        },
        _ => edit::with(params, "_meta", &ours),
    };
    merged.unwrap_or_else(|| format!("{{\"_meta\":{ours}}}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_older_hosts_parameters_say_all_of_it_for_a_newer_server() {
        let asking = Asking::nobody();
        let merged = with_meta(Some(r#"{"name":"x","_meta":{"progressToken":1}}"#), &asking);
        let value: serde_json::Value = serde_json::from_str(&merged).unwrap();
        assert_eq!(value["_meta"]["progressToken"], 1);
        assert_eq!(value["_meta"][VERSION_KEY], MODERN);
        let alone: serde_json::Value = serde_json::from_str(&with_meta(None, &asking)).unwrap();
        assert_eq!(alone["_meta"][VERSION_KEY], MODERN);
    }

    #[test]
    fn a_version_of_nobodys_is_told_which_there_are() {
        let params = r#"{"_meta":{"io.modelcontextprotocol/protocolVersion":"1900-01-01"}}"#;
        let Err(version) = of_request(Some(params)) else { panic!("refused") };
        let Body::Error(error) = unsupported(&version) else { panic!("an error") };
        assert!(error.contains("-32022") && error.contains("1900-01-01"));
    }
}
