//! The few places where the gateway writes into what it carries.

use crate::pin::json::{elements, members, quoted, replaced, text};

/// The text of a member that is a string.
pub(crate) fn string(object: &str, name: &str) -> Option<String> {
    text(members(object)?.one(name)?)
}

/// The object with one member's value, which must be there exactly once, written anew.
pub(crate) fn set(object: &str, name: &str, value: &str) -> Option<String> {
    replaced(object, members(object)?.one(name)?, value)
}

/// The same for a member of a member.
pub(crate) fn set_in(object: &str, outer: &str, name: &str, value: &str) -> Option<String> {
    let inside = members(object)?.one(outer)?;
    replaced(object, members(inside)?.one(name)?, value)
}

/// The object with a member more, at its end. The member must not be there yet.
pub(crate) fn with(object: &str, name: &str, value: &str) -> Option<String> {
    let empty = members(object)?.0.is_empty();
    let head = object.trim_end().strip_suffix('}')?;
    Some(format!("{head}{}{}:{value}}}", if empty { "" } else { "," }, quoted(name)))
}

/// The object without a member; the same text if it isn't there.
pub(crate) fn without(object: &str, name: &str) -> Option<String> {
    let all = members(object)?;
    if !all.0.iter().any(|(key, _)| key == name) {
        return Some(object.to_owned());
    }
    let kept: Vec<String> = all
        .0
        .iter()
        .filter(|(key, _)| key != name)
        .map(|(key, value)| format!("{}:{}", quoted(key), value.get()))
        .collect();
    Some(format!("{{{}}}", kept.join(",")))
}

/// A tool's result with one more block of text before its content.
pub(crate) fn with_notice(result: &str, notice: &str) -> Option<String> {
    let content = members(result)?.one("content")?;
    let blocks = elements(content)?;
    let block = format!("{{\"type\":\"text\",\"text\":{}}}", quoted(notice));
    let inside = content.trim_start().strip_prefix('[')?;
    let comma = if blocks.0.is_empty() { "" } else { "," };
    replaced(result, content, &format!("[{block}{comma}{inside}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_else_stays_as_it_was() {
        let params = r#"{ "arguments":{"name":"x"} , "name":"s__t","_meta":{"progressToken": 7}}"#;
        assert_eq!(
            set(params, "name", "\"t\"").unwrap(),
            r#"{ "arguments":{"name":"x"} , "name":"t","_meta":{"progressToken": 7}}"#
        );
        assert_eq!(
            set_in(params, "_meta", "progressToken", "\"p\"").unwrap(),
            r#"{ "arguments":{"name":"x"} , "name":"s__t","_meta":{"progressToken": "p"}}"#
        );
        assert_eq!(with("{}", "a", "1").unwrap(), r#"{"a":1}"#);
        assert_eq!(with(r#"{"b":2 }"#, "a", "1").unwrap(), r#"{"b":2 ,"a":1}"#);
        assert_eq!(without(r#"{"a":1,"b":2}"#, "a").unwrap(), r#"{"b":2}"#);
    }

    #[test]
    fn the_notice_stands_before_the_content() {
        assert_eq!(
            with_notice(r#"{"content":[ {"type":"text","text":"hi"}],"isError":false}"#, "N").unwrap(),
            r#"{"content":[{"type":"text","text":"N"}, {"type":"text","text":"hi"}],"isError":false}"#
        );
        assert_eq!(
            with_notice(r#"{"content":[]}"#, "N").unwrap(),
            r#"{"content":[{"type":"text","text":"N"}]}"#
        );
        assert_eq!(with_notice(r#"{"content":"x"}"#, "N"), None);
    }
}
