//! Strangers' text with nothing hidden in it.

use alloc::string::String;
/// An agent's words as they are, with every character that would not be seen written out, and on one line.
pub(crate) fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for one in text.chars() {
        match one {
            '\n' => out.push_str("\u{21b5} "),
            '\t' => out.push_str("\u{21e5} "),
            hidden if is_hidden(hidden) => {
                out.push_str("[U+");
                push_hex(&mut out, hidden as u32);
                out.push(']');
            }
            shown => out.push(shown),
        }
    }
    out
}

/// Controls, marks of direction, joiners, fillers, blanks that are no space, variation selectors and tags.
fn is_hidden(one: char) -> bool {
    const RANGES: [(u32, u32); 19] = [
        (0x00, 0x1f),
        (0x7f, 0xa0),
        (0xad, 0xad),
        (0x34f, 0x34f),
        (0x61c, 0x61c),
        (0x115f, 0x1160),
        (0x17b4, 0x17b5),
        (0x180b, 0x180f),
        (0x2000, 0x200f),
        (0x2028, 0x202f),
        (0x205f, 0x206f),
        (0x2800, 0x2800),
        (0x3000, 0x3000),
        (0x3164, 0x3164),
        (0xe000, 0xf8ff),
        (0xfe00, 0xfe0f),
        (0xfeff, 0xfeff),
        (0xffa0, 0xffa0),
        (0xfff0, 0xfffb),
    ];
    let code = one as u32;
    code >= 0xe_0000 || RANGES.iter().any(|&(from, to)| from <= code && code <= to)
}

fn push_hex(out: &mut String, code: u32) {
    let mut started = false;
    for place in (0..6).rev() {
        let digit = (code >> (4 * place)) & 0xf;
        started |= digit != 0 || place < 4;
        if started {
            out.push(char::from_digit(digit, 16).unwrap_or('0').to_ascii_uppercase());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_written_out() {
        assert_eq!(visible("pay\u{202e}me\u{200b}!"), "pay[U+202E]me[U+200B]!");
        assert_eq!(visible("\u{e0041}\u{e007f}"), "[U+E0041][U+E007F]");
        assert_eq!(visible("a\u{0}b\u{feff}"), "a[U+0000]b[U+FEFF]");
    }

    #[test]
    fn words_stay_on_one_line() {
        assert_eq!(visible("one\ntwo\tthree"), "one\u{21b5} two\u{21e5} three");
    }

    #[test]
    fn what_can_be_seen_is_left_as_it_is() {
        assert_eq!(visible("Grüße, 日本 — «ok» 🙂"), "Grüße, 日本 — «ok» 🙂");
    }
}
