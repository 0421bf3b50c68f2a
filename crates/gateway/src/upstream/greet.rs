//! The first words with a server: `initialize` of the older revisions, `server/discover` of 2026-07-28.

use std::time::Duration;

use super::connection::{CallError, Connection, Wire};
use crate::pin::json::{members, quoted, text};
use crate::rpc::{Body, edit};

/// The revision without a handshake.
pub(crate) const MODERN: &str = "2026-07-28";

/// The revisions with one, oldest first.
pub(crate) const LEGACY: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// The newest of them.
pub(crate) const LATEST_LEGACY: &str = "2025-11-25";

/// Which kind of conversation it is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Era {
    /// With a handshake, at this revision.
    Legacy(String),
    /// Every request says all of it.
    Modern,
}

/// On whose behalf the gateway speaks.
#[derive(Clone, Debug)]
pub(crate) struct Asking {
    /// What the host speaks.
    pub(crate) era: Era,
    /// Its capabilities, as it wrote them.
    pub(crate) capabilities: String,
    /// Its name and version, as it wrote them.
    pub(crate) info: String,
}

impl Asking {
    /// The gateway by itself, which offers a server nothing.
    pub(crate) fn nobody() -> Asking {
        Asking {
            era: Era::Legacy(LATEST_LEGACY.to_owned()),
            capabilities: "{}".to_owned(),
            info: concat!(
                "{\"name\":\"quarantine-gateway\",\"version\":\"",
                env!("CARGO_PKG_VERSION"),
                "\"}"
            )
            .to_owned(),
        }
    }

    /// The gateway on behalf of several hosts: servers may ask for what the settings name.
    pub(crate) fn through(forward: &[String]) -> Asking {
        let known = |name: &&String| matches!(name.as_str(), "roots" | "sampling" | "elicitation");
        let names: Vec<String> =
            forward.iter().filter(known).map(|name| format!("\"{name}\":{{}}")).collect();
        Asking { capabilities: format!("{{{}}}", names.join(",")), ..Asking::nobody() }
    }

    /// The same host, offering nothing: how a server in quarantine is asked what it has.
    pub(crate) fn offering_nothing(&self) -> Asking {
        Asking { capabilities: "{}".to_owned(), ..self.clone() }
    }

    /// The `_meta` that a request of 2026-07-28 carries.
    pub(crate) fn meta(&self) -> String {
        format!(
            "{{\"io.modelcontextprotocol/protocolVersion\":\"{MODERN}\",\
             \"io.modelcontextprotocol/clientInfo\":{},\"io.modelcontextprotocol/clientCapabilities\":{}}}",
            self.info, self.capabilities
        )
    }
}

/// What a server said of itself.
#[derive(Clone, Debug)]
pub(crate) struct Hello {
    pub(crate) era: Era,
    /// Its capabilities, as it wrote them.
    pub(crate) capabilities: String,
    pub(crate) instructions: Option<String>,
}

impl Hello {
    /// Whether it has a capability of this name.
    pub(crate) fn can(&self, capability: &str) -> bool {
        members(&self.capabilities)
            .is_some_and(|all| all.0.iter().any(|(name, value)| name == capability && value.get() != "null"))
    }

    /// The parameters of a request of the gateway's own: with `_meta` where the era wants it.
    pub(crate) fn params(&self, asking: &Asking, fields: &[(&str, String)]) -> Option<String> {
        let mut fields: Vec<String> =
            fields.iter().map(|(name, value)| format!("{}:{value}", quoted(name))).collect();
        if self.era == Era::Modern {
            fields.push(format!("\"_meta\":{}", asking.meta()));
        }
        (!fields.is_empty()).then(|| format!("{{{}}}", fields.join(",")))
    }
}

/// Says hello in the era the host speaks, else in the other one.
///
/// # Errors
/// A sentence: it does not answer, or speaks no revision of ours.
pub(super) async fn greet(
    connection: &Connection,
    asking: &Asking,
    patience: Duration,
) -> Result<Hello, &'static str> {
    let first = match &asking.era {
        Era::Legacy(_) => initialize(connection, asking, patience).await,
        Era::Modern => discover(connection, asking, patience / 2).await,
    };
    match first {
        Ok(Some(hello)) => return Ok(hello),
        Ok(None) => {}
        // An older server may not answer at all to what it does not know.
        Err(CallError::TimedOut) if asking.era == Era::Modern => {}
        Err(CallError::TimedOut) => return Err("it does not answer"),
        Err(_) => return Err("it stopped while it was starting"),
    }
    let second = match &asking.era {
        Era::Legacy(_) => discover(connection, asking, patience).await,
        Era::Modern => initialize(connection, asking, patience).await,
    };
    match second {
        Ok(Some(hello)) => Ok(hello),
        Ok(None) => Err("it speaks no version of the protocol that we do"),
        Err(CallError::TimedOut) => Err("it does not answer"),
        Err(_) => Err("it stopped while it was starting"),
    }
}

async fn initialize(
    connection: &Connection,
    asking: &Asking,
    patience: Duration,
) -> Result<Option<Hello>, CallError> {
    let version = match &asking.era {
        Era::Legacy(version) => version.as_str(),
        Era::Modern => LATEST_LEGACY,
    };
    let params = format!(
        "{{\"protocolVersion\":{},\"capabilities\":{},\"clientInfo\":{}}}",
        quoted(version),
        asking.capabilities,
        asking.info
    );
    if let Wire::Http(http) = connection.wire() {
        http.speak(version);
    }
    let Body::Result(result) = connection.ask("initialize", Some(&params), patience).await? else {
        return Ok(None);
    };
    let Some(version) = edit::string(&result, "protocolVersion") else { return Ok(None) };
    if !LEGACY.contains(&version.as_str()) {
        return Ok(None);
    }
    if let Wire::Http(http) = connection.wire() {
        http.speak(&version);
    }
    connection.tell("notifications/initialized", None).await;
    if let Wire::Http(http) = connection.wire() {
        http.listen(connection);
    }
    Ok(Some(hello(&result, Era::Legacy(version))))
}

async fn discover(
    connection: &Connection,
    asking: &Asking,
    patience: Duration,
) -> Result<Option<Hello>, CallError> {
    if let Wire::Http(http) = connection.wire() {
        http.speak(MODERN);
    }
    let params = format!("{{\"_meta\":{}}}", asking.meta());
    let Body::Result(result) = connection.ask("server/discover", Some(&params), patience).await? else {
        return Ok(None);
    };
    let speaks: Vec<String> = members(&result)
        .and_then(|all| serde_json::from_str(all.one("supportedVersions")?).ok())
        .unwrap_or_default();
    if !speaks.iter().any(|version| version == MODERN) {
        return Ok(None);
    }
    Ok(Some(hello(&result, Era::Modern)))
}

fn hello(result: &str, era: Era) -> Hello {
    let all = members(result);
    let part = |name: &str| all.as_ref().and_then(|all| all.one(name));
    Hello {
        era,
        capabilities: part("capabilities").unwrap_or("{}").to_owned(),
        instructions: part("instructions").and_then(text).filter(|text| !text.is_empty()),
    }
}
