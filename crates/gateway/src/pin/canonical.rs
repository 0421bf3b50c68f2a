//! RFC 8785, the JSON Canonicalization Scheme: one text for one value, whatever the order of members and the spelling.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::definition::Problem;
use super::json::{elements, members, text};
use super::number;

/// How deep a value may nest. Real schemas stay below 20.
const DEPTH: usize = 64;

/// The canonical text of a JSON text.
///
/// # Errors
/// It nests too deep, two members of one object have the same name, or a string is not text (a lone surrogate).
pub(crate) fn canonical(raw: &str) -> Result<String, Problem> {
    let mut out = String::with_capacity(raw.len());
    write(raw, DEPTH, &mut out)?;
    Ok(out)
}

fn write(raw: &str, depth: usize, out: &mut String) -> Result<(), Problem> {
    let raw = raw.trim_matches([' ', '\t', '\r', '\n']);
    match raw.as_bytes().first() {
        Some(b'{') => {
            let depth = depth.checked_sub(1).ok_or(Problem::TooDeep)?;
            let object = members(raw).ok_or(Problem::NotText)?;
            if object.repeated() {
                return Err(Problem::RepeatedMember);
            }
            let mut sorted: Vec<(Cow<'_, str>, &str)> =
                object.0.into_iter().map(|(name, value)| (name, value.get())).collect();
            // By UTF-16 code units, as the RFC asks; for most names that is the order of bytes.
            sorted.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
            out.push('{');
            for (index, (name, value)) in sorted.into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                string(&name, out);
                out.push(':');
                write(value, depth, out)?;
            }
            out.push('}');
        }
        Some(b'[') => {
            let depth = depth.checked_sub(1).ok_or(Problem::TooDeep)?;
            out.push('[');
            for (index, value) in elements(raw).ok_or(Problem::NotText)?.0.into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write(value.get(), depth, out)?;
            }
            out.push(']');
        }
        Some(b'"') => string(&text(raw).ok_or(Problem::NotText)?, out),
        Some(b't' | b'f' | b'n') => out.push_str(raw),
        Some(_) => out.push_str(&number::canonical(raw).ok_or(Problem::NotText)?),
        None => return Err(Problem::NotText),
    }
    Ok(())
}

fn string(text: &str, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            control if control < ' ' => {
                // Writing to a string can't fail.
                let _ = write!(out, "\\u{:04x}", u32::from(control));
            }
            other => out.push(other),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    #[test]
    fn the_example_of_the_rfc_comes_out_as_it_says() {
        let from = r#"{
            "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
            "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
            "literals": [null, true, false]
        }"#;
        let to = "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],\
            \"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}";
        assert_eq!(canonical(from).unwrap(), to);
    }

    #[test]
    fn names_are_sorted_by_utf_16() {
        // The RFC's section 3.2.3: the emoji's first code unit is below U+FB33.
        assert_eq!(
            canonical("{\"\u{fb33}\":1,\"\u{1f600}\":2,\"\u{20ac}\":3,\"1\":4}").unwrap(),
            "{\"1\":4,\"\u{20ac}\":3,\"\u{1f600}\":2,\"\u{fb33}\":1}"
        );
    }

    #[test]
    fn what_two_readers_could_read_differently_has_no_canonical_form() {
        assert_eq!(canonical(r#"{"a":1,"a":2}"#), Err(Problem::RepeatedMember));
        assert_eq!(canonical(r#"{"a":[{"x":1,"\u0078":2}]}"#), Err(Problem::RepeatedMember));
        assert_eq!(canonical(r#""\ud800""#), Err(Problem::NotText));
        assert_eq!(canonical(&format!("{}{}", "[".repeat(100), "]".repeat(100))), Err(Problem::TooDeep));
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            any::<f64>().prop_filter("finite", |number| number.is_finite()).prop_map(Value::from),
            ".{0,12}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::btree_map(".{0,6}", inner, 0..6)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn a_canonical_text_is_its_own_canonical_text_and_the_same_value(value in values()) {
            let compact = serde_json::to_string(&value).unwrap();
            let spaced = serde_json::to_string_pretty(&value).unwrap();
            let once = canonical(&compact).unwrap();
            prop_assert_eq!(&canonical(&spaced).unwrap(), &once);
            prop_assert_eq!(&canonical(&once).unwrap(), &once);
        }
    }
}
