//! One thing a server offers, as it offered it, and the two hashes that pin it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::canonical;
use super::json::{members, quoted, text};

/// What sort of thing a server offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// A tool, known by its name.
    Tool,
    /// A prompt, known by its name.
    Prompt,
    /// A resource, known by its address.
    Resource,
    /// A resource template, known by its address template.
    Template,
    /// What the server says about itself to every model; there is one.
    Instructions,
}

impl Kind {
    /// Its word, as the command line and REST write it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Kind::Tool => "tool",
            Kind::Prompt => "prompt",
            Kind::Resource => "resource",
            Kind::Template => "template",
            Kind::Instructions => "instructions",
        }
    }

    /// The member that says what it is known by.
    fn key(self) -> &'static str {
        match self {
            Kind::Tool | Kind::Prompt => "name",
            Kind::Resource => "uri",
            Kind::Template => "uriTemplate",
            Kind::Instructions => "",
        }
    }
}

impl FromStr for Kind {
    type Err = ();

    fn from_str(word: &str) -> Result<Kind, ()> {
        [Kind::Tool, Kind::Prompt, Kind::Resource, Kind::Template, Kind::Instructions]
            .into_iter()
            .find(|kind| kind.word() == word)
            .ok_or(())
    }
}

/// Why something can't be approved at all, whatever a person says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Problem {
    /// Larger than the limit for one definition.
    TooLarge,
    /// It nests deeper than any real schema.
    TooDeep,
    /// Two members of one object have the same name, so two readers can read two things.
    RepeatedMember,
    /// A string in it is not text, or a number no number.
    NotText,
    /// The list has this name twice.
    RepeatedName,
    /// The name has characters that can't be seen.
    NameUnsafe,
}

impl Problem {
    /// One sentence for a person.
    pub(crate) fn says(self) -> &'static str {
        match self {
            Problem::TooLarge => "Its definition is larger than the limit for one item.",
            Problem::TooDeep => "Its definition nests deeper than 64 levels.",
            Problem::RepeatedMember => {
                "An object in its definition has the same member twice, so that two readers can read two things."
            }
            Problem::NotText => "A string or a number in its definition can't be read.",
            Problem::RepeatedName => "The server lists this name more than once.",
            Problem::NameUnsafe => "Its name is empty, too long, or has characters that can't be seen.",
        }
    }
}

/// Something a server offers.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Definition {
    pub(crate) kind: Kind,
    /// What it is known by: a name, an address; empty for instructions.
    pub(crate) name: String,
    /// The JSON text the server sent; for what is too large, its beginning as a JSON string.
    pub(crate) raw: String,
    /// SHA-256 of the canonical form of all a model can see.
    pub(crate) hash: String,
    /// SHA-256 of the rest: annotations, icons, `_meta`. A change there is shown and does not hold anything back.
    pub(crate) soft: String,
    pub(crate) problem: Option<Problem>,
}

impl fmt::Debug for Definition {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {:?} {}", self.kind.word(), self.name, self.hash)
    }
}

/// Members that hosts read and models don't.
const SOFT: [&str; 3] = ["annotations", "icons", "_meta"];

impl Definition {
    /// Reads one element of a list. `None` if it is no object or has nothing to be known by.
    pub(crate) fn read(kind: Kind, raw: &str, largest: usize) -> Option<Definition> {
        let object = members(raw)?;
        let name = text(object.one(kind.key())?)?;
        let (mut hard, mut soft) = (Vec::new(), Vec::new());
        for (member, value) in &object.0 {
            let pair = format!("{}:{}", quoted(member), value.get());
            if SOFT.contains(&member.as_ref()) { soft.push(pair) } else { hard.push(pair) }
        }
        let pin = |pairs: &[String]| canonical(&format!("{{{}}}", pairs.join(",")));
        let (mut raw, mut problem) = (raw.to_owned(), name_problem(&name));
        if raw.len() > largest {
            problem = Some(Problem::TooLarge);
        }
        let (hash, soft) = match (problem, pin(&hard), pin(&soft)) {
            (Some(Problem::TooLarge), ..) => (digest(kind, "unread", &raw), String::new()),
            (_, Ok(hard), Ok(soft)) => (digest(kind, "seen", &hard), digest(kind, "soft", &soft)),
            (_, Err(found), _) | (_, _, Err(found)) => {
                problem = problem.or(Some(found));
                (digest(kind, "unread", &raw), String::new())
            }
        };
        if problem == Some(Problem::TooLarge) {
            raw = quoted(&raw.chars().take(2000).collect::<String>());
        }
        Some(Definition { kind, name: name.chars().take(4096).collect(), raw, hash, soft, problem })
    }

