//! Which host a request is for. A name that is not ours is refused, so that a rebound DNS name reaches nothing.

use http::HeaderMap;
use http::header;

/// The `host[:port]` of an `http` or `https` address, lower case, without a default port.
pub fn authority(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let default = match scheme {
        "http" => ":80",
        "https" => ":443",
        _ => return None,
    };
    let authority = rest.split(['/', '?', '#']).next()?.to_ascii_lowercase();
    if authority.is_empty() || authority.contains('@') {
        return None;
    }
    Some(authority.strip_suffix(default).unwrap_or(&authority).to_owned())
}

/// The origin of an address: scheme and authority.
pub fn origin(url: &str) -> Option<String> {
    let (scheme, _) = url.split_once("://")?;
    Some(format!("{}://{}", scheme.to_ascii_lowercase(), authority(url)?))
}

/// The host a request names, lower case, without a default port; empty if it names none.
pub fn requested(headers: &HeaderMap) -> String {
    let host = headers.get(header::HOST).and_then(|value| value.to_str().ok()).unwrap_or("");
    let host = host.to_ascii_lowercase();
    host.strip_suffix(":80").or_else(|| host.strip_suffix(":443")).unwrap_or(&host).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_gives_its_host_and_origin() {
        assert_eq!(authority("http://localhost:8080/x"), Some("localhost:8080".into()));
        assert_eq!(authority("https://Desk.Example:443/"), Some("desk.example".into()));
        assert_eq!(origin("https://Desk.Example/a?b"), Some("https://desk.example".into()));
        assert_eq!(authority("ftp://x"), None);
        assert_eq!(authority("http://user@x"), None);
        assert_eq!(authority("localhost:8080"), None);
    }
}
