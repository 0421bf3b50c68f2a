//! Each string of a JSON value by itself, with its path.

use serde_json::Value;

/// A string in a value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Found<'v> {
    /// `$.inputSchema.properties.city.description`; the name of a member has a `~` behind it.
    pub(crate) path: String,
    pub(crate) text: &'v str,
    /// Whether it is the name of a member.
    pub(crate) is_name: bool,
}

/// A path: the member or place, and the one it is in.
struct Step<'v> {
    value: &'v Value,
    path: usize,
}

/// Calls `each` for every string, names of members before their values, in the order they are written. Goes to any
/// depth without the stack; the memory it needs grows with the value.
pub(crate) fn strings<'v>(value: &'v Value, mut each: impl FnMut(Found<'v>)) {
    // Paths as links to their parent, so that a deep value does not need the square of its depth.
    let mut links: Vec<(usize, Part<'v>)> = vec![(0, Part::Root)];
    let mut steps = vec![Step { value, path: 0 }];
    while let Some(step) = steps.pop() {
        match step.value {
            Value::String(text) => each(Found { path: write(&links, step.path), text, is_name: false }),
            Value::Array(items) => {
                let start = links.len();
                links.extend((0..items.len()).map(|index| (step.path, Part::Item(index))));
                steps.extend(
                    items.iter().enumerate().rev().map(|(index, value)| Step { value, path: start + index }),
                );
            }
            Value::Object(members) => {
                let start = links.len();
                for (index, name) in members.keys().enumerate() {
                    links.push((step.path, Part::Member(name)));
                    if !is_keyword(name) {
                        let path = write(&links, start + index) + "~";
                        each(Found { path, text: name, is_name: true });
                    }
                }
                let values: Vec<Step<'v>> = members
                    .values()
                    .enumerate()
                    .map(|(index, value)| Step { value, path: start + index })
                    .collect();
                steps.extend(values.into_iter().rev());
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Part<'v> {
    Root,
    Member(&'v str),
    Item(usize),
}

/// The longest path that is written out, in steps; the middle of a longer one is left out.
const LONGEST: usize = 24;

fn write(links: &[(usize, Part<'_>)], at: usize) -> String {
    let mut parts = Vec::new();
    let mut next = at;
    let mut left_out = false;
    while let Some((parent, part)) = links.get(next) {
        if matches!(part, Part::Root) {
            break;
        }
        if parts.len() >= LONGEST {
            left_out = true;
            break;
        }
        parts.push(*part);
        next = *parent;
    }
    let mut path = String::from(if left_out { "$…" } else { "$" });
    for part in parts.into_iter().rev() {
        match part {
            Part::Root => {}
            Part::Item(index) => path.push_str(&format!("[{index}]")),
            Part::Member(name) => {
                let simple = !name.is_empty()
                    && name.len() <= 64
                    && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_$-".contains(&byte));
                if simple {
                    path.push('.');
                    path.push_str(name);
                } else {
                    let short: String = crate::visible(name).chars().take(64).collect();
                    path.push_str(&format!("[{short:?}]"));
                }
            }
        }
    }
    path
}

/// Words of JSON Schema and of MCP: names that say nothing.
fn is_keyword(name: &str) -> bool {
    matches!(
        name,
        "type"
            | "properties"
            | "required"
            | "description"
            | "title"
            | "name"
            | "items"
            | "enum"
            | "default"
            | "examples"
            | "inputSchema"
            | "outputSchema"
            | "input_schema"
            | "annotations"
            | "$schema"
            | "$ref"
            | "$defs"
            | "definitions"
            | "additionalProperties"
            | "anyOf"
            | "oneOf"
            | "allOf"
            | "not"
            | "const"
            | "format"
            | "pattern"
            | "minimum"
            | "maximum"
            | "minLength"
            | "maxLength"
            | "minItems"
            | "maxItems"
            | "uniqueItems"
            | "exclusiveMinimum"
            | "exclusiveMaximum"
            | "readOnlyHint"
            | "destructiveHint"
            | "idempotentHint"
            | "openWorldHint"
            | "_meta"
            | "icons"
            | "uri"
            | "mimeType"
            | "arguments"
            | "prefixItems"
            | "propertyNames"
            | "patternProperties"
    )
}
