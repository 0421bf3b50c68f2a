//! Reading behind glass: a result goes in, typed fields and references come out.

use std::path::Path;
use std::time::Instant;

use reader::names::names;
use reader::{Code, Extraction, Guards, Name, Origin, Prefix, Schema, Sealed, Session, Withheld};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::config::{By, Reading};
use crate::event::Event;
use crate::registry::{Listed, Registry};
use crate::result::Outcome;
use crate::rewrite::{Call, References, Rewrite};
use crate::tool_name::ToolName;

/// What is needed to read a result.
#[derive(Debug, Clone, Copy)]
pub struct Glass<'a> {
    /// The registry that lists the tool.
    pub registry: &'a Registry,
    /// Where sealed values are kept.
    pub state: &'a Path,
    /// When it has to be done.
    pub until: Instant,
    /// The walls that are up.
    pub guards: Guards,
}

/// The rewrite of one result. It never fails: what goes wrong is withheld.
#[must_use]
pub fn read(glass: &Glass<'_>, event: &Event<'_>, tool: &ToolName, listed: &Listed) -> String {
    let call = Call { tool: event.tool(), id: event.call() };
    let opened = Session::open(glass.state, &event.session());
    let session = opened.and_then(|session| session.key().map(|key| (session, key)));
    let (rewrite, key) = match session {
        Ok((session, key)) => {
            let made = crossing(glass, event, tool, listed, &session, &call);
            (made.unwrap_or_else(|withheld| Rewrite::withheld(&call, &withheld)), Some(key))
        }
        Err(code) => (Rewrite::withheld(&call, &code.into()), None),
    };
    written(&rewrite, &call, key.as_deref())
}

/// A rewrite's text; one that is too long gives way to a short one.
#[must_use]
pub fn written(rewrite: &Rewrite, call: &Call, key: Option<&[u8]>) -> String {
    rewrite
        .text(call, key)
        .or_else(|| Rewrite::withheld(call, &Code::TooLarge.into()).text(call, key))
        .unwrap_or_default()
}

fn crossing(
    glass: &Glass<'_>,
    event: &Event<'_>,
    tool: &ToolName,
    listed: &Listed,
    session: &Session,
    call: &Call,
) -> Result<Rewrite, Withheld> {
    let outcome = Outcome::read(event.tool_response).ok_or(Code::Event)?;
    let prefix = prefix(event.tool_input, &listed.prefix_from);
    let keep = Keep { session, tool, prefix: &prefix };
    if outcome.is_error {
        let sealed = [("error".to_owned(), Sealed::One(outcome.text))];
        return Ok(Rewrite::error(call, &keep.seal(&Schema::body_only(), &sealed)?));
    }
    let reading =
        Reading::read(glass.registry.folder(), &listed.config).map_err(|no_reading| no_reading.code)?;
    if outcome.text.len() > reading.most {
        return Err(Code::TooLarge.into());
    }
    if outcome.text.is_empty() {
        return Err(Code::NoText.into());
    }
    let schema = &reading.schema;
    let found = match &reading.by {
        By::Sealing => {
            Extraction { crossing: Vec::new(), sealed: vec![("body".to_owned(), Sealed::One(outcome.text))] }
        }
        By::Pointers => {
            let value = outcome.value.unwrap_or(Value::String(outcome.text));
            Extraction::of_value(schema, &value, glass.guards)?
        }
        By::Model(model) => {
            let reply = model.ask(schema, &outcome.text, glass.until)?;
            Extraction::of_reply(schema, &reply, glass.guards)?
        }
    };
    let references = keep.seal(schema, &found.sealed)?;
    Ok(Rewrite::extracted(call, &found, &references, schema.capacity().total()))
}

struct Keep<'a> {
    session: &'a Session,
    tool: &'a ToolName,
    prefix: &'a Prefix,
}

impl Keep<'_> {
    /// Seals every field at once, so that a result is either kept whole or not at all.
    fn seal(&self, schema: &Schema, sealed: &[(String, Sealed)]) -> Result<References, Code> {
        let (namespace, from) = (namespace(self.tool), reader::label(self.tool.as_str()));
        let origin = |field: &String| Origin {
            namespace: namespace.clone(),
            tool: from.clone(),
            field: field.clone(),
        };
        let wanted = names(self.prefix, schema, sealed);
        let values: Vec<(Origin, Name, String)> = wanted
            .iter()
            .flat_map(|(field, named)| {
                named.iter().map(|(name, text)| (origin(field), name.clone(), text.clone()))
            })
            .collect();
        let mut given = self.session.seal(&values)?.into_iter();
        let of_field = |((field, named), (_, value)): ((String, Vec<_>), &(String, Sealed))| {
            (field, given.by_ref().take(named.len()).collect(), matches!(value, Sealed::Many(_)))
        };
        Ok(wanted.into_iter().zip(sealed).map(of_field).collect())
    }
}

/// The namespace that a tool's sealed values belong to. Where a name can be split in several ways it is the longest one,
/// so that two servers never share one.
#[must_use]
pub fn namespace(tool: &ToolName) -> String {
    tool.namespaces().and_then(|all| all.last().cloned()).unwrap_or_else(|| tool.as_str().to_owned())
}

/// What the tool was asked about, from one member of its input.
fn prefix(input: Option<&RawValue>, member: &str) -> Prefix {
    let value = input.and_then(|raw| serde_json::from_str::<Value>(raw.get()).ok());
    let asked = match value.as_ref().and_then(|value| value.get(member)) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    };
    Prefix::of(&asked)
}
