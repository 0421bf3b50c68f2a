//! What pages load from us by script: the widget, the wasm of our own pages, and the desk's settings for the widget.

/// One file, embedded.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    /// Where it is served.
    pub path: &'static str,
    /// For `content-type`. A browser compiles wasm while it loads only as `application/wasm`.
    pub content_type: &'static str,
    /// True if the path names the content, so that it may be kept for good.
    pub immutable: bool,
    /// For `etag`, with its quotes.
    pub etag: &'static str,
    /// For an `integrity` attribute.
    pub integrity: &'static str,
    /// As it is.
    pub body: &'static [u8],
    /// The same, for whoever accepts `gzip`.
    pub gzip: &'static [u8],
}

// `ASSETS`: the four files, in the order of the constants below.
include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// The one-line script.
pub const WIDGET_SCRIPT: Asset = ASSETS[0];
/// Its wasm: a page that preloads it registers its tools sooner.
pub const WIDGET_WASM: Asset = ASSETS[1];
/// The glue of our own pages' wasm.
pub const PAGE_SCRIPT: Asset = ASSETS[2];
/// Their wasm.
pub const PAGE_WASM: Asset = ASSETS[3];

/// The desk's `window.QuarantineConfig`. `__TOOLS__` stands for the JSON of the tool catalogue.
pub const DESK_CONFIG: &str = include_str!("../../widget/desk.js");

/// Every file.
pub const FILES: [Asset; 4] = ASSETS;

#[cfg(test)]
mod tests {
    use super::*;

    /// `/quarantine.js` with its wasm, compressed.
    const BUDGET: usize = 40 * 1024;

    #[test]
    fn the_widget_stays_within_its_budget() {
        let size = WIDGET_SCRIPT.gzip.len() + WIDGET_WASM.gzip.len();
        assert!(size <= BUDGET, "{size} bytes of {BUDGET}");
    }

    #[test]
    fn a_file_that_is_kept_for_good_is_named_by_its_content() {
        for asset in ASSETS {
            assert_eq!(asset.immutable, asset.path.ends_with(".wasm"));
            assert!(!asset.immutable || asset.path.contains(asset.etag.trim_matches('"')));
        }
    }

    #[test]
    fn the_script_names_the_wasm_it_was_built_with() {
        let script = std::str::from_utf8(WIDGET_SCRIPT.body).unwrap();
        assert!(script.contains(WIDGET_WASM.path.trim_start_matches('/')));
        assert!(script.contains(WIDGET_WASM.integrity));
    }

    #[test]
    fn nothing_shipped_names_a_folder_of_the_building_machine() {
        let home = std::env::home_dir().unwrap();
        let home = home.to_str().unwrap().as_bytes();
        for asset in ASSETS {
            assert!(!asset.body.windows(home.len()).any(|part| part == home), "{}", asset.path);
        }
    }
}
