//! What time it is. A trait, so that tests move it.

use std::fmt::Debug;

use desk::Millis;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// Tells the time.
pub trait Clock: Debug + Send + Sync + 'static {
    /// Now.
    fn now(&self) -> Millis;
}

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Millis {
        let nanos = OffsetDateTime::now_utc().unix_timestamp_nanos();
        Millis(i64::try_from(nanos / 1_000_000).unwrap_or(i64::MAX))
    }
}

/// A moment as RFC 3339 in UTC, to the second: `2026-11-30T15:42:56Z`.
pub fn rfc3339(at: Millis) -> String {
    OffsetDateTime::from_unix_timestamp(at.0.div_euclid(1_000))
        .ok()
        .and_then(|moment| moment.format(&Rfc3339).ok())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_written_to_the_second() {
        assert_eq!(rfc3339(Millis(1_796_053_376_999)), "2026-11-30T15:42:56Z");
    }
}
