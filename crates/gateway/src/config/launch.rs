//! How a server is reached, and the hash that pins it: another command is another server.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::pin::json::quoted;

/// How a server is reached.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Transport {
    Stdio(Launch),
    Http(Remote),
}

/// A program that speaks on its standard input and output.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Launch {
    pub(crate) command: String,
    pub(crate) args: Vec<String>,
    pub(crate) env: BTreeMap<String, String>,
    pub(crate) cwd: Option<PathBuf>,
}

/// An address.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Remote {
    pub(crate) url: String,
    pub(crate) headers: BTreeMap<String, String>,
}

/// Words in the name of a variable whose value is a secret that may be renewed; such a value is not pinned.
const SECRET: [&str; 7] = ["KEY", "TOKEN", "SECRET", "PASS", "CREDENTIAL", "AUTH", "COOKIE"];

fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    SECRET.iter().any(|word| name.contains(word))
}

fn pairs(map: &BTreeMap<String, String>) -> String {
    let pairs: Vec<String> = map
        .iter()
        .map(|(name, value)| {
            let value = if is_secret(name) { "null".to_owned() } else { quoted(value) };
            format!("{}:{value}", quoted(name))
        })
        .collect();
    format!("{{{}}}", pairs.join(","))
}

impl Transport {
    /// Everything that says what is started or reached; secrets by name only.
    fn text(&self) -> String {
        match self {
            Transport::Stdio(launch) => {
                let args: Vec<String> = launch.args.iter().map(|arg| quoted(arg)).collect();
                let cwd = launch
                    .cwd
                    .as_ref()
                    .map_or_else(|| "null".to_owned(), |cwd| quoted(&cwd.to_string_lossy()));
                format!(
                    "{{\"command\":{},\"args\":[{}],\"env\":{},\"cwd\":{cwd}}}",
                    quoted(&launch.command),
                    args.join(","),
                    pairs(&launch.env),
                )
            }
            Transport::Http(remote) => {
                format!("{{\"url\":{},\"headers\":{}}}", quoted(&remote.url), pairs(&remote.headers))
            }
        }
    }

    /// The hash that a person's decision about the server is bound to.
    pub(crate) fn hash(&self) -> String {
        format!("sha256:{}", web::token::hash("gateway launch", &self.text()))
    }

    /// One line for a person: what is started or reached, without values of variables and headers.
    pub(crate) fn line(&self) -> String {
        match self {
            Transport::Stdio(launch) => {
                let mut words = vec![launch.command.clone()];
                words.extend(launch.args.iter().cloned());
                detect::visible(&words.join(" "))
            }
            Transport::Http(remote) => detect::visible(&remote.url),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launch(arg: &str, name: &str, value: &str) -> String {
        Transport::Stdio(Launch {
            command: "npx".into(),
            args: vec![arg.into()],
            env: BTreeMap::from([(name.into(), value.into())]),
            cwd: None,
        })
        .hash()
    }

    #[test]
    fn another_command_is_another_server_and_a_renewed_secret_is_not() {
        let base = launch("server", "NODE_OPTIONS", "");
        assert_ne!(base, launch("server@2", "NODE_OPTIONS", ""));
        assert_ne!(base, launch("server", "NODE_OPTIONS", "--require /tmp/x"));
        assert_eq!(launch("server", "API_KEY", "a"), launch("server", "API_KEY", "b"));
        assert_ne!(launch("server", "API_KEY", "a"), launch("server", "OTHER_KEY", "a"));
    }
}
