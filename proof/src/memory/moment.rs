//! Moments as the contract writes them.

use desk::Millis;

/// RFC 3339 in UTC, to the second.
pub(super) fn rfc3339(moment: Millis) -> String {
    let seconds = moment.0.div_euclid(1_000);
    let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Civil date from days since 1970-01-01, after Howard Hinnant's `civil_from_days`.
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_shifted + 2) / 5 + 1;
    let month = if month_shifted < 10 { month_shifted + 3 } else { month_shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (hour, minute, second) = (rest / 3_600, rest % 3_600 / 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_as_the_contract_says() {
        assert_eq!(rfc3339(Millis(0)), "1970-01-01T00:00:00Z");
        assert_eq!(rfc3339(Millis(951_827_696_000)), "2000-02-29T12:34:56Z");
        assert_eq!(rfc3339(Millis(1_796_053_376_999)), "2026-11-30T15:42:56Z");
        assert_eq!(rfc3339(Millis(-1_000)), "1969-12-31T23:59:59Z");
    }
}
