//! The style sheet, the script that keeps a page current, and the icon: part of the program. Their addresses carry a hash of their bytes, so that a browser
//! may keep them for good.

use std::sync::LazyLock;

use axum::Router;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use sha2::{Digest as _, Sha256};

const CSS: &str = include_str!("../../../static/desk.css");
const SCRIPT: &str = include_str!("../../../static/live.js");
const ICON: &str = include_str!("../../../static/icon.svg");

static CSS_ADDRESS: LazyLock<String> = LazyLock::new(|| address("/desk.css", CSS));
static SCRIPT_ADDRESS: LazyLock<String> = LazyLock::new(|| address("/live.js", SCRIPT));
static ICON_ADDRESS: LazyLock<String> = LazyLock::new(|| address("/icon.svg", ICON));

/// Where the style sheet is.
pub fn css_address() -> &'static str {
    &CSS_ADDRESS
}

/// Where the script is.
pub fn script_address() -> &'static str {
    &SCRIPT_ADDRESS
}

/// Where the icon is.
pub fn icon_address() -> &'static str {
    &ICON_ADDRESS
}

fn address(path: &str, bytes: &str) -> String {
    let hash = Sha256::digest(bytes.as_bytes());
    let hash: String = hash.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    format!("{path}?v={hash}")
}

/// Serves them.
pub fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
        .route("/desk.css", get(|| async { kept("text/css; charset=utf-8", CSS) }))
        .route("/live.js", get(|| async { kept("text/javascript; charset=utf-8", SCRIPT) }))
        .route("/icon.svg", get(|| async { kept("image/svg+xml", ICON) }))
}

fn kept(kind: &'static str, body: &'static str) -> Response {
    ([(CONTENT_TYPE, kind), (CACHE_CONTROL, "public, max-age=31536000, immutable")], body).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_sheet_has_another_address() {
        assert_ne!(address("/desk.css", "a"), address("/desk.css", "b"));
        assert!(css_address().starts_with("/desk.css?v="));
    }

    #[test]
    fn nothing_is_loaded_from_elsewhere() {
        for text in [CSS, SCRIPT, ICON] {
            let text = text.replace("http://www.w3.org/2000/svg", "");
            assert!(!text.contains("http:") && !text.contains("https:") && !text.contains("@import"));
        }
        assert!(!CSS.contains("url("));
    }

    /// The colours of one theme, by name.
    fn colours(block: &str) -> std::collections::BTreeMap<&str, [f64; 3]> {
        block
            .lines()
            .filter_map(|line| {
                let (name, value) = line.trim().strip_prefix("--")?.split_once(": #")?;
                let number = u32::from_str_radix(value.trim_end_matches(';'), 16).ok()?;
                let part = |shift: u32| {
                    let value = f64::from(number >> shift & 0xff) / 255.0;
                    if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
                };
                Some((name, [part(16), part(8), part(0)]))
            })
            .collect()
    }

    fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
        let light = |[r, g, b]: [f64; 3]| 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
        let (a, b) = (light(a), light(b));
        a.max(b) / a.min(b)
    }

    #[test]
    fn every_pair_of_colours_can_be_read() {
        let (light, rest) = CSS.split_once("prefers-color-scheme: dark").unwrap();
        let (dark, _) = rest.split_once("/* Ground */").unwrap();
        for theme in [colours(light), colours(dark)] {
            assert!(theme.len() >= 12);
            let check = |front: &str, back: &str, least: f64| {
                let found = contrast(theme[front], theme[back]);
                assert!(found >= least, "{front} on {back}: {found:.2}");
            };
            for back in ["ground", "sheet", "raised", "accent-soft"] {
                check("ink", back, 4.5);
                check("muted", back, 4.5);
                check("accent", back, 4.5);
                check("edge", back, 3.0);
            }
            for back in ["ground", "sheet", "raised", "warn-soft"] {
                check("warn", back, 4.5);
            }
            check("accent-ink", "accent", 4.5);
            check("sheet", "ink", 4.5);
        }
    }
}
