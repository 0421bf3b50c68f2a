//! Days of the calendar, with a range.

/// A range of days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DateRange {
    first: i64,
    last: i64,
}

impl Default for DateRange {
    /// 1970 to 2099.
    fn default() -> Self {
        Self { first: 0, last: days(2099, 12, 31) }
    }
}

impl DateRange {
    /// From the first day to the last, both inside, each as `YYYY-MM-DD`.
    #[must_use]
    pub fn new(first: &str, last: &str) -> Option<Self> {
        let (first, last) = (read(first)?, read(last)?);
        (first < last).then_some(Self { first, last })
    }

    /// Reads `YYYY-MM-DD`, a day that exists and lies in the range; nothing else.
    #[must_use]
    pub fn read(&self, text: &str) -> Option<String> {
        let day = read(text)?;
        // Ten characters, digits and dashes only: nothing but the day is in it.
        (self.first..=self.last).contains(&day).then(|| text.to_owned())
    }

    /// How many days there are.
    #[must_use]
    pub fn values(&self) -> u128 {
        u128::from(self.last.abs_diff(self.first)) + 1
    }
}

fn read(text: &str) -> Option<i64> {
    let mut parts = text.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let number = |part: &str, width: usize| {
        (part.len() == width && part.bytes().all(|byte| byte.is_ascii_digit()))
            .then(|| part.parse::<i64>().ok())
            .flatten()
    };
    let (year, month, day) = (number(year, 4)?, number(month, 2)?, number(day, 2)?);
    if parts.next().is_some() || !(1..=12).contains(&month) {
        return None;
    }
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    (1..=length).contains(&day).then(|| days(year, month, day))
}

/// Days since 1970-01-01.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // March is the first month, so that the leap day is a year's last.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * month + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::{DateRange, read};

    #[test]
    fn days_are_counted_from_1970() {
        assert_eq!(read("1970-01-01"), Some(0));
        assert_eq!(read("2000-03-01"), Some(11_017));
        assert_eq!(read("2026-11-30"), Some(20_787));
        assert_eq!(DateRange::new("2026-01-01", "2026-12-31").unwrap().values(), 365);
    }

    #[test]
    fn only_a_day_that_exists_in_the_range_is_read() {
        let range = DateRange::new("2020-01-01", "2030-12-31").unwrap();
        assert_eq!(range.read("2024-02-29").as_deref(), Some("2024-02-29"));
        for wrong in [
            "2023-02-29",
            "2024-13-01",
            "2024-00-10",
            "2019-12-31",
            "2031-01-01",
            "2024-1-1",
            "24-01-01",
            "2024-01-01T00:00",
            "2024-01-01 ",
            "+024-01-01",
            "2024/01/01",
            "",
        ] {
            assert_eq!(range.read(wrong), None, "{wrong}");
        }
    }
}
