//! A reply held to a schema. What comes out is made by us: one of the schema's own values, a number or a day that we
//! wrote, or the fact that something was sealed.

use serde_json::Value;
use serde_json::value::RawValue;

use crate::code::{Code, Withheld};
#[cfg(feature = "unguarded")]
use crate::guards::Guard;
use crate::guards::Guards;
use crate::members::Members;
use crate::schema::{Field, Kind, Schema};

/// A value that may cross.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Crossing {
    /// Yes or no.
    Boolean(bool),
    /// One of the schema's own values.
    Choice(String),
    /// A number in its range, written by us.
    Number(String),
    /// A day in its range.
    Date(String),
    /// A record of ours, by our identifier.
    Record(String),
    /// Not there, or no record of ours.
    Nothing,
    /// What a missing wall lets through.
    #[cfg(feature = "unguarded")]
    Raw(String),
}

impl Crossing {
    /// As JSON. Numbers without decimals are numbers; with decimals they are text, so that no digit is lost.
    #[must_use]
    pub fn json(&self) -> Value {
        match self {
            Self::Boolean(value) => Value::from(*value),
            Self::Number(number) => match number.parse::<i64>() {
                Ok(whole) => Value::from(whole),
                Err(_) => Value::from(number.as_str()),
            },
            Self::Choice(text) | Self::Date(text) | Self::Record(text) => Value::from(text.as_str()),
            Self::Nothing => Value::Null,
            #[cfg(feature = "unguarded")]
            Self::Raw(text) => Value::from(text.as_str()),
        }
    }
}

/// Free text that stays behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sealed {
    /// One text.
    One(String),
    /// A list of texts.
    Many(Vec<String>),
}

/// What a reply came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extraction {
    /// Fields that cross as values, by name.
    pub crossing: Vec<(String, Crossing)>,
    /// Fields that stay behind, by name.
    pub sealed: Vec<(String, Sealed)>,
}

impl Extraction {
    /// Holds a model's reply to the schema.
    ///
    /// # Errors
    /// It is not exactly one JSON object, names a field twice, lacks one, or has one that is not allowed.
    pub fn of_reply(schema: &Schema, reply: &str, guards: Guards) -> Result<Self, Withheld> {
        let _ = guards;
        let Some(members) = Members::read(reply) else {
            #[cfg(feature = "unguarded")]
            if guards.lacks(Guard::Shape) {
                return Ok(Self {
                    crossing: vec![("reply".into(), Crossing::Raw(reply.into()))],
                    sealed: vec![],
                });
            }
            return Err(Code::ReplyShape.into());
        };
        if members.has_twice() {
            return Err(Code::ReplyTwice.into());
        }
        let mut found = Self::default();
        for field in schema.fields() {
            found.take(field, members.first(field.name()), guards)?;
        }
        #[cfg(feature = "unguarded")]
        if guards.lacks(Guard::KnownOnly) {
            let strange = |name: &&str| schema.fields().iter().all(|field| field.name() != *name);
            let names = members.iter().map(|(name, _)| name).filter(strange);
            found.crossing.extend(names.map(|name| (name.to_owned(), Crossing::Nothing)));
        }
        Ok(found)
    }

    /// Takes each field from where it stands in a structured value: the extractor without a model.
    ///
    /// # Errors
    /// As for a reply.
    pub fn of_value(schema: &Schema, value: &Value, guards: Guards) -> Result<Self, Withheld> {
        let mut found = Self::default();
        for field in schema.fields() {
            let there = field.pointer().and_then(|pointer| value.pointer(pointer));
            let raw = there.and_then(|value| serde_json::value::to_raw_value(value).ok());
            found.take(field, raw.as_deref(), guards)?;
        }
        Ok(found)
    }

    fn take(&mut self, field: &Field, raw: Option<&RawValue>, guards: Guards) -> Result<(), Withheld> {
        let wrong = |code| Withheld { code, field: Some(field.name().to_owned()) };
        let name = field.name().to_owned();
        let raw = match raw.map(RawValue::get) {
            None | Some("null") if field.required() && !matches!(field.kind(), Kind::Record(_)) => {
                return Err(wrong(Code::FieldMissing));
            }
            None | Some("null") => {
                if !field.is_sealed() {
                    self.crossing.push((name, Crossing::Nothing));
                }
                return Ok(());
            }
            Some(raw) => raw,
        };
        match read(field.kind(), raw, guards).map_err(wrong)? {
            Read::Crosses(value) => self.crossing.push((name, value)),
            Read::Stays(value) => self.sealed.push((name, value)),
        }
        Ok(())
    }
}

enum Read {
    Crosses(Crossing),
    Stays(Sealed),
}

fn read(kind: &Kind, raw: &str, guards: Guards) -> Result<Read, Code> {
    let _ = guards;
    let text = || serde_json::from_str::<String>(raw).map_err(|_| Code::FieldType);
    let short = |text: String, most: usize| if text.len() <= most { Ok(text) } else { Err(Code::FieldValue) };
    Ok(Read::Crosses(match kind {
        Kind::Boolean => match raw {
            "true" => Crossing::Boolean(true),
            "false" => Crossing::Boolean(false),
            _ => return Err(Code::FieldType),
        },
        Kind::Choice(values) => {
            let text = text()?;
            match values.iter().find(|value| **value == text) {
                Some(value) => Crossing::Choice(value.clone()),
                #[cfg(feature = "unguarded")]
                None if guards.lacks(Guard::Choice) => Crossing::Raw(text),
                None => return Err(Code::FieldValue),
            }
        }
        Kind::Number(range) => {
            if !raw.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
                return Err(Code::FieldType);
            }
            Crossing::Number(range.read(raw).ok_or(Code::FieldValue)?)
        }
        Kind::Date(range) => Crossing::Date(range.read(&text()?).ok_or(Code::FieldValue)?),
        Kind::Record(records) => {
            // A structured value may hold it as a number.
            let named = if raw.starts_with('"') { text()? } else { raw.to_owned() };
            records
                .iter()
                .find(|(value, _)| *value == named)
                .map_or(Crossing::Nothing, |(_, id)| Crossing::Record(id.clone()))
        }
        Kind::Text { most, json } => {
            let text = if *json && !raw.starts_with('"') { raw.to_owned() } else { text()? };
            #[cfg(feature = "unguarded")]
            if guards.lacks(Guard::Seal) {
                return Ok(Read::Crosses(Crossing::Raw(text)));
            }
            return Ok(Read::Stays(Sealed::One(short(text, *most)?)));
        }
        Kind::Texts { items, most } => {
            let texts: Vec<String> = serde_json::from_str(raw).map_err(|_| Code::FieldType)?;
            if texts.len() > *items {
                return Err(Code::FieldValue);
            }
            let texts = texts.into_iter().map(|text| short(text, *most)).collect::<Result<_, _>>()?;
            return Ok(Read::Stays(Sealed::Many(texts)));
        }
    }))
}
