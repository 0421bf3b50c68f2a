//! Settings: a flag, else its environment variable, else `quarantine.toml`, else the default.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use policy::Strength;
use serde::Deserialize;
use web::host;

/// Where to listen unless told otherwise.
pub const LISTEN: &str = "127.0.0.1:8080";

/// What a running desk is told.
#[derive(Clone, Debug)]
pub struct Config {
    /// `sqlite` in this folder, unless `database` is set.
    pub data: PathBuf,
    /// `postgres://…`; none: SQLite in `data`.
    pub database: Option<String>,
    /// How people approve.
    pub strength: Strength,
    /// The desk's own address as browsers see it, without a slash at the end.
    pub public_url: String,
    /// The console's own address; never the desk's host.
    pub console_url: String,
    /// Addresses of proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<std::net::IpAddr>,
    /// Who sends replies to customers.
    pub replies: Replies,
    /// How many sandboxes there may be at once.
    pub sandboxes: u32,
    /// How many requests a second one address may make in the long run; five times that at once.
    pub requests_per_second: u32,
}

/// The settings of `quarantine serve`, each still open. Also the shape of `quarantine.toml`.
#[derive(Clone, Debug, Default, Deserialize, clap::Args)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Settings {
    /// Address to listen on [default: 127.0.0.1:8080] [file: listen]
    #[arg(long, env = "QUARANTINE_LISTEN", value_name = "ADDRESS")]
    pub listen: Option<SocketAddr>,
    /// Folder for the embedded database [default: ./data] [file: data]
    #[arg(long, env = "QUARANTINE_DATA", value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// PostgreSQL instead of the embedded database: postgres://… [file: database]
    #[arg(long, env = "QUARANTINE_DATABASE", value_name = "URL", hide_env_values = true)]
    pub database: Option<String>,
    /// How people approve: in_page or console [default: in_page] [file: strength]
    #[arg(long, env = "QUARANTINE_STRENGTH", value_name = "STRENGTH")]
    pub strength: Option<StrengthName>,
    /// Who sends replies: agent, or a person who reads what the agent filled in [default: agent] [file: replies]
    #[arg(long, env = "QUARANTINE_REPLIES", value_name = "WHO")]
    pub replies: Option<Replies>,
    /// The desk's address as browsers see it [default: http://localhost:PORT] [file: public-url]
    #[arg(long, env = "QUARANTINE_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<String>,
    /// The console's own address [default: http://console.localhost:PORT] [file: console-url]
    #[arg(long, env = "QUARANTINE_CONSOLE_URL", value_name = "URL")]
    pub console_url: Option<String>,
    /// A proxy whose X-Forwarded-For is believed; may be repeated [file: trusted-proxy]
    #[arg(long, env = "QUARANTINE_TRUSTED_PROXY", value_name = "IP", value_delimiter = ',')]
    pub trusted_proxy: Vec<std::net::IpAddr>,
    /// How many sandboxes there may be at once [default: 10000] [file: sandboxes]
    #[arg(long, env = "QUARANTINE_SANDBOXES", value_name = "NUMBER")]
    pub sandboxes: Option<u32>,
    /// Requests a second that one address may make [default: 300] [file: requests-per-second]
    #[arg(long, env = "QUARANTINE_REQUESTS_PER_SECOND", value_name = "NUMBER")]
    pub requests_per_second: Option<u32>,
    /// Logs as one JSON object a line [file: log-json]
    #[arg(long, env = "QUARANTINE_LOG_JSON")]
    pub log_json: bool,
    /// What is logged: a level, or a list like info,server=debug [default: info] [file: log]
    #[arg(long, env = "QUARANTINE_LOG", value_name = "FILTER")]
    pub log: Option<String>,
}

/// The strengths of approval a desk can be started with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum StrengthName {
    /// A person at the desk's page.
    #[value(name = "in_page")]
    InPage,
    /// An approver signed in on the console's own origin.
    #[value(name = "console")]
    Console,
}

