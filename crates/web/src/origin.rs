//! Where a browser's request comes from.

use http::{HeaderMap, StatusCode, header};

use crate::ApiError;

/// True if a browser says that the request comes from one of our own pages: its `Origin` is ours, or, where it sends
/// none, `Sec-Fetch-Site` is `same-origin`. A request that says neither does not come from a page.
pub fn is_own(headers: &HeaderMap, own: &str) -> bool {
    match headers.get(header::ORIGIN) {
        Some(origin) => origin.as_bytes() == own.as_bytes(),
        None => headers.get("sec-fetch-site").is_some_and(|site| site.as_bytes() == b"same-origin"),
    }
}

/// Passes what [`is_own`] accepts.
///
/// # Errors
/// `CROSS_ORIGIN`, 403.
pub fn require_own(headers: &HeaderMap, own: &str) -> Result<(), ApiError> {
    if is_own(headers, own) {
        Ok(())
    } else {
        Err(ApiError::new(
            StatusCode::FORBIDDEN,
            "CROSS_ORIGIN",
            "This request must come from the desk's own page.",
        ))
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn only_our_own_pages_pass() {
        let own = "http://localhost:8080";
        let with = |name: &'static str, value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(name, HeaderValue::from_static(value));
            is_own(&headers, own)
        };
        assert!(with("origin", "http://localhost:8080"));
        assert!(!with("origin", "http://localhost:8081"));
        assert!(!with("origin", "null"));
        assert!(!with("origin", "http://console.localhost:8080"));
        assert!(with("sec-fetch-site", "same-origin"));
        assert!(!with("sec-fetch-site", "same-site"));
        assert!(!with("sec-fetch-site", "none"));
        assert!(!is_own(&HeaderMap::new(), own));
    }
}
