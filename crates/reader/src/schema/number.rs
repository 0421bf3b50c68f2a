//! Numbers with a range, as whole steps of a power of ten.

/// More decimals than any amount has.
const MOST_DECIMALS: u32 = 6;

/// A range of decimal numbers. Values are whole multiples of the smallest step, so what crosses is one of a known
/// number of values, written by us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NumberRange {
    least: i64,
    most: i64,
    decimals: u32,
}

impl NumberRange {
    /// From least to most, both inside, with that many decimals (at most 6).
    #[must_use]
    pub fn new(least: &str, most: &str, decimals: u32) -> Option<Self> {
        if decimals > MOST_DECIMALS {
            return None;
        }
        let (least, most) = (steps(least, decimals)?, steps(most, decimals)?);
        (least < most).then_some(Self { least, most, decimals })
    }

    /// Reads a JSON number: digits, a minus, a point; no exponent, no more decimals than the range has.
    #[must_use]
    pub fn read(&self, number: &str) -> Option<String> {
        let value = steps(number, self.decimals)?;
        (self.least..=self.most).contains(&value).then(|| self.write(value))
    }

    /// How many values there are.
    #[must_use]
    pub fn values(&self) -> u128 {
        u128::from(self.most.abs_diff(self.least)) + 1
    }

    /// Least and most, as they are written.
    #[must_use]
    pub fn ends(&self) -> (String, String) {
        (self.write(self.least), self.write(self.most))
    }

    /// How many decimals a value has at most.
    #[must_use]
    pub fn decimals(&self) -> u32 {
        self.decimals
    }

    fn write(&self, value: i64) -> String {
        let one = 10_u64.pow(self.decimals.min(MOST_DECIMALS));
        let sign = if value < 0 { "-" } else { "" };
        let (whole, part) = (value.unsigned_abs() / one, value.unsigned_abs() % one);
        if self.decimals == 0 {
            format!("{sign}{whole}")
        } else {
            format!("{sign}{whole}.{part:0>width$}", width = usize::try_from(self.decimals).unwrap_or(0))
        }
    }
}

/// A decimal text as whole steps.
fn steps(text: &str, decimals: u32) -> Option<i64> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (whole, part) = rest.split_once('.').map_or((rest, None), |(whole, part)| (whole, Some(part)));
    if !digits(whole) || part.is_some_and(|part| !digits(part)) || (whole.len() > 1 && whole.starts_with('0'))
    {
        return None;
    }
    let part = part.unwrap_or_default();
    let missing = usize::try_from(decimals).ok()?.checked_sub(part.len())?;
    let value: i64 = format!("{whole}{part}{}", "0".repeat(missing)).parse().ok()?;
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::NumberRange;

    #[test]
    fn a_number_is_read_inside_its_range_and_written_by_us() {
        let range = NumberRange::new("0", "500", 2).unwrap();
        assert_eq!(range.read("89").as_deref(), Some("89.00"));
        assert_eq!(range.read("89.5").as_deref(), Some("89.50"));
        assert_eq!(range.read("500.00").as_deref(), Some("500.00"));
        assert_eq!(range.values(), 50_001);
        let range = NumberRange::new("-5", "5", 0).unwrap();
        assert_eq!(range.read("-5").as_deref(), Some("-5"));
        assert_eq!(range.read("-0").as_deref(), Some("0"));
    }

    #[test]
    fn everything_else_is_refused() {
        let range = NumberRange::new("0", "500", 2).unwrap();
        let huge = "9".repeat(400);
        for wrong in [
            "500.01",
            "-1",
            "1e2",
            "1E2",
            "89.000",
            "+5",
            ".5",
            "5.",
            "05",
            "0x10",
            "NaN",
            "Infinity",
            "1,000",
            " 5",
            "5 ",
            "",
            "-",
            "\u{0663}",
            huge.as_str(),
        ] {
            assert_eq!(range.read(wrong), None, "{wrong}");
        }
        assert_eq!(NumberRange::new("5", "5", 0), None);
        assert_eq!(NumberRange::new("0", "1", 7), None);
        assert_eq!(
            NumberRange::new("-9223372036854775807", "9223372036854775807", 0).unwrap().values(),
            (1 << 64) - 1
        );
    }
}
