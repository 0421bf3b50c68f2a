//! Looking into JSON text without changing it: which members an object has, and where they stand.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// The members of an object as they are written, in their order, repeated names included.
#[derive(Debug)]
pub(crate) struct Members<'a>(pub(crate) Vec<(Cow<'a, str>, &'a RawValue)>);

/// The elements of an array as they are written.
#[derive(Debug)]
pub(crate) struct Elements<'a>(pub(crate) Vec<&'a RawValue>);

struct Name<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Name<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Name<'de>, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Name<'de>;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a name")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Name<'de>, E> {
                Ok(Name(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Name<'de>, E> {
                Ok(Name(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Text)
    }
}

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Members<'de>, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Members<'de>;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some((Name(name), value)) = map.next_entry::<Name<'de>, &'de RawValue>()? {
                    members.push((name, value));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

impl<'de> Deserialize<'de> for Elements<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Elements<'de>, D::Error> {
        struct Array;
        impl<'de> Visitor<'de> for Array {
            type Value = Elements<'de>;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an array")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Elements<'de>, A::Error> {
                let mut elements = Vec::new();
                while let Some(element) = array.next_element()? {
                    elements.push(element);
                }
                Ok(Elements(elements))
            }
        }
        deserializer.deserialize_seq(Array)
    }
}

/// The members of an object.
pub(crate) fn members(text: &str) -> Option<Members<'_>> {
    serde_json::from_str(text).ok()
}

/// The elements of an array.
pub(crate) fn elements(text: &str) -> Option<Elements<'_>> {
    serde_json::from_str(text).ok()
}

impl<'a> Members<'a> {
    /// The value of a member that is there exactly once.
    pub(crate) fn one(&self, name: &str) -> Option<&'a str> {
        let mut found = self.0.iter().filter(|(key, _)| key == name);
        match (found.next(), found.next()) {
            (Some((_, value)), None) => Some(value.get()),
            _ => None,
        }
    }

    /// True if two members have the same name.
    pub(crate) fn repeated(&self) -> bool {
        let mut names: Vec<&str> = self.0.iter().map(|(name, _)| name.as_ref()).collect();
        names.sort_unstable();
        names.windows(2).any(|pair| matches!(pair, [a, b] if a == b))
    }
}

/// A JSON string's text.
pub(crate) fn text(raw: &str) -> Option<String> {
    serde_json::from_str(raw).ok()
}

/// Text as a JSON string.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_else(|_| String::from("\"\""))
}

/// `whole` with `part`, which is a piece of it, written anew. `None` if it is not a piece of it.
pub(crate) fn replaced(whole: &str, part: &str, with: &str) -> Option<String> {
    let start = (part.as_ptr() as usize).checked_sub(whole.as_ptr() as usize)?;
    let end = start.checked_add(part.len())?;
    let (head, tail) = (whole.get(..start)?, whole.get(end..)?);
    let mut text = String::with_capacity(head.len() + with.len() + tail.len());
    text.push_str(head);
    text.push_str(with);
    text.push_str(tail);
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_named_piece_is_written_anew() {
        let text = r#"{ "x" :1.0, "name": "a", "z":{"name":"b"} }"#;
        let name = members(text).unwrap().one("name").unwrap();
        assert_eq!(replaced(text, name, "\"q\"").unwrap(), r#"{ "x" :1.0, "name": "q", "z":{"name":"b"} }"#);
        assert_eq!(replaced(text, "elsewhere", "x"), None);
    }

    #[test]
    fn a_name_that_is_there_twice_is_nobodys() {
        let twice = members(r#"{"a":1,"\u0061":2}"#).unwrap();
        assert!(twice.repeated());
        assert_eq!(twice.one("a"), None);
    }
}
