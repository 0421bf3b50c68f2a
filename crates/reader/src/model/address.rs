//! Where a model is: on this machine in the clear, anywhere else over TLS only.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use crate::schema::{Refused, refused};

/// A model's address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// On this machine: plain HTTP, no name is looked up, no proxy is asked.
    Near {
        /// Where to connect, in this order.
        to: Vec<SocketAddr>,
        /// The Host header.
        host: String,
        /// The path, with its query.
        path: String,
    },
    /// Elsewhere: an `https:` address.
    Far(String),
}

impl Address {
    /// Reads an address.
    ///
    /// # Errors
    /// It is no `https:` address and no `http:` address of this machine, or it holds credentials.
    pub fn read(url: &str) -> Result<Self, Refused> {
        if url.is_empty() || url.chars().any(|c| c.is_control() || c.is_whitespace() || !c.is_ascii()) {
            return refused("api_url is an address without spaces");
        }
        let (scheme, rest) = url.split_once("://").unwrap_or(("", ""));
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, path) = (rest.get(..end).unwrap_or(""), rest.get(end..).unwrap_or(""));
        if authority.is_empty() || path.contains('#') {
            return refused("api_url is a whole address such as https://models.example/v1/chat/completions");
        }
        if authority.contains('@') {
            return refused("api_url holds no name and password; the key comes from api_key_name");
        }
        let path = if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
        match scheme {
            "https" if cfg!(feature = "https") => Ok(Self::Far(url.to_owned())),
            "https" => refused("this build speaks to models on this machine only"),
            "http" => {
                let (name, port) = match authority.rsplit_once(':') {
                    Some((name, port)) if !port.ends_with(']') => (name, port.parse::<u16>().ok()),
                    _ => (authority, Some(80)),
                };
                let Some(port) = port else { return refused("api_url has a port that is no port") };
                let hosts: Vec<IpAddr> = match name {
                    "localhost" => vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()],
                    _ => match name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>() {
                        Ok(ip) if ip.is_loopback() => vec![ip],
                        _ => return refused("a model that is not on this machine is asked over https only"),
                    },
                };
                let to = hosts.into_iter().map(|host| SocketAddr::new(host, port)).collect();
                Ok(Self::Near { to, host: authority.to_owned(), path })
            }
            _ => refused("api_url begins with https:// (or http:// for a model on this machine)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Address;

    #[test]
    fn a_model_on_this_machine_is_asked_in_the_clear_and_no_other() {
        for near in ["http://127.0.0.1:8000/v1/chat/completions", "http://localhost/x", "http://[::1]:9/"] {
            assert!(matches!(Address::read(near), Ok(Address::Near { .. })), "{near}");
        }
        for wrong in [
            "http://models.example/v1",
            "http://10.0.0.1/",
            "http://user:pw@127.0.0.1/",
            "ftp://127.0.0.1/",
            "127.0.0.1:80",
            "http://127.0.0.1:99999/",
            "http://127.0.0.1/a b",
            "http://127.0.0.1/\r\nX: y",
            "",
            "http://localhost.evil.example/",
        ] {
            assert!(Address::read(wrong).is_err(), "{wrong}");
        }
    }
}
