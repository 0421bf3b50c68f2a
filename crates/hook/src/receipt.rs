//! Receipts: how the second lock knows our own rewrites from what a stranger wrote to look like one.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use subtle::ConstantTimeEq as _;

const OPEN: &str = "{\"receipt\":\"";
/// Hexadecimal digits of a receipt: 128 bits.
const DIGITS: usize = 32;

fn mac(key: &[u8], call: &str, body: &str) -> Option<String> {
    use std::fmt::Write as _;
    let mut mac = Hmac::<Sha256>::new_from_slice(key).ok()?;
    mac.update(call.as_bytes());
    mac.update(&[0]);
    mac.update(body.as_bytes());
    let digits = mac.finalize().into_bytes().iter().take(DIGITS / 2).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    });
    Some(digits)
}

/// Puts a receipt into a rewrite, which is one JSON object that is not empty. Without a key there is none, and the second
/// lock will stop the session.
#[must_use]
pub fn receipted(key: Option<&[u8]>, call: &str, body: &str) -> String {
    let digits = key.and_then(|key| mac(key, call, body));
    match (digits, body.strip_prefix('{')) {
        (Some(digits), Some(rest)) => format!("{OPEN}{digits}\",{rest}"),
        _ => body.to_owned(),
    }
}

/// Whether this text is a rewrite that we made for this call.
#[must_use]
pub fn is_ours(key: &[u8], call: &str, text: &str) -> bool {
    let Some((digits, rest)) = text.trim().strip_prefix(OPEN).and_then(|rest| rest.split_at_checked(DIGITS))
    else {
        return false;
    };
    let Some(rest) = rest.strip_prefix("\",") else { return false };
    let expected = mac(key, call, &format!("{{{rest}")).unwrap_or_default();
    expected.len() == digits.len() && bool::from(expected.as_bytes().ct_eq(digits.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::{is_ours, receipted};

    #[test]
    fn a_receipt_is_for_one_call_and_one_text() {
        let (key, other) = ([1; 32], [2; 32]);
        let text = receipted(Some(&key), "toolu_1", r#"{"fields":{}}"#);
        assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok());
        assert!(is_ours(&key, "toolu_1", &text));
        assert!(!is_ours(&other, "toolu_1", &text));
        assert!(!is_ours(&key, "toolu_2", &text));
        assert!(!is_ours(&key, "toolu_1", &text.replace("{}", "{\"a\":1}")));
        assert!(!is_ours(&key, "toolu_1", r#"{"fields":{}}"#));
        assert!(!is_ours(&key, "toolu_1", &format!("{text} and more")));
    }
}
