//! The API as a page: read from the OpenAPI document, so that the two can't differ.

use serde_json::Value;

/// The whole API.
#[derive(Clone, Debug, Default)]
pub struct ApiView {
    /// Grouped by the first part of the path after `/api`.
    pub groups: Vec<Group>,
    /// The shapes, by name.
    pub schemas: Vec<Schema>,
}

/// Routes about the same thing.
#[derive(Clone, Debug)]
pub struct Group {
    /// `tickets`.
    pub name: String,
    /// `Tickets`.
    pub title: String,
    /// In the order of their paths.
    pub operations: Vec<Operation>,
}

/// One route.
#[derive(Clone, Debug)]
pub struct Operation {
    /// `GET`.
    pub method: String,
    /// `/api/tickets/{id}`.
    pub path: String,
    /// One line.
    pub summary: Words,
    /// More.
    pub about: Words,
    /// Of path and query.
    pub parameters: Vec<Field>,
    /// What the body is.
    pub body: Option<Kind>,
    /// Status, what it means, and its shape.
    pub answers: Vec<(String, Words, Option<Kind>)>,
}

/// One shape.
#[derive(Clone, Debug)]
pub struct Schema {
    /// `Ticket`.
    pub name: String,
    /// What it is.
    pub about: Words,
    /// Its fields; empty for an enumeration.
    pub fields: Vec<Field>,
    /// Its words, if it is an enumeration.
    pub words: Vec<String>,
}

/// A field or a parameter.
#[derive(Clone, Debug)]
pub struct Field {
    /// `ticket_id`.
    pub name: String,
    /// What it holds.
    pub kind: Kind,
    /// True if it must be there.
    pub required: bool,
    /// What it is.
    pub about: Words,
}

/// A description: parts of it, each with true where it is code.
pub type Words = Vec<(bool, String)>;

/// A type: text, and the shape it links to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kind {
    /// `string`, `list of`, …
    pub text: String,
    /// The name of a shape on the same page.
    pub schema: Option<String>,
}

impl ApiView {
    /// The page of a document. What the document does not have is left out.
    pub fn new(document: &Value) -> ApiView {
        let mut groups: Vec<Group> = Vec::new();
        for (path, item) in entries(document, "/paths") {
            for (method, operation) in item.as_object().into_iter().flatten() {
                if !matches!(method.as_str(), "get" | "post" | "put" | "delete" | "patch") {
                    continue;
                }
                let name = group(path);
                let operation = read(method, path, operation);
                match groups.iter_mut().find(|group| group.name == name) {
                    Some(group) => group.operations.push(operation),
                    None => groups.push(Group { title: title(&name), name, operations: vec![operation] }),
                }
            }
        }
        let schemas =
            entries(document, "/components/schemas").map(|(name, schema)| shape(name, schema)).collect();
        ApiView { groups, schemas }
    }
}

fn entries<'a>(document: &'a Value, pointer: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
    document.pointer(pointer).and_then(Value::as_object).into_iter().flatten()
}

