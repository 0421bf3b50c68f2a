//! A schema from a JSON Schema, the way a model's `response_format` takes one.

use serde_json::{Map, Value};

use super::{DateRange, Field, Kind, NumberRange, Refused, Schema, refused};

/// Text longer than this is not asked for.
const TEXT: usize = 256 << 10;
/// Items of a list.
const ITEMS: usize = 32;

impl Schema {
    /// Reads the properties of a JSON Schema. Booleans, string enumerations, numbers with `minimum` and `maximum`, and
    /// dates cross as values; every other property is sealed.
    ///
    /// # Errors
    /// It is no object schema, or says something about a field that would not be held to.
    pub fn from_json_schema(schema: &Value) -> Result<Self, Refused> {
        let Some(top) = schema.as_object() else { return refused("a JSON Schema is an object") };
        known(top, "the schema", &["type", "properties", "required", "additionalProperties", "strict"])?;
        if top.get("type").is_some_and(|kind| kind != "object") {
            return refused("the schema's type has to be object");
        }
        let Some(properties) = top.get("properties").and_then(Value::as_object) else {
            return refused("the schema has no properties");
        };
        let required: Vec<&str> = match top.get("required") {
            None => Vec::new(),
            Some(names) => match names.as_array().map(|names| names.iter().map(Value::as_str).collect()) {
                Some(Some(names)) => names,
                _ => return refused("required is a list of names"),
            },
        };
        if let Some(name) = required.iter().find(|name| !properties.contains_key(**name)) {
            return refused(format!("{name} is required and is no property"));
        }
        let fields = properties
            .iter()
            .map(|(name, property)| {
                let mut field = Field::new(name, kind(name, property)?);
                field.required = required.contains(&name.as_str());
                field.hint = property.get("description").and_then(Value::as_str).map(str::to_owned);
                Ok(field)
            })
            .collect::<Result<_, Refused>>()?;
        Self::new(fields)
    }
}

/// Keywords that only describe.
const DESCRIBE: [&str; 6] = ["title", "description", "$schema", "$id", "$comment", "examples"];

fn known(object: &Map<String, Value>, what: &str, words: &[&str]) -> Result<(), Refused> {
    let unknown =
        object.keys().find(|key| !words.contains(&key.as_str()) && !DESCRIBE.contains(&key.as_str()));
    match unknown {
        Some(key) => refused(format!("{what}: {key} is not supported")),
        None => Ok(()),
    }
}

fn kind(name: &str, property: &Value) -> Result<Kind, Refused> {
    let Some(object) = property.as_object() else {
        return refused(format!("{name}: a property is an object"));
    };
    let whole = |key: &str, otherwise: usize| match object.get(key) {
        None => Ok(otherwise),
        Some(value) => match value.as_u64().and_then(|value| usize::try_from(value).ok()) {
            Some(value) => Ok(value.min(otherwise)),
            None => refused(format!("{name}: {key} is a whole number")),
        },
    };
    match object.get("type").and_then(Value::as_str) {
        Some("boolean") => {
            known(object, name, &["type"])?;
            Ok(Kind::Boolean)
        }
        Some("integer" | "number") => {
            known(object, name, &["type", "minimum", "maximum", "multipleOf"])?;
            number(name, object)
        }
        Some("string") if object.contains_key("enum") => {
            known(object, name, &["type", "enum"])?;
            let values = object.get("enum").and_then(Value::as_array);
            match values.and_then(|values| {
                values.iter().map(|value| value.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>()
            }) {
                Some(values) => Ok(Kind::Choice(values)),
                None => refused(format!("{name}: enum is a list of texts")),
            }
        }
        Some("string") if object.get("format").is_some_and(|format| format == "date") => {
            known(object, name, &["type", "format"])?;
            Ok(Kind::Date(DateRange::default()))
        }
        Some("string") => {
            known(object, name, &["type", "maxLength"])?;
            Ok(Kind::Text { most: whole("maxLength", TEXT)?, json: false })
        }
        Some("array") => {
            known(object, name, &["type", "items", "maxItems"])?;
            let text =
                object.get("items").and_then(|items| items.get("type")).is_none_or(|kind| kind == "string");
            if text {
                Ok(Kind::Texts { items: whole("maxItems", ITEMS)?, most: TEXT })
            } else {
                refused(format!("{name}: the items of a list are texts"))
            }
        }
        // Sealed as it is, so what it looks like inside needs no check.
        Some("object") => Ok(Kind::Text { most: TEXT, json: true }),
        _ => refused(format!("{name}: type is one of boolean, integer, number, string, array, object")),
    }
}

fn number(name: &str, object: &Map<String, Value>) -> Result<Kind, Refused> {
    let (Some(least), Some(most)) = (object.get("minimum"), object.get("maximum")) else {
        return refused(format!("{name}: a number crosses only with minimum and maximum"));
    };
    let integer = object.get("type").is_some_and(|kind| kind == "integer");
    let decimals = match object.get("multipleOf").map(Value::to_string) {
        None if integer => 0,
        None => 2,
        Some(step) => match step.as_str() {
            "1" | "1.0" => 0,
            "0.1" => 1,
            "0.01" => 2,
            "0.001" => 3,
            _ => return refused(format!("{name}: multipleOf is 1, 0.1, 0.01 or 0.001")),
        },
    };
    match NumberRange::new(&least.to_string(), &most.to_string(), decimals) {
        Some(range) => Ok(Kind::Number(range)),
        None => refused(format!("{name}: minimum is below maximum, both with at most {decimals} decimals")),
    }
}
