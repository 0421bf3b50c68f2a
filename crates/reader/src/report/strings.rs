//! The strings of a JSON text, each with the line on which it begins. Names of members are strings, too.

/// Finds them. The text has to be JSON.
pub(super) fn of(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let (mut line, mut rest) = (1_usize, text);
    while let Some(at) = rest.find('"') {
        line += rest.get(..at).unwrap_or_default().matches('\n').count();
        let from = rest.get(at..).unwrap_or_default();
        let end = end(from);
        let literal = from.get(..end).unwrap_or_default();
        // One that can't be decoded is read as it stands.
        let string = serde_json::from_str(literal).unwrap_or_else(|_| literal.to_owned());
        found.push((line, string));
        rest = from.get(end..).unwrap_or_default();
    }
    found
}

/// Just behind the closing quotation mark of the string that a text begins with.
fn end(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}
