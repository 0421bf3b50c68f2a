//! Schemas, and what they refuse.

use reader::Schema;
use serde_json::{Value, json};

fn fields(text: &str) -> Result<Schema, String> {
    let list = |name: &str| match name {
        "codes.txt" => Some("# ours\nA-1\n\nA-2\n".to_owned()),
        "list.txt" => Some("A-1\tord_1\nA-2\tord_2\n".to_owned()),
        _ => None,
    };
    Schema::from_fields(text, &list).map_err(|refused| refused.0)
}

#[test]
fn a_fields_file_is_read() {
    let schema = fields(
        "[a]\ntype=\"boolean\"\n[b]\ntype=\"code\"\nvalues_file=\"codes.txt\"\n[c]\ntype=\"record\"\nvalues_file=\"list.txt\"\n\
         [d]\ntype=\"number\"\nmin=0.5\nmax=2\ndecimals=1\n[e]\ntype=\"date\"\nfrom=2026-01-01\nto=\"2026-12-31\"\n\
         [f]\ntype=\"text\"\nmax_bytes=10\nrequired=false\n[g]\ntype=\"texts\"\nmax_items=3\n",
    );
    assert_eq!(schema.unwrap().fields().len(), 7);
}

#[test]
fn a_fields_file_that_would_not_be_held_to_is_refused() {
    for text in [
        "",
        "a = 1",
        "[a]",
        "[a]\ntype=\"string\"",
        "[a]\ntype=\"boolean\"\nvalues=[\"x\"]",
        "[a]\ntype=\"boolean\"\nsurprise=1",
        "[a]\ntype=\"enum\"",
        "[a]\ntype=\"enum\"\nvalues=[]",
        "[a]\ntype=\"enum\"\nvalues=[\"x\",\"x\"]",
        "[a]\ntype=\"enum\"\nvalues=[\"x\\ny\"]",
        "[a]\ntype=\"enum\"\nvalues=[1]",
        "[a]\ntype=\"enum\"\nvalues=[\"x\"]\nvalues_file=\"list.txt\"",
        "[a]\ntype=\"code\"\nvalues_file=\"none.txt\"",
        "[a]\ntype=\"number\"",
        "[a]\ntype=\"number\"\nmin=1\nmax=1",
        "[a]\ntype=\"number\"\nmin=0\nmax=1.5",
        "[a]\ntype=\"number\"\nmin=0\nmax=1\ndecimals=7",
        "[a]\ntype=\"date\"\nfrom=\"tomorrow\"",
        "[a]\ntype=\"text\"\nmax_bytes=0",
        "[a]\ntype=\"text\"\nrequired=1",
        "[a]\ntype=\"text\"\npointer=\"a\"",
        "[\"a b\"]\ntype=\"text\"",
        "[a]\ntype=\"text\"\n[A]\ntype=\"text\"",
    ] {
        assert!(fields(text).is_err(), "{text}");
    }
}

fn of(property: &Value) -> Result<Schema, String> {
    let schema = json!({"type": "object", "properties": {"a": property}, "required": ["a"], "additionalProperties": false});
    Schema::from_json_schema(&schema).map_err(|refused| refused.0)
}

#[test]
fn a_json_schema_is_read_and_what_it_can_not_bound_is_sealed() {
    for (property, sealed) in [
        (json!({"type": "boolean", "description": "x"}), false),
        (json!({"type": "string", "enum": ["a", "b"]}), false),
        (json!({"type": "integer", "minimum": 1, "maximum": 5}), false),
        (json!({"type": "number", "minimum": 0, "maximum": 0.5, "multipleOf": 0.1}), false),
        (json!({"type": "string", "format": "date"}), false),
        (json!({"type": "string", "maxLength": 10}), true),
        (json!({"type": "array", "items": {"type": "string"}}), true),
        (json!({"type": "object", "properties": {"anything": {"$ref": "#"}}}), true),
    ] {
        assert_eq!(of(&property).unwrap().fields()[0].is_sealed(), sealed, "{property}");
    }
}

#[test]
fn a_json_schema_that_would_not_be_held_to_is_refused() {
    for property in [
        json!({"type": "integer"}),
        json!({"type": "number", "minimum": 0}),
        json!({"type": "number", "minimum": 0, "maximum": 1, "exclusiveMaximum": 1}),
        json!({"type": "number", "minimum": 0, "maximum": 1, "multipleOf": 0.25}),
        json!({"type": "string", "pattern": "^a$"}),
        json!({"type": "string", "format": "email"}),
        json!({"type": ["string", "null"]}),
        json!({"type": "string", "enum": [1]}),
        json!({"type": "array", "items": {"type": "integer"}}),
        json!({"anyOf": []}),
        json!({"$ref": "#/x"}),
        json!(true),
        json!(null),
    ] {
        assert!(of(&property).is_err(), "{property}");
    }
    for schema in [
        json!([]),
        json!({}),
        json!({"properties": {}}),
        json!({"type": "array", "properties": {}}),
        json!({"properties": {"a": {"type": "boolean"}}, "oneOf": []}),
        json!({"properties": {"a": {"type": "boolean"}}, "required": ["b"]}),
    ] {
        assert!(Schema::from_json_schema(&schema).is_err(), "{schema}");
    }
}
