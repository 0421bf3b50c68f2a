//! Times: relative to be read, exact to be checked.

use desk::Millis;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use time::macros::format_description;

/// A moment, as a page shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// RFC 3339, for `<time datetime>`.
    pub iso: String,
    /// `6 days ago`, `in 42 min`.
    pub relative: String,
    /// `24 Nov 2026, 15:42:56 UTC`.
    pub exact: String,
}

impl Moment {
    /// A moment seen from another.
    pub fn new(at: Millis, now: Millis) -> Moment {
        let when =
            OffsetDateTime::from_unix_timestamp(at.0.div_euclid(1_000)).unwrap_or(OffsetDateTime::UNIX_EPOCH);
        let exact = when.format(format_description!(
            "[day padding:none] [month repr:short] [year], [hour]:[minute]:[second] UTC"
        ));
        Moment {
            iso: when.format(&Rfc3339).unwrap_or_default(),
            relative: relative(at, now),
            exact: exact.unwrap_or_default(),
        }
    }

    /// A moment written in RFC 3339; none if it isn't.
    pub fn parse(text: &str, now: Millis) -> Option<Moment> {
        let when = OffsetDateTime::parse(text, &Rfc3339).ok()?;
        let millis = i64::try_from(when.unix_timestamp_nanos() / 1_000_000).ok()?;
        Some(Moment::new(Millis(millis), now))
    }
}

fn relative(at: Millis, now: Millis) -> String {
    let (seconds, ahead) = match at.0 > now.0 {
        true => (at.seconds_since(now), true),
        false => (now.seconds_since(at), false),
    };
    let span = match seconds {
        0..45 => return String::from(if ahead { "in a moment" } else { "just now" }),
        45..3_600 => format!("{} min", seconds.div_ceil(60).min(59)),
        3_600..86_400 => format!("{} h", seconds / 3_600),
        86_400..172_800 => String::from("1 day"),
        _ => format!("{} days", seconds / 86_400),
    };
    if ahead { format!("in {span}") } else { format!("{span} ago") }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Millis = Millis(1_796_053_376_000);

    #[test]
    fn near_times_are_told_from_now() {
        let ago = |seconds| Moment::new(NOW.minus_seconds(seconds), NOW).relative;
        assert_eq!(ago(5), "just now");
        assert_eq!(ago(60), "1 min ago");
        assert_eq!(ago(3_599), "59 min ago");
        assert_eq!(ago(7_300), "2 h ago");
        assert_eq!(ago(86_400), "1 day ago");
        assert_eq!(ago(91 * 86_400), "91 days ago");
        assert_eq!(Moment::new(NOW.plus_seconds(2_520), NOW).relative, "in 42 min");
        assert_eq!(Moment::new(NOW.plus_seconds(3_600), NOW).relative, "in 1 h");
    }

    #[test]
    fn the_exact_time_is_there_too() {
        let moment = Moment::new(Millis(1_780_000_000_123), NOW);
        assert_eq!(moment.iso, "2026-05-28T20:26:40Z");
        assert_eq!(moment.exact, "28 May 2026, 20:26:40 UTC");
        assert_eq!(Moment::parse("2026-05-28T20:26:40Z", NOW).unwrap().exact, moment.exact);
        assert_eq!(Moment::parse("yesterday", NOW), None);
    }
}
