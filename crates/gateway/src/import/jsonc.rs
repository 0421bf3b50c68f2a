//! JSON with comments and trailing commas, as editors write it.

/// The same text with comments and trailing commas turned into spaces, so that it is JSON and every place in it is
/// where it was.
pub(crate) fn plain(text: &str) -> String {
    let mut out = text.as_bytes().to_vec();
    let mut in_string = false;
    let mut comma: Option<usize> = None;
    let mut at = 0;
    let byte = |at: usize| text.as_bytes().get(at).copied();
    let mut blank = |from: usize, to: usize| {
        for place in out.iter_mut().take(to).skip(from) {
            if !matches!(*place, b'\n' | b'\r') {
                *place = b' ';
            }
        }
    };
    while let Some(now) = byte(at) {
        let next = byte(at + 1);
        match (now, next) {
            (b'\\', _) if in_string => at += 1,
            (b'"', _) => {
                in_string = !in_string;
                comma = None;
            }
            _ if in_string => {}
            (b'/', Some(b'/')) => {
                let end = text.as_bytes().iter().skip(at).position(|byte| *byte == b'\n');
                let end = end.map_or(text.len(), |length| at + length);
                blank(at, end);
                at = end;
                continue;
            }
            (b'/', Some(b'*')) => {
                let end = text.get(at + 2..).and_then(|rest| rest.find("*/"));
                let end = end.map_or(text.len(), |length| at + 2 + length + 2);
                blank(at, end);
                at = end;
                continue;
            }
            (b',', _) => comma = Some(at),
            (b'}' | b']', _) => {
                if let Some(comma) = comma.take() {
                    blank(comma, comma + 1);
                }
            }
            (b' ' | b'\t' | b'\n' | b'\r', _) => {}
            _ => comma = None,
        }
        at += 1;
    }
    // Only ASCII was written, over whole comments.
    String::from_utf8(out).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn what_is_left_is_json_at_the_same_places() {
        let text = "{ // é a comment\n \"a\": \"// no\\\" /* no */\", /* b\n */ \"c\": [1, 2, ], }\n";
        let json = plain(text);
        assert_eq!(json.len(), text.len());
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(value, serde_json::json!({ "a": "// no\" /* no */", "c": [1, 2] }));
    }
}