/// Who sends replies to customers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Replies {
    /// An agent's call sends the message.
    Agent,
    /// An agent fills the reply form of the ticket's page; a person reads it and sends it.
    Person,
}

/// Why settings can't be used: one sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(pub String);

impl Settings {
    /// The settings in a file.
    ///
    /// # Errors
    /// The file can't be read, or has an unknown or impossible setting.
    pub fn read(path: &Path) -> Result<Settings, ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| ConfigError(format!("{} can't be read: {error}.", path.display())))?;
        toml::from_str(&text)
            .map_err(|error| ConfigError(format!("{}: {}.", path.display(), error.message())))
    }

    /// These settings, and where one is open, that of the file.
    #[must_use]
    pub fn over(self, file: Settings) -> Settings {
        Settings {
            listen: self.listen.or(file.listen),
            data: self.data.or(file.data),
            database: self.database.or(file.database),
            strength: self.strength.or(file.strength),
            replies: self.replies.or(file.replies),
            public_url: self.public_url.or(file.public_url),
            console_url: self.console_url.or(file.console_url),
            trusted_proxy: if self.trusted_proxy.is_empty() {
                file.trusted_proxy
            } else {
                self.trusted_proxy
            },
            sandboxes: self.sandboxes.or(file.sandboxes),
            requests_per_second: self.requests_per_second.or(file.requests_per_second),
            log_json: self.log_json || file.log_json,
            log: self.log.or(file.log),
        }
    }

    /// What a desk that listens on `port` is told.
    ///
    /// # Errors
    /// An address is not a web address, or the console has the desk's host.
    pub fn config(&self, port: u16) -> Result<Config, ConfigError> {
        let address = |setting: &str, given: &Option<String>, default: String| match given {
            None => Ok(default),
            Some(url) => host::origin(url)
                .ok_or_else(|| ConfigError(format!("`{setting}` must be an http or https address."))),
        };
        let public_url = address("public-url", &self.public_url, format!("http://localhost:{port}"))?;
        let console_url =
            address("console-url", &self.console_url, format!("http://console.localhost:{port}"))?;
        let name = |url: &str| host::authority(url).map(|host| without_port(&host).to_owned());
        if name(&public_url) == name(&console_url) {
            return Err(ConfigError(
                "`console-url` must have a host of its own: an agent's page must not share an origin or a cookie \
                 with the console."
                    .to_owned(),
            ));
        }
        Ok(Config {
            data: self.data.clone().unwrap_or_else(|| PathBuf::from("data")),
            database: self.database.clone(),
            strength: match self.strength {
                None | Some(StrengthName::InPage) => Strength::InPage,
                Some(StrengthName::Console) => Strength::Console,
            },
            replies: self.replies.unwrap_or(Replies::Agent),
            public_url,
            console_url,
            trusted_proxies: self.trusted_proxy.clone(),
            sandboxes: self.sandboxes.unwrap_or(10_000),
            requests_per_second: self.requests_per_second.unwrap_or(300),
        })
    }
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_beats_the_file_and_the_file_beats_the_default() {
        let file: Settings = toml::from_str("strength = \"console\"\nsandboxes = 5").unwrap();
        let flags = Settings { sandboxes: Some(7), ..Settings::default() };
        let config = flags.over(file).config(8080).unwrap();
        assert_eq!((config.strength, config.sandboxes), (Strength::Console, 7));
        assert_eq!(config.public_url, "http://localhost:8080");
        assert_eq!(config.console_url, "http://console.localhost:8080");
    }

    #[test]
    fn the_console_never_shares_the_desks_host() {
        let same = Settings {
            public_url: Some("https://desk.example".into()),
            console_url: Some("https://desk.example:8443".into()),
            ..Settings::default()
        };
        assert!(same.config(1).unwrap_err().to_string().contains("console-url"));
    }

    #[test]
    fn an_unknown_setting_is_refused() {
        assert!(toml::from_str::<Settings>("strenght = \"console\"").is_err());
    }
}
