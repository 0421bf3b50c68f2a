//! The words that stand in a result's place, and the shape each kind of tool needs them in.

use reader::{Extraction, Name, Withheld, label};
use serde_json::{Map, Value, json};

use crate::receipt::receipted;
use crate::tool_name::ToolName;

/// Longer rewrites would be put into a file by the harness. In bytes.
const LONGEST: usize = 9_000;

const EXTRACTED: &str = "This tool's result was read behind glass. fields holds values that were checked; each \
reference names a text that stays sealed. To let a person read such a text, write the reference, as it is, into a \
message for them; you will be shown nothing else of it.";
const ERROR: &str = "The tool answered with an error, whose text stays sealed. To let a person read it, write the \
reference into a message for them.";

/// Per field: the references in its place, and whether it is a list.
pub type References = Vec<(String, Vec<Name>, bool)>;

/// A call that is being answered.
#[derive(Debug, Clone, Default)]
pub struct Call {
    /// The tool, as the harness names it.
    pub tool: String,
    /// The call's identifier; empty when not told.
    pub id: String,
}

/// What stands in the place of a result.
#[derive(Debug, Clone)]
pub struct Rewrite {
    body: Value,
}

impl Rewrite {
    /// Fields and references.
    #[must_use]
    pub fn extracted(
        call: &Call,
        found: &Extraction,
        references: &[(String, Vec<Name>, bool)],
        bits: f64,
    ) -> Self {
        let fields: Map<String, Value> =
            found.crossing.iter().map(|(name, value)| (name.clone(), value.json())).collect();
        let bits = (bits * 10.0).round() / 10.0;
        Self::new(
            call,
            "extracted",
            EXTRACTED,
            &[
                ("fields", Value::Object(fields)),
                ("references", named(references)),
                ("capacity_bits", json!(bits)),
            ],
        )
    }

    /// An error result: its text is sealed.
    #[must_use]
    pub fn error(call: &Call, references: &[(String, Vec<Name>, bool)]) -> Self {
        Self::new(call, "error_result", ERROR, &[("references", named(references))])
    }

    /// Nothing crosses.
    #[must_use]
    pub fn withheld(call: &Call, withheld: &Withheld) -> Self {
        let says = format!("The result is withheld. {} A person can look at it.", withheld.code.says());
        let field = withheld.field.as_ref().map_or(Value::Null, |field| Value::from(field.as_str()));
        Self::new(call, "withheld", &says, &[("error", withheld.code.word().into()), ("field", field)])
    }

    fn new(call: &Call, outcome: &str, says: &str, parts: &[(&str, Value)]) -> Self {
        let mut body = Map::new();
        body.insert("quarantine".into(), outcome.into());
        body.insert("tool".into(), label(&call.tool).into());
        body.insert("says".into(), says.into());
        for (name, value) in parts {
            body.insert((*name).to_owned(), value.clone());
        }
        Self { body: Value::Object(body) }
    }

    /// The text, with its receipt; `None` when it would be too long to reach the model as it is.
    #[must_use]
    pub fn text(&self, call: &Call, key: Option<&[u8]>) -> Option<String> {
        let text = receipted(key, &call.id, &self.body.to_string());
        (text.len() <= LONGEST).then_some(text)
    }
}

fn named(references: &[(String, Vec<Name>, bool)]) -> Value {
    let one = |(field, names, many): &(String, Vec<Name>, bool)| {
        let mut names: Vec<Value> = names.iter().map(|name| Value::from(name.to_string())).collect();
        let value = if *many { Value::Array(names) } else { names.pop().unwrap_or_default() };
        (field.clone(), value)
    };
    Value::Object(references.iter().map(one).collect())
}

/// The text in the shape that the tool's results have. The harness drops a wrong shape without a word.
#[must_use]
pub fn shaped(tool: &ToolName, text: &str) -> Value {
    match tool.as_str() {
        "Bash" => json!({"stdout": text, "stderr": "", "interrupted": false, "isImage": false}),
        "WebFetch" => {
            json!({"bytes": text.len(), "code": 200, "codeText": "OK", "result": text, "durationMs": 0, "url": ""})
        }
        // A list of blocks answers a text, a list and an object alike, and takes the place of structuredContent.
        _ => json!([{"type": "text", "text": text}]),
    }
}
