//! Numbers as RFC 8785 (section 3.2.2.3) writes them, which is how ECMAScript does.

/// The canonical text of a JSON number. An integer that a double can't hold keeps its own digits, so that two
/// texts a reader would tell apart never come out alike.
pub(crate) fn canonical(text: &str) -> Option<String> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let value: f64 = text.parse().ok()?;
    if !value.is_finite() {
        return None;
    }
    if whole && value.abs() > 9_007_199_254_740_991.0 {
        return Some(text.to_owned());
    }
    if value == 0.0 {
        return Some("0".to_owned());
    }
    // Rust gives the shortest digits that read back as the same double, as ECMAScript does; only the layout differs.
    let scientific = format!("{:e}", value.abs());
    let (mantissa, exponent) = scientific.split_once('e')?;
    let exponent: i32 = exponent.parse().ok()?;
    let digits: String = mantissa.chars().filter(|character| *character != '.').collect();
    let sign = if value < 0.0 { "-" } else { "" };
    let count = i32::try_from(digits.len()).ok()?;
    let point = exponent + 1;
    let body = if count <= point && point <= 21 {
        format!("{digits}{}", "0".repeat(usize::try_from(point - count).ok()?))
    } else if 0 < point && point <= 21 {
        let at = usize::try_from(point).ok()?;
        format!("{}.{}", digits.get(..at)?, digits.get(at..)?)
    } else if -6 < point && point <= 0 {
        format!("0.{}{digits}", "0".repeat(usize::try_from(-point).ok()?))
    } else {
        let (first, rest) = digits.split_at_checked(1)?;
        let dot = if rest.is_empty() { "" } else { "." };
        format!("{first}{dot}{rest}e{}{}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
    };
    Some(format!("{sign}{body}"))
}

#[cfg(test)]
mod tests {
    use super::canonical;

    #[test]
    fn the_samples_of_the_rfc_come_out_as_it_says() {
        for (from, to) in [
            ("0", "0"),
            ("-0", "0"),
            ("1.0", "1"),
            ("1e3", "1000"),
            ("333333333.33333329", "333333333.3333333"),
            ("1E30", "1e+30"),
            ("4.50", "4.5"),
            ("2e-3", "0.002"),
            ("0.000000000000000000000000001", "1e-27"),
            ("1e21", "1e+21"),
            ("123456789012345678901", "123456789012345678901"),
            ("9007199254740993", "9007199254740993"),
            ("0.000001", "0.000001"),
            ("0.0000001", "1e-7"),
            ("-1.5e-9", "-1.5e-9"),
            ("5e-324", "5e-324"),
            ("1.7976931348623157e308", "1.7976931348623157e+308"),
        ] {
            assert_eq!(canonical(from).as_deref(), Some(to), "{from}");
        }
        assert_eq!(canonical("1e999"), None);
    }
}