    /// A server's instructions.
    pub(crate) fn instructions(text: &str, largest: usize) -> Definition {
        let problem = (text.len() > largest).then_some(Problem::TooLarge);
        let shown: String =
            if problem.is_some() { text.chars().take(2000).collect() } else { text.to_owned() };
        Definition {
            kind: Kind::Instructions,
            name: String::new(),
            raw: quoted(&shown),
            hash: digest(Kind::Instructions, "seen", text),
            soft: String::new(),
            problem,
        }
    }
}

fn name_problem(name: &str) -> Option<Problem> {
    let unsafe_name = name.is_empty()
        || name.len() > 2048
        || name.chars().any(char::is_control)
        || detect::visible(name) != name;
    unsafe_name.then_some(Problem::NameUnsafe)
}

/// SHA-256 over a label and a text, as `sha256:` and lower-case hexadecimal digits.
pub(crate) fn digest(kind: Kind, part: &str, text: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(format!("quarantine {} {part} 1\n", kind.word()).as_bytes());
    hash.update(text.as_bytes());
    hash.finalize().iter().fold(String::from("sha256:"), |mut out, byte| {
        for nibble in [byte >> 4, byte & 15] {
            out.push(char::from_digit(u32::from(nibble), 16).unwrap_or('0'));
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(raw: &str) -> Definition {
        Definition::read(Kind::Tool, raw, 100_000).unwrap()
    }

    #[test]
    fn order_and_spelling_change_nothing_and_every_visible_field_does() {
        let base = tool(r#"{"name":"add","description":"Adds.","inputSchema":{"type":"object","x":1}}"#);
        let same =
            tool(r#"{ "inputSchema":{"x":1.0,"type":"ob\u006aect"}, "description":"Adds.","name":"add"}"#);
        assert_eq!((&base.hash, &base.soft), (&same.hash, &same.soft));
        for other in [
            r#"{"name":"add","description":"Adds!","inputSchema":{"type":"object","x":1}}"#,
            r#"{"name":"add","description":"Adds.","inputSchema":{"type":"object","x":2}}"#,
            r#"{"name":"add","title":"Add","description":"Adds.","inputSchema":{"type":"object","x":1}}"#,
            r#"{"name":"add","description":"Adds.","inputSchema":{"type":"object","x":1},"outputSchema":{}}"#,
            r#"{"name":"add","description":"Adds.","inputSchema":{"type":"object","x":1},"newField":"hi"}"#,
        ] {
            assert_ne!(tool(other).hash, base.hash, "{other}");
            assert_eq!(tool(other).soft, base.soft);
        }
        let noted = tool(
            r#"{"name":"add","description":"Adds.","inputSchema":{"type":"object","x":1},"annotations":{"readOnlyHint":true}}"#,
        );
        assert_eq!(noted.hash, base.hash);
        assert_ne!(noted.soft, base.soft);
    }

    #[test]
    fn what_cannot_be_read_one_way_only_says_why() {
        assert_eq!(tool(r#"{"name":"a","x":{"y":1,"y":2}}"#).problem, Some(Problem::RepeatedMember));
        assert_eq!(tool("{\"name\":\"a\\u0007\"}").problem, Some(Problem::NameUnsafe));
        let large = format!(r#"{{"name":"a","description":"{}"}}"#, "x".repeat(200_000));
        let large = tool(&large);
        assert_eq!(large.problem, Some(Problem::TooLarge));
        assert!(large.raw.len() < 2100);
        assert!(Definition::read(Kind::Tool, r#"{"name":"a","name":"b"}"#, 1000).is_none());
        assert!(Definition::read(Kind::Tool, "[]", 1000).is_none());
    }

    #[test]
    fn a_kind_is_part_of_what_is_pinned() {
        let raw = r#"{"name":"a"}"#;
        let prompt = Definition::read(Kind::Prompt, raw, 1000).unwrap();
        assert_ne!(prompt.hash, tool(raw).hash);
    }
}
