//! References in a tool's input, resolved where they may be.

use serde_json::value::RawValue;

use crate::code::Code;
use crate::members::Members;
use crate::names::Name;
use crate::sink::{Refusal, Sink};
use crate::store::{Opened, Session};

/// Deeper inputs are refused.
const DEEPEST: usize = 64;

/// A tool's input after its references were looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolved {
    /// There is none: the input stays what it is.
    None,
    /// All were resolved: the whole new input, and which reference went where, with the value's length in characters
    /// and how many of them can't be seen.
    All(String, Vec<Resolution>),
    /// One may not be resolved here.
    Refused(Name, String, Refusal),
    /// One is not of this session, or is written together with something that could belong to its name.
    Unknown,
    /// The input is nested too deeply, or is no object.
    Unreadable,
}

/// One reference that was resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolution {
    /// The reference.
    pub name: Name,
    /// The argument.
    pub argument: String,
    /// The tool it came from.
    pub tool: String,
    /// Characters of its value.
    pub characters: usize,
    /// Characters that can't be seen.
    pub hidden: usize,
}

/// Resolves every reference in the string values of an input. Names of members are left as they are, a value that holds
/// another reference is not looked at again, and numbers and their digits stay as they were written.
///
/// # Errors
/// The store can't be read.
pub fn resolve(
    input: &RawValue,
    sink: &Sink,
    namespace: &str,
    session: Option<&Session>,
) -> Result<Resolved, Code> {
    let mut work = Work { sink, namespace, session, done: Vec::new() };
    let text = input.get().trim();
    if !text.starts_with('{') {
        return Ok(if text.contains('$') { Resolved::Unreadable } else { Resolved::None });
    }
    match work.value(text, &mut Vec::new()) {
        Ok(_) if work.done.is_empty() => Ok(Resolved::None),
        Ok(text) => Ok(Resolved::All(text, work.done)),
        Err(Stop::Answer(answer)) => Ok(answer),
        Err(Stop::Code(code)) => Err(code),
    }
}

enum Stop {
    Answer(Resolved),
    Code(Code),
}

struct Work<'a> {
    sink: &'a Sink,
    namespace: &'a str,
    session: Option<&'a Session>,
    done: Vec<Resolution>,
}

impl Work<'_> {
    fn value(&mut self, text: &str, path: &mut Vec<Option<String>>) -> Result<String, Stop> {
        if path.len() > DEEPEST {
            return Err(Stop::Answer(Resolved::Unreadable));
        }
        let unreadable = || Stop::Answer(Resolved::Unreadable);
        match text.as_bytes().first() {
            Some(b'{') => {
                let members = Members::read(text).ok_or_else(unreadable)?;
                let mut parts = Vec::new();
                for (name, value) in members.iter() {
                    path.push(Some(name.to_owned()));
                    let value = self.value(value.get(), path)?;
                    path.pop();
                    parts.push(format!("{}:{value}", quoted(name)?));
                }
                Ok(format!("{{{}}}", parts.join(",")))
            }
            Some(b'[') => {
                let items: Vec<&RawValue> = serde_json::from_str(text).map_err(|_| unreadable())?;
                let mut parts = Vec::new();
                for item in items {
                    path.push(None);
                    parts.push(self.value(item.get(), path)?);
                    path.pop();
                }
                Ok(format!("[{}]", parts.join(",")))
            }
            Some(b'"') => {
                // One that can't be decoded can't hold a reference either: it would not be one of ours.
                let Ok(string) = serde_json::from_str::<String>(text) else { return Ok(text.to_owned()) };
                let path: Vec<&str> = path.iter().flatten().map(String::as_str).collect();
                match self.string(&string, &path)? {
                    Some(string) => quoted(&string),
                    None => Ok(text.to_owned()),
                }
            }
            _ => Ok(text.to_owned()),
        }
    }

    fn string(&mut self, string: &str, path: &[&str]) -> Result<Option<String>, Stop> {
        let mut out = String::new();
        let mut rest = string;
        let mut changed = false;
        while let Some(at) = rest.find('$') {
            let (before, from) = rest.split_at(at);
            out.push_str(before);
            let after = from.get(1..).unwrap_or_default();
            match Token::at(after) {
                Token::Text => {
                    out.push('$');
                    rest = after;
                }
                Token::Unclear => return Err(Stop::Answer(Resolved::Unknown)),
                Token::Reference(name, length) => {
                    out.push_str(&self.open(&name, path)?.text);
                    changed = true;
                    rest = after.get(length..).unwrap_or_default();
                }
            }
        }
        out.push_str(rest);
        Ok(changed.then_some(out))
    }

    fn open(&mut self, name: &Name, path: &[&str]) -> Result<Opened, Stop> {
        let found = match self.session {
            None => None,
            Some(session) => session.open_reference(name).map_err(Stop::Code)?,
        };
        let Some(opened) = found else { return Err(Stop::Answer(Resolved::Unknown)) };
        let argument = path.join(".");
        if let Err(refusal) = self.sink.allows(self.namespace, path, &opened.origin) {
            return Err(Stop::Answer(Resolved::Refused(name.clone(), argument, refusal)));
        }
        let characters = opened.text.chars().count();
        self.done.push(Resolution {
            name: name.clone(),
            argument,
            tool: opened.origin.tool.clone(),
            characters,
            hidden: hidden(&opened.text),
        });
        Ok(opened)
    }
}

/// Characters that a person who is asked would not see.
fn hidden(text: &str) -> usize {
    let is_hidden = |c: &char| {
        (c.is_control() && !matches!(c, '\n' | '\t' | '\r'))
            || matches!(u32::from(*c),
                0xAD | 0x61C | 0x180E | 0x200B..=0x200F | 0x202A..=0x202E | 0x2060..=0x206F | 0xFE00..=0xFE0F
                | 0xFEFF | 0xFFF9..=0xFFFB | 0xE000..=0xF8FF | 0xE0000..=0xE01EF)
    };
    text.chars().filter(is_hidden).count()
}

fn quoted(text: &str) -> Result<String, Stop> {
    serde_json::to_string(text).map_err(|_| Stop::Code(Code::Internal))
}

enum Token {
    /// A `$` that is only that.
    Text,
    /// A reference, and how many bytes of it stand behind the `$`.
    Reference(Name, usize),
    /// Something that could be meant as one.
    Unclear,
}

impl Token {
    /// What stands behind a `$`: `NAME`, or `{NAME}`. Prices, shell variables without `_`, a lone `$` and a backslash are
    /// text.
    fn at(after: &str) -> Self {
        let (braced, inside) = after.strip_prefix('{').map_or((false, after), |inside| (true, inside));
        let end = inside.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(inside.len());
        let (word, behind) = inside.split_at(end);
        // As in `$TC42_BODYs`: greedy, so it is another name. Somebody meant ours.
        let capitals = word.trim_start_matches(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit());
        let looks_like_ours = word.contains('_') && capitals.starts_with('_') && !word.starts_with('_');
        match Name::parse(word) {
            Some(name) if !braced => Self::Reference(name, word.len()),
            Some(name) if behind.starts_with('}') => Self::Reference(name, word.len() + 2),
            // `${NAME:default}`, or no end: a default would be the agent's words in the place of a value.
            Some(_) => Self::Unclear,
            None if looks_like_ours => Self::Unclear,
            None => Self::Text,
        }
    }
}
