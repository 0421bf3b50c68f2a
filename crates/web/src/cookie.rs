//! Session cookies: random tokens that a browser carries and script can't read.

use http::{HeaderMap, HeaderValue, header};

/// A cookie of ours.
#[derive(Clone, Copy, Debug)]
pub struct Cookie {
    /// Its name without a prefix.
    pub name: &'static str,
    /// True if it always has the `__Host-` prefix, also on localhost.
    pub always_host: bool,
}

impl Cookie {
    /// Its name as sent: with the `__Host-` prefix where the address is `https` or the cookie insists on it.
    pub fn full_name(&self, https: bool) -> String {
        if https || self.always_host { format!("__Host-{}", self.name) } else { self.name.to_owned() }
    }

    /// Its value in a request.
    pub fn read(&self, headers: &HeaderMap, https: bool) -> Option<String> {
        let name = self.full_name(https);
        headers
            .get_all(header::COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .find(|(key, _)| *key == name)
            .map(|(_, value)| value.to_owned())
    }

    /// The header that sets it, HttpOnly and SameSite=Strict, for a number of seconds; 0 removes it.
    pub fn set(&self, value: &str, seconds: u64, https: bool) -> Option<HeaderValue> {
        let secure = if https || self.always_host { "; Secure" } else { "" };
        HeaderValue::try_from(format!(
            "{}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age={seconds}{secure}",
            self.full_name(https)
        ))
        .ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: Cookie = Cookie { name: "quarantine", always_host: false };

    #[test]
    fn a_cookie_is_read_by_its_whole_name() {
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, HeaderValue::from_static("xquarantine=1; quarantine=2; quarantine=3"));
        assert_eq!(PAGE.read(&headers, false), Some("2".into()));
        assert_eq!(PAGE.read(&headers, true), None);
    }

    #[test]
    fn script_and_other_sites_never_get_it() {
        let set = PAGE.set("v", 60, true).unwrap();
        assert_eq!(
            set.to_str().unwrap(),
            "__Host-quarantine=v; Path=/; HttpOnly; SameSite=Strict; Max-Age=60; Secure"
        );
    }
}
