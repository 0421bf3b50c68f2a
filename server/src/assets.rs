//! Stub.
/// One file.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    pub path: &'static str,
    pub content_type: &'static str,
    pub immutable: bool,
    pub etag: &'static str,
    pub integrity: &'static str,
    pub body: &'static [u8],
    pub gzip: &'static [u8],
}
pub static ASSETS: [Asset; 0] = [];
pub const DESK_CONFIG: &str = "__TOOLS__";
