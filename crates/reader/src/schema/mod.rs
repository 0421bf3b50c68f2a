//! What may cross: the fields of a typed extraction.
//!
//! A schema is made from a JSON Schema ([`Schema::from_json_schema`]) or from a fields file
//! ([`Schema::from_fields`]). What it can't hold a value to is refused when it is read, never ignored.

mod capacity;
mod date;
mod fields_file;
mod json_schema;
mod number;

use core::fmt;

pub use capacity::Capacity;
pub use date::DateRange;
pub use number::NumberRange;

/// Fields in a schema.
const MOST_FIELDS: usize = 32;
/// Values in a closed list.
const MOST_VALUES: usize = 4096;

/// The fields of an extraction, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schema {
    fields: Vec<Field>,
}

/// One field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    name: String,
    kind: Kind,
    required: bool,
    pointer: Option<String>,
    hint: Option<String>,
}

/// What a field's value can be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// Yes or no.
    Boolean,
    /// One of a closed list, an enumeration or a short code.
    Choice(Vec<String>),
    /// A decimal number in a range.
    Number(NumberRange),
    /// A day in a range.
    Date(DateRange),
    /// A record of ours: what a text may call it, and our identifier for it. Only the identifier crosses.
    Record(Vec<(String, String)>),
    /// Free text, sealed.
    Text {
        /// Longer ones are withheld. In bytes.
        most: usize,
        /// Any JSON is taken as its text, not only a string.
        json: bool,
    },
    /// A list of free texts, each sealed by itself.
    Texts {
        /// Longer lists are withheld.
        items: usize,
        /// Longer texts are withheld. In bytes.
        most: usize,
    },
}

/// A setting that can't be used: a sentence for the person who wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused(pub String);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}

pub(crate) fn refused<T>(says: impl Into<String>) -> Result<T, Refused> {
    Err(Refused(says.into()))
}

impl Schema {
    /// The one schema for results about which nothing else was said: the whole of it, sealed as `BODY`.
    #[must_use]
    pub fn body_only() -> Self {
        Self { fields: vec![Field::new("body", Kind::Text { most: 1 << 20, json: true })] }
    }

    /// Puts fields together.
    ///
    /// # Errors
    /// None or too many, a name twice (in upper case), or a value list that can't be used.
    pub fn new(fields: Vec<Field>) -> Result<Self, Refused> {
        if fields.is_empty() || fields.len() > MOST_FIELDS {
            return refused(format!("a schema has 1 to {MOST_FIELDS} fields"));
        }
        for (at, field) in fields.iter().enumerate() {
            field.check()?;
            if fields.iter().take(at).any(|other| other.name.eq_ignore_ascii_case(&field.name)) {
                return refused(format!("the field {} is there twice", field.name));
            }
        }
        Ok(Self { fields })
    }

    /// The fields, in order.
    #[must_use]
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// How much can cross at most.
    #[must_use]
    pub fn capacity(&self) -> Capacity {
        Capacity::of(self)
    }
}

impl Field {
    /// A field that has to be there.
    #[must_use]
    pub fn new(name: &str, kind: Kind) -> Self {
        Self { name: name.to_owned(), kind, required: true, pointer: None, hint: None }
    }

    /// May be missing.
    #[must_use]
    pub fn optional(mut self) -> Self {
        self.required = false;
        self
    }

    /// Where the value stands in a structured result, for the extractor without a model (a JSON pointer).
    #[must_use]
    pub fn at(mut self, pointer: &str) -> Self {
        self.pointer = Some(pointer.to_owned());
        self
    }

    /// What the field means, for the reading model.
    #[must_use]
    pub fn hint(mut self, hint: &str) -> Self {
        self.hint = Some(hint.to_owned());
        self
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What its value can be.
    #[must_use]
    pub fn kind(&self) -> &Kind {
        &self.kind
    }

    /// Whether it has to be there.
    #[must_use]
    pub fn required(&self) -> bool {
        self.required
    }

    /// Where it stands in a structured result.
    #[must_use]
    pub fn pointer(&self) -> Option<&str> {
        self.pointer.as_deref()
    }

    /// What it means.
    #[must_use]
    pub fn meaning(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// Whether its value stays behind as a reference.
    #[must_use]
    pub fn is_sealed(&self) -> bool {
        matches!(self.kind, Kind::Text { .. } | Kind::Texts { .. })
    }

    fn check(&self) -> Result<(), Refused> {
        let name = &self.name;
        let letters = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if !name.starts_with(|c: char| c.is_ascii_alphabetic())
            || !name.chars().all(letters)
            || name.len() > 32
        {
            return refused("a field's name is 1 to 32 letters, digits and _, and starts with a letter");
        }
        let list: Vec<&String> = match &self.kind {
            Kind::Choice(values) => values.iter().collect(),
            Kind::Record(records) => records.iter().flat_map(|(value, id)| [value, id]).collect(),
            _ => return Ok(()),
        };
        if list.is_empty() || list.len() > 2 * MOST_VALUES {
            return refused(format!("{name}: a closed list has 1 to {MOST_VALUES} values"));
        }
        let plain =
            |value: &&String| !value.is_empty() && value.len() <= 64 && !value.chars().any(char::is_control);
        if !list.iter().all(plain) {
            return refused(format!(
                "{name}: a value of a closed list has 1 to 64 bytes and no control characters"
            ));
        }
        if let Kind::Choice(values) = &self.kind {
            let mut sorted: Vec<&String> = values.iter().collect();
            sorted.sort();
            sorted.dedup();
            if sorted.len() != values.len() {
                return refused(format!("{name}: a value is there twice"));
            }
        }
        Ok(())
    }
}