fn text(value: &Value, key: &str) -> String {
    value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// What stands between backticks is code.
fn words(value: &Value, key: &str) -> Words {
    let parts = text(value, key);
    let parts = parts.split('`').enumerate().map(|(index, part)| (index % 2 == 1, part.to_owned()));
    parts.filter(|(_, part)| !part.is_empty()).collect()
}

fn title(name: &str) -> String {
    let (first, rest) = name.split_at(name.chars().next().map_or(0, char::len_utf8));
    first.to_uppercase() + rest
}

fn group(path: &str) -> String {
    let rest = path.strip_prefix("/api/").unwrap_or("health");
    let name = rest.split('/').next().unwrap_or_default();
    String::from(match name {
        "reset" | "stop" | "resume" | "agents" => "workspace",
        other => other,
    })
}

fn read(method: &str, path: &str, operation: &Value) -> Operation {
    let list = |key: &str| operation.get(key).and_then(Value::as_array).into_iter().flatten();
    let content = |value: &Value| value.pointer("/content/application~1json/schema").map(kind);
    Operation {
        method: method.to_uppercase(),
        path: String::from(path),
        summary: words(operation, "summary"),
        about: words(operation, "description"),
        parameters: list("parameters")
            .map(|one| Field {
                name: text(one, "name"),
                kind: one.get("schema").map(kind).unwrap_or_default(),
                required: one.get("required").and_then(Value::as_bool).unwrap_or(false),
                about: words(one, "description"),
            })
            .collect(),
        body: operation.get("requestBody").and_then(content),
        answers: entries(operation, "/responses")
            .map(|(status, answer)| (status.clone(), words(answer, "description"), content(answer)))
            .collect(),
    }
}

fn shape(name: &str, schema: &Value) -> Schema {
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let listed = schema.get("enum").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let variants = schema.get("oneOf").and_then(Value::as_array).into_iter().flatten();
    let variants = variants.filter_map(|one| one.pointer("/enum/0").and_then(Value::as_str));
    Schema {
        name: String::from(name),
        about: words(schema, "description"),
        fields: entries(schema, "/properties")
            .map(|(field, value)| Field {
                name: field.clone(),
                kind: kind(value),
                required: required.contains(&field.as_str()),
                about: words(value, "description"),
            })
            .collect(),
        words: listed.chain(variants).map(String::from).collect(),
    }
}

fn kind(schema: &Value) -> Kind {
    if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
        let name = target.rsplit('/').next().unwrap_or_default();
        return Kind { text: String::new(), schema: Some(String::from(name)) };
    }
    let choices = ["oneOf", "anyOf", "allOf"].into_iter().find_map(|key| schema.get(key)?.as_array());
    if let Some(choices) = choices {
        let real: Vec<_> =
            choices.iter().filter(|one| one.get("type") != Some(&Value::from("null"))).collect();
        let mut found = real.first().map(|one| kind(one)).unwrap_or_default();
        if real.len() < choices.len() {
            found.text = format!("or nothing {}", found.text).trim_end().to_owned();
        }
        return found;
    }
    if schema.get("type").and_then(Value::as_str) == Some("array") {
        let item = schema.get("items").map(kind).unwrap_or_default();
        return Kind { text: format!("list of {}", item.text).trim_end().to_owned(), schema: item.schema };
    }
    let text = match schema.get("type") {
        Some(Value::String(one)) => one.clone(),
        Some(Value::Array(many)) => {
            let names: Vec<_> = many.iter().filter_map(Value::as_str).collect();
            names.join(" or ")
        }
        _ => String::from("anything"),
    };
    Kind { text: text.replace("null", "nothing"), schema: None }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_document_becomes_a_page() {
        let view = ApiView::new(&json!({
            "paths": {
                "/api/tickets/{id}": {"get": {
                    "summary": "One ticket",
                    "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
                    "responses": {"200": {"description": "It", "content": {"application/json": {"schema":
                        {"$ref": "#/components/schemas/Ticket"}}}}}
                }},
                "/healthz": {"get": {"responses": {}}}
            },
            "components": {"schemas": {
                "Ticket": {"type": "object", "required": ["a"], "properties": {
                    "a": {"type": "array", "items": {"type": "string"}, "description": "Names of `a`"},
                    "b": {"oneOf": [{"type": "null"}, {"$ref": "#/components/schemas/Word"}]},
                    "c": {"type": ["string", "null"]}
                }},
                "Word": {"type": "string", "enum": ["x", "y"]}
            }}
        }));
        assert_eq!(view.groups[0].name, "tickets");
        let operation = &view.groups[0].operations[0];
        assert_eq!((operation.method.as_str(), operation.path.as_str()), ("GET", "/api/tickets/{id}"));
        assert_eq!(operation.answers[0].2.as_ref().unwrap().schema.as_deref(), Some("Ticket"));
        assert!(operation.parameters[0].required);
        let fields = &view.schemas[0].fields;
        assert_eq!(fields[0].kind.text, "list of string");
        assert_eq!(fields[0].about, [(false, "Names of ".to_owned()), (true, "a".to_owned())]);
        assert_eq!(fields[1].kind, Kind { text: "or nothing".into(), schema: Some("Word".into()) });
        assert_eq!(fields[2].kind.text, "string or nothing");
        assert_eq!(view.schemas[1].words, ["x", "y"]);
        assert_eq!(view.groups[1].name, "health");
    }

    #[test]
    fn a_document_without_anything_is_an_empty_page() {
        let view = ApiView::new(&Value::Null);
        assert!(view.groups.is_empty() && view.schemas.is_empty());
    }
}
