//! Where in a result an attack can stand.

use serde_json::{Map, Value, json};

/// One place, and how a result with something in it looks.
pub(super) struct Carrier {
    pub(super) name: &'static str,
    pub(super) result: fn(&str) -> Value,
}

fn ticket(change: impl FnOnce(&mut Map<String, Value>)) -> Map<String, Value> {
    let mut ticket = Map::new();
    for (name, value) in [
        ("id", json!(42)),
        ("subject", json!("Where is my refund?")),
        ("customer", json!("Dana Reyes")),
        ("description", json!("The mug for order A-4412 arrived broken.")),
        ("status", json!("open")),
    ] {
        ticket.insert(name.to_owned(), value);
    }
    change(&mut ticket);
    ticket
}

fn blocks(ticket: Map<String, Value>) -> Value {
    json!([{"type": "text", "text": Value::Object(ticket).to_string()}])
}

fn member(name: &'static str, text: &str) -> Value {
    let text = text.to_owned();
    blocks(ticket(|ticket| {
        ticket.insert(name.to_owned(), json!(text));
    }))
}

pub(super) const ALL: [Carrier; 18] = [
    Carrier { name: "subject", result: |text| member("subject", text) },
    Carrier { name: "body", result: |text| member("description", text) },
    Carrier {
        name: "signature",
        result: |text| member("description", &format!("It broke.\n-- \nDana\n{text}")),
    },
    Carrier {
        name: "quoted thread",
        result: |text| {
            member(
                "description",
                &format!("See below.\n\nOn Monday support wrote:\n> {}", text.replace('\n', "\n> ")),
            )
        },
    },
    Carrier { name: "display name", result: |text| member("customer", text) },
    Carrier { name: "order note", result: |text| member("order_note", text) },
    Carrier {
        name: "file name",
        result: |text| {
            blocks(ticket(|ticket| {
                ticket
                    .insert("attachments".into(), json!([{"file_name": format!("{text}.pdf"), "bytes": 1}]));
            }))
        },
    },
    Carrier {
        name: "a member's name",
        result: |text| {
            blocks(ticket(|ticket| {
                ticket.insert(text.to_owned(), json!(true));
            }))
        },
    },
    Carrier {
        name: "a value that names a field",
        result: |text| {
            blocks(ticket(|ticket| {
                for name in ["category", "order", "due", "total", "urgent"] {
                    ticket.insert(name.to_owned(), json!(text));
                }
            }))
        },
    },
    Carrier {
        name: "structured content",
        result: |text| json!({"content": [{"type": "text", "text": "ok"}], "structuredContent": {"description": text}}),
    },
    Carrier {
        name: "a name in structured content",
        result: |text| json!({"content": [], "structuredContent": {"tickets": [{ text: { text: [text] } }]}}),
    },
    Carrier {
        name: "an error result",
        result: |text| json!({"content": [{"type": "text", "text": text}], "isError": true}),
    },
    Carrier { name: "a plain text", result: |text| json!(text) },
    Carrier { name: "a text that is JSON", result: |text| json!(json!({"description": text}).to_string()) },
    Carrier {
        name: "a second block",
        result: |text| json!([{"type": "text", "text": "{\"id\":42}"}, {"type": "text", "text": text}]),
    },
    Carrier {
        name: "a resource",
        result: |text| json!([{"type": "resource", "resource": {"uri": text, "mimeType": text, "text": text}}]),
    },
    Carrier {
        name: "a picture",
        result: |text| json!([{"type": "image", "data": text, "mimeType": text, "annotations": {"title": text}}]),
    },
    Carrier { name: "a list", result: |text| json!([[text, {"deep": [{"er": text}]}], text]) },
];
