//! Ways of writing that are rarely met: base32, base85 in its two alphabets, Morse.

use super::{Decoded, printable};

/// Opens them: in runs without spaces, but for Morse.
pub(super) fn find(text: &str) -> Vec<Decoded> {
    let mut found = Vec::new();
    let mut start = 0;
    for piece in text.split_inclusive(|letter: char| letter.is_whitespace() || matches!(letter, '"')) {
        let run = piece.trim_end_matches(|letter: char| letter.is_whitespace() || letter == '"');
        if run.len() >= 24
            && let Some((text, how)) = open(run.as_bytes())
        {
            found.push(Decoded { span: start..start + run.len(), text, how });
        }
        start += piece.len();
    }
    found.extend(morse(text));
    found
}

fn open(run: &[u8]) -> Option<(String, &'static str)> {
    let body = run.iter().rposition(|byte| *byte != b'=').map_or(0, |last| last + 1);
    let letters = run.get(..body)?;
    if letters.iter().all(|byte| byte.is_ascii_uppercase() || (b'2'..=b'7').contains(byte)) {
        return Some((prose(&printable(&base32(letters))?)?, "base32"));
    }
    if let Some(inner) = run.strip_prefix(b"<~") {
        let end = inner.windows(2).position(|pair| pair == b"~>").unwrap_or(inner.len());
        return Some((prose(&printable(&base85(inner.get(..end)?, ascii85)?)?)?, "base85"));
    }
    let signs = run.iter().filter(|byte| byte.is_ascii_punctuation()).count();
    if signs * 16 < run.len() || run.windows(3).any(|three| three == b"://") {
        return None;
    }
    let text = base85(run, rfc1924).or_else(|| base85(run, ascii85))?;
    Some((prose(&printable(&text)?)?, "base85"))
}

/// The text where it is words with spaces: anything may decode to something.
fn prose(text: &str) -> Option<String> {
    let letters = text.chars().filter(|letter| letter.is_alphabetic() || *letter == ' ').count();
    let spaces = text.chars().filter(|letter| *letter == ' ').count();
    (letters * 5 >= text.chars().count() * 4 && spaces >= 2).then(|| text.to_owned())
}

fn base32(letters: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(letters.len() * 5 / 8);
    let (mut held, mut bits) = (0u32, 0u32);
    for letter in letters {
        let value = if letter.is_ascii_uppercase() { letter - b'A' } else { letter - b'2' + 26 };
        held = held << 5 | u32::from(value);
        bits += 5;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits) as u8);
            held &= (1 << bits) - 1;
        }
    }
    bytes
}

fn ascii85(byte: u8) -> Option<u32> {
    (b'!'..=b'u').contains(&byte).then(|| u32::from(byte - b'!'))
}

fn rfc1924(byte: u8) -> Option<u32> {
    let signs = b"!#$%&()*+-;<=>?@^_`{|}~";
    match byte {
        b'0'..=b'9' => Some(u32::from(byte - b'0')),
        b'A'..=b'Z' => Some(u32::from(byte - b'A') + 10),
        b'a'..=b'z' => Some(u32::from(byte - b'a') + 36),
        _ => signs.iter().position(|sign| *sign == byte).map(|at| at as u32 + 62),
    }
}

fn base85(run: &[u8], digit: fn(u8) -> Option<u32>) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(run.len() * 4 / 5);
    for group in run.chunks(5) {
        let mut value = 0u64;
        for at in 0..5 {
            let next = match group.get(at) {
                Some(byte) => digit(*byte)?,
                None => 84,
            };
            value = value * 85 + u64::from(next);
        }
        let value = u32::try_from(value).ok()?;
        bytes.extend(value.to_be_bytes().iter().take(group.len().saturating_sub(1)));
    }
    Some(bytes)
}

const MORSE: &[&str] = &[
    ".-", "-...", "-.-.", "-..", ".", "..-.", "--.", "....", "..", ".---", "-.-", ".-..", "--", "-.", "---",
    ".--.", "--.-", ".-.", "...", "-", "..-", "...-", ".--", "-..-", "-.--", "--..",
];

/// At least twelve signs in a row; words are apart by a slash or more space.
fn morse(text: &str) -> Vec<Decoded> {
    let mut found = Vec::new();
    let (mut start, mut end, mut count) = (0, 0, 0);
    let mut said = String::new();
    let mut at = 0;
    for piece in text.split_inclusive([' ', '\n']) {
        let sign = piece.trim_end();
        let letter = MORSE
            .iter()
            .position(|known| *known == sign)
            .and_then(|at| char::from_u32('a' as u32 + at as u32));
        match (letter, sign) {
            (Some(letter), _) => {
                if count == 0 {
                    start = at;
                }
                said.push(letter);
                count += 1;
                end = at + sign.len();
            }
            (None, "/" | "|" | "") if count > 0 => said.push(' '),
            _ => {
                close(&mut found, &mut said, start..end, count);
                count = 0;
            }
        }
        at += piece.len();
    }
    close(&mut found, &mut said, start..end, count);
    found
}

fn close(found: &mut Vec<Decoded>, said: &mut String, span: std::ops::Range<usize>, count: usize) {
    let text = std::mem::take(said);
    if count >= 12 {
        found.push(Decoded { span, text, how: "Morse" });
    }
}
