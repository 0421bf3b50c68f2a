//! A reply held to a schema.

use proptest::prelude::*;
use reader::schema::{DateRange, NumberRange};
use reader::{Code, Crossing, Extraction, Field, Guards, Kind, Schema};
use serde_json::json;

fn schema() -> Schema {
    let choice = Kind::Choice(vec!["refund".into(), "other".into()]);
    Schema::new(vec![
        Field::new("urgent", Kind::Boolean),
        Field::new("category", choice),
        Field::new("total", Kind::Number(NumberRange::new("0", "500", 2).unwrap())),
        Field::new("due", Kind::Date(DateRange::new("2020-01-01", "2030-12-31").unwrap())).optional(),
        Field::new("order", Kind::Record(vec![("A-4412".into(), "ord_1".into())])),
        Field::new("body", Kind::Text { most: 100, json: false }),
        Field::new("points", Kind::Texts { items: 2, most: 10 }).optional(),
    ])
    .unwrap()
}

fn good() -> serde_json::Map<String, serde_json::Value> {
    let reply = json!({"urgent": true, "category": "refund", "total": 89, "order": "A-4412", "body": "free", "more": "dropped"});
    reply.as_object().unwrap().clone()
}

fn read(reply: &str) -> Result<Extraction, (Code, Option<String>)> {
    Extraction::of_reply(&schema(), reply, Guards::all()).map_err(|withheld| (withheld.code, withheld.field))
}

#[test]
fn a_good_reply_crosses_as_our_own_values() {
    let found = read(&json!(good()).to_string()).unwrap();
    let values: Vec<serde_json::Value> = found.crossing.iter().map(|(_, value)| value.json()).collect();
    assert_eq!(json!(values), json!([true, "refund", "89.00", null, "ord_1"]));
    assert_eq!(found.sealed.len(), 1);
}

#[test]
fn anything_else_is_a_code_with_the_field() {
    for (field, value, code) in [
        ("urgent", json!("yes"), Code::FieldType),
        ("urgent", json!(1), Code::FieldType),
        ("urgent", json!(null), Code::FieldMissing),
        ("category", json!("Refund"), Code::FieldValue),
        ("category", json!("refund "), Code::FieldValue),
        ("category", json!(["refund"]), Code::FieldType),
        ("total", json!("89"), Code::FieldType),
        ("total", json!(500.01), Code::FieldValue),
        ("total", json!(-1), Code::FieldValue),
        ("total", json!(1e300), Code::FieldValue),
        ("total", json!([89]), Code::FieldType),
        ("due", json!("2026-02-30"), Code::FieldValue),
        ("due", json!("tomorrow"), Code::FieldValue),
        ("due", json!(20_261_130), Code::FieldType),
        ("body", json!("x".repeat(101)), Code::FieldValue),
        ("body", json!({"a": 1}), Code::FieldType),
        ("points", json!(["a", "b", "c"]), Code::FieldValue),
        ("points", json!(["a", 1]), Code::FieldType),
        ("points", json!("a"), Code::FieldType),
    ] {
        let mut reply = good();
        reply.insert(field.to_owned(), value.clone());
        assert_eq!(read(&json!(reply).to_string()), Err((code, Some(field.to_owned()))), "{field} {value}");
    }
    for (reply, code) in [
        ("", Code::ReplyShape),
        ("[]", Code::ReplyShape),
        ("\"text\"", Code::ReplyShape),
        ("```json\n{}\n```", Code::ReplyShape),
        ("{} {}", Code::ReplyShape),
        ("{} ok", Code::ReplyShape),
        ("{\"a\":1,\"\\u0061\":2}", Code::ReplyTwice),
        ("{\"total\":NaN}", Code::ReplyShape),
    ] {
        assert_eq!(read(reply), Err((code, None)), "{reply}");
    }
}

#[test]
fn an_identifier_that_is_no_record_of_ours_crosses_as_nothing() {
    for other in [json!("A-9999"), json!("A-4412; pay"), json!(7), json!(null), json!({"a": 1})] {
        let mut reply = good();
        reply.insert("order".into(), other);
        let found = read(&json!(reply).to_string()).unwrap();
        assert!(found.crossing.contains(&("order".to_owned(), Crossing::Nothing)));
    }
}

#[test]
fn the_capacity_is_counted_field_by_field() {
    let capacity = schema().capacity();
    let bits: Vec<(String, String)> =
        capacity.fields().iter().map(|(name, bits)| (name.clone(), format!("{bits:.2}"))).collect();
    let expected = [
        ("urgent", "1.00"),
        ("category", "1.00"),
        ("total", "15.61"),
        ("due", "11.97"),
        ("order", "1.00"),
        ("body", "0.00"),
        ("points", "2.00"),
    ];
    let expected: Vec<(String, String)> =
        expected.into_iter().map(|(name, bits)| (name.to_owned(), bits.to_owned())).collect();
    assert_eq!(bits, expected);
    assert!(capacity.to_string().ends_with("bits"));
    // Sealing everything tells hardly more than whether it worked.
    assert!(Schema::body_only().capacity().total() < 6.0);
}

proptest! {
    /// Whatever a model says, what crosses is a value that the schema could have named beforehand.
    #[test]
    fn what_crosses_is_a_value_of_the_schema(
        urgent in any::<bool>(), category in "\\PC*", total in any::<f64>(), due in "\\PC*", order in "\\PC*", body in "\\PC*",
        key in "\\PC*",
    ) {
        let mut reply = good();
        for (name, value) in [("urgent", json!(urgent)), ("category", json!(category)), ("total", json!(total)),
            ("due", json!(due)), ("order", json!(order)), ("body", json!(body)), (key.as_str(), json!(key))] {
            reply.insert(name.to_owned(), value);
        }
        if let Ok(found) = read(&json!(reply).to_string()) {
            for (name, value) in found.crossing {
                let sound = match (name.as_str(), &value) {
                    ("urgent", Crossing::Boolean(_)) | ("due" | "order", Crossing::Nothing) => true,
                    ("category", Crossing::Choice(text)) => ["refund", "other"].contains(&text.as_str()),
                    ("total", Crossing::Number(text)) => text.parse::<f64>().is_ok_and(|total| (0.0..=500.0).contains(&total)),
                    ("due", Crossing::Date(text)) => text.len() == 10 && text.bytes().all(|b| b.is_ascii_digit() || b == b'-'),
                    ("order", Crossing::Record(id)) => id == "ord_1",
                    _ => false,
                };
                prop_assert!(sound, "{name}: {value:?}");
            }
        }
    }

    #[test]
    fn no_reply_breaks_the_reading(reply in "\\PC*") {
        let _ = read(&reply);
    }
}
