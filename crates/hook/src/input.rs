//! Reading stdin.

use std::io::Read;

/// Larger events are not read to their end.
pub const LIMIT: usize = 64 << 20;

/// What stood on stdin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// All of it. Bytes that are not UTF-8 became U+FFFD.
    Whole(String),
    /// More than we read.
    TooMuch,
    /// It could not be read.
    Broken,
}

impl Input {
    /// Reads to the end, or to the limit in bytes.
    pub fn read(from: impl Read, limit: usize) -> Self {
        let mut bytes = Vec::new();
        let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
        match from.take(most).read_to_end(&mut bytes) {
            Err(_) => Self::Broken,
            Ok(read) if read > limit => Self::TooMuch,
            Ok(_) => Self::Whole(match String::from_utf8(bytes) {
                Ok(text) => text,
                Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
            }),
        }
    }
}
