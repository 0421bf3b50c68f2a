//! Text within text: base64, hex, percent signs, entities, escapes. Each piece of a text is read in one way, so that
//! the work stays in proportion to the text; what is found is read again, a few levels deep.

mod rare;

use std::{ops::Range, sync::LazyLock};

use aho_corasick::AhoCorasick;

/// How many levels are opened.
pub(crate) const DEEPEST: usize = 4;

/// A piece of a text that says something else when it is decoded.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Decoded {
    /// Bytes in the text.
    pub(crate) span: Range<usize>,
    /// What it says.
    pub(crate) text: String,
    /// How it was written.
    pub(crate) how: &'static str,
}

/// Opens what is encoded. Pieces in order of their kind, none of a kind overlapping another.
pub(crate) fn find(text: &str) -> Vec<Decoded> {
    let mut found = runs(text);
    if text.contains('%') {
        found.extend(percent(text));
    }
    if text.contains("&#") || text.contains("&lt;") || text.contains("&amp;") || text.contains("&quot;") {
        found.extend(entities(text));
    }
    if text.contains('\\') {
        found.extend(escapes(text));
    }
    found.extend(spaced_hex(text));
    found.extend(numbers(text));
    found.extend(rare::find(text));
    found
}

/// Base64, base64url and hex.
fn runs(text: &str) -> Vec<Decoded> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let length = run_length(bytes.get(at..).unwrap_or(&[]));
        if length < 16 {
            at += length.max(1);
            continue;
        }
        let (end, value) = with_wrapped_lines(bytes, at, length);
        if let Some((text, how)) = open(&value) {
            found.push(Decoded { span: at..end, text, how });
            at = end;
        } else {
            // The run may begin with a path or a word that is not part of it.
            let run = bytes.get(at..at + length).filter(|_| end == at + length).unwrap_or(&[]);
            let cut = run.iter().rposition(|byte| matches!(byte, b'/' | b'-' | b'_'));
            if let Some(cut) = cut.filter(|cut| length - cut > 16)
                && let Some((text, how)) = open(run.get(cut + 1..).unwrap_or(&[]))
            {
                found.push(Decoded { span: at + cut + 1..at + length, text, how });
            }
            at = end;
        }
    }
    found
}

fn run_length(bytes: &[u8]) -> usize {
    let body = bytes.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"+/-_".contains(byte)).count();
    let padding = bytes.get(body..).unwrap_or(&[]).iter().take(2).take_while(|byte| **byte == b'=').count();
    if body == 0 { 0 } else { body + padding }
}

/// Lines of equal length, as mail and PEM wrap them, are one run.
fn with_wrapped_lines(bytes: &[u8], at: usize, first: usize) -> (usize, Vec<u8>) {
    let mut value = bytes.get(at..at + first).unwrap_or(&[]).to_vec();
    let mut end = at + first;
    if first < 56 {
        return (end, value);
    }
    loop {
        let rest = bytes.get(end..).unwrap_or(&[]);
        let skip = if rest.starts_with(b"\r\n") {
            2
        } else if rest.starts_with(b"\n") {
            1
        } else {
            break;
        };
        let next = run_length(rest.get(skip..).unwrap_or(&[]));
        if next == 0 || next > first || (next < first && next < 4) {
            break;
        }
        value.extend(rest.get(skip..skip + next).unwrap_or(&[]));
        end += skip + next;
        if next < first {
            break;
        }
    }
    (end, value)
}

fn open(run: &[u8]) -> Option<(String, &'static str)> {
    let hex = run.len().is_multiple_of(2) && run.iter().all(u8::is_ascii_hexdigit);
    if hex && let Some(text) = printable(&unhex(run.iter().copied())) {
        return Some((text, "hex"));
    }
    // A single word or number is never taken for base64: there has to be some variety.
    let url = run.iter().any(|byte| matches!(byte, b'-' | b'_'));
    let standard = run.iter().any(|byte| matches!(byte, b'+' | b'/'));
    if url && standard {
        return None;
    }
    let text = printable(&unbase64(run)?)?;
    Some((text, if url { "base64url" } else { "base64" }))
}

fn unhex(digits: impl Iterator<Item = u8>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut high = None;
    for digit in digits {
        let value = (digit as char).to_digit(16).unwrap_or(0) as u8;
        match high.take() {
            None => high = Some(value),
            Some(first) => bytes.push(first << 4 | value),
        }
    }
    bytes
}

fn unbase64(run: &[u8]) -> Option<Vec<u8>> {
    let end = run.iter().position(|byte| *byte == b'=').unwrap_or(run.len());
    let body = run.get(..end)?;
    if body.len() % 4 == 1 {
        return None;
    }
    let mut bytes = Vec::with_capacity(body.len() * 3 / 4);
    let mut held = 0u32;
    let mut bits = 0u32;
    for byte in body {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        held = held << 6 | u32::from(value);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits) as u8);
            held &= (1 << bits) - 1;
        }
    }
    Some(bytes)
}

/// The text of some bytes, where they are text: UTF-8, or the two-byte letters PowerShell takes.
fn printable(bytes: &[u8]) -> Option<String> {
    if bytes.len() < 6 {
        return None;
    }
    let zeros = bytes.iter().skip(1).step_by(2).filter(|byte| **byte == 0).count();
    let text = if zeros * 2 >= bytes.len() - 1 && bytes.len() >= 12 {
        let units = bytes.chunks_exact(2).map(|pair| match pair {
            [low, high] => u16::from_le_bytes([*low, *high]),
            _ => 0,
        });
        char::decode_utf16(units).collect::<Result<String, _>>().ok()?
    } else {
        std::str::from_utf8(bytes).ok()?.to_owned()
    };
    let letters = text.chars().count();
    let readable = text.chars().filter(|letter| !letter.is_control() || letter.is_whitespace()).count();
    (letters >= 6 && readable * 20 >= letters * 19).then_some(text)
}

/// `%69%67%6e…`: at least three in a run without spaces.
fn percent(text: &str) -> Vec<Decoded> {
    let mut found = Vec::new();
    let mut start = 0;
    for piece in
        text.split_inclusive(|letter: char| letter.is_whitespace() || matches!(letter, '"' | '<' | '>' | '`'))
    {
        let signs = piece.bytes().filter(|byte| *byte == b'%').count();
        if signs >= 3 {
            let (bytes, decoded) = unpercent(piece.as_bytes());
            if decoded >= 3
                && let Ok(text) = String::from_utf8(bytes)
            {
                found.push(Decoded {
                    span: start..start + piece.len(),
                    text: text.replace('+', " "),
                    how: "percent signs",
                });
            }
        }
        start += piece.len();
    }
    found
}

fn unpercent(bytes: &[u8]) -> (Vec<u8>, usize) {
    let mut out = Vec::with_capacity(bytes.len());
    let mut decoded = 0;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let digits =
            bytes.get(at + 1..at + 3).filter(|pair| *byte == b'%' && pair.iter().all(u8::is_ascii_hexdigit));
        if let Some(pair) = digits {
            out.extend(unhex(pair.iter().copied()));
            decoded += 1;
            at += 3;
        } else {
            out.push(*byte);
            at += 1;
        }
    }
    (out, decoded)
}

/// How far apart two pieces of one encoded text may be, in bytes.
const GAP: usize = 12;

/// Gathers neighbouring pieces: from the first to the last, with what stands between them.
struct Gather {
    how: &'static str,
    fewest: usize,
    out: Vec<Decoded>,
    span: Range<usize>,
    text: String,
    count: usize,
}

impl Gather {
    fn new(how: &'static str, fewest: usize) -> Self {
        Self { how, fewest, out: Vec::new(), span: 0..0, text: String::new(), count: 0 }
    }

    fn piece(&mut self, source: &str, span: Range<usize>, letter: char) {
        if self.count > 0 && span.start.saturating_sub(self.span.end) > GAP {
            self.close(source);
        }
        if self.count == 0 {
            self.span = span.clone();
        } else {
            self.text.push_str(source.get(self.span.end..span.start).unwrap_or(""));
        }
        self.text.push(letter);
        self.span.end = span.end;
        self.count += 1;
    }

    fn close(&mut self, source: &str) {
        let mut text = std::mem::take(&mut self.text);
        if self.count >= self.fewest {
            // The word that the last piece begins ends in plain letters.
            let rest = source.get(self.span.end..).unwrap_or("");
            let tail = rest.char_indices().take(40).find(|(_, letter)| matches!(letter, '\\' | '&' | '\n'));
            let tail = tail.map_or(crate::excerpt::boundary(rest, 40), |(at, _)| at);
            text.push_str(rest.get(..tail).unwrap_or(""));
            self.out.push(Decoded { span: self.span.clone(), text, how: self.how });
        }
        self.count = 0;
    }
}

/// `&#105;&#x67;…`: at least four near each other.
fn entities(text: &str) -> Vec<Decoded> {
    let mut gather = Gather::new("HTML entities", 4);
    for (at, _) in text.match_indices('&') {
        let rest = text.get(at..).unwrap_or("");
        let Some(end) = rest.bytes().take(12).position(|byte| byte == b';') else { continue };
        let name = rest.get(1..end).unwrap_or("");
        let letter = match name {
            "lt" => Some('<'),
            "gt" => Some('>'),
            "amp" => Some('&'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            "nbsp" => Some(' '),
            "colon" => Some(':'),
            "sol" => Some('/'),
            "period" => Some('.'),
            "NewLine" => Some('\n'),
            _ => name.strip_prefix('#').and_then(|number| {
                let code = match number.strip_prefix(['x', 'X']) {
                    Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                    None => number.parse().ok()?,
                };
                char::from_u32(code)
            }),
        };
        if let Some(letter) = letter {
            gather.piece(text, at..at + end + 1, letter);
        }
    }
    gather.close(text);
    gather.out
}

/// `\u0069`, `\u{69}`, `\x69`, `\U00000069`, `\151`: at least four near each other.
fn escapes(text: &str) -> Vec<Decoded> {
    let mut gather = Gather::new("escapes", 4);
    let mut next = 0;
    for (at, _) in text.match_indices('\\') {
        if at < next {
            continue;
        }
        let rest = text.get(at + 1..).unwrap_or("");
        let hex = |from: usize, length: usize| {
            let digits = rest.get(from..from + length)?;
            digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(())?;
            char::from_u32(u32::from_str_radix(digits, 16).ok()?).map(|letter| (letter, from + length))
        };
        let read = match rest.bytes().next() {
            Some(b'u') if rest.starts_with("u{") => rest.get(2..).and_then(|digits| {
                let end = digits.bytes().take(8).position(|byte| byte == b'}')?;
                let code = u32::from_str_radix(digits.get(..end)?, 16).ok()?;
                char::from_u32(code).map(|letter| (letter, end + 3))
            }),
            Some(b'u') => hex(1, 4),
            Some(b'U') => hex(1, 8),
            Some(b'x') => hex(1, 2),
            Some(b'0'..=b'3') => rest.get(..3).and_then(|digits| {
                let code = u32::from_str_radix(digits, 8).ok()?;
                char::from_u32(code).filter(char::is_ascii).map(|letter| (letter, 3))
            }),
            _ => None,
        };
        if let Some((letter, length)) = read {
            next = at + 1 + length;
            gather.piece(text, at..next, letter);
        }
    }
    gather.close(text);
    gather.out
}

/// `69 67 6e 6f` and `0x69, 0x67`: at least eight pairs.
fn spaced_hex(text: &str) -> Vec<Decoded> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        if before.is_some_and(u8::is_ascii_alphanumeric) || !bytes.get(at).is_some_and(u8::is_ascii_hexdigit)
        {
            at += 1;
            continue;
        }
        let mut digits = Vec::new();
        let mut end = at;
        loop {
            let rest = bytes.get(end..).unwrap_or(&[]);
            let skip = if rest.starts_with(b"0x") { 2 } else { 0 };
            let pair = rest.get(skip..skip + 2).filter(|pair| pair.iter().all(u8::is_ascii_hexdigit));
            let ends = !rest.get(skip + 2).is_some_and(u8::is_ascii_alphanumeric);
            let Some(pair) = pair.filter(|_| ends) else { break };
            digits.extend(pair);
            end += skip + 2;
            let gap = bytes
                .get(end..)
                .unwrap_or(&[])
                .iter()
                .take(2)
                .take_while(|byte| b" ,:".contains(byte))
                .count();
            if gap == 0 {
                break;
            }
            end += gap;
        }
        if digits.len() >= 16
            && let Some(text) = printable(&unhex(digits.into_iter()))
        {
            found.push(Decoded { span: at..end, text, how: "hex" });
        }
        at = end.max(at + 1);
    }
    found
}

/// `01001001 01100111` and `105 103 110`: at least eight numbers in a row that are letters.
fn numbers(text: &str) -> Vec<Decoded> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        if before.is_some_and(u8::is_ascii_alphanumeric) || !bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
            continue;
        }
        let mut letters = Vec::new();
        let mut end = at;
        let mut how = "";
        loop {
            let digits = bytes
                .get(end..)
                .unwrap_or(&[])
                .iter()
                .take(9)
                .take_while(|byte| byte.is_ascii_digit())
                .count();
            let number = text.get(end..end + digits).unwrap_or("");
            let (radix, name) = if digits == 8 { (2, "binary numbers") } else { (10, "numbers") };
            let value = u8::from_str_radix(number, radix)
                .ok()
                .filter(|value| *value == b'\n' || (32..127).contains(value));
            let Some(value) = value.filter(|_| digits >= 2 && (how.is_empty() || how == name)) else { break };
            how = name;
            letters.push(value);
            end += digits;
            let gap = bytes
                .get(end..)
                .unwrap_or(&[])
                .iter()
                .take(2)
                .take_while(|byte| b" ,".contains(byte))
                .count();
            if gap == 0 {
                break;
            }
            end += gap;
        }
        if letters.len() >= 8
            && let Some(text) = printable(&letters)
        {
            found.push(Decoded { span: at..end, text, how });
        }
        at = end.max(at + 1);
    }
    found
}

/// What a decoded text is when it is meant for a shell: certain on its own.
const COMMANDS: &[&str] = &[
    "| sh",
    "|sh",
    "| bash",
    "|bash",
    "| zsh",
    "|python",
    "| python",
    "rm -rf",
    "rm -fr",
    "/dev/tcp/",
    "nc -e",
    "ncat -e",
    "bash -i",
    "sh -i",
    "chmod +x",
    "chmod 777",
    "mkfifo",
    "/bin/sh",
    "/bin/bash",
    "os.system(",
    "base64 -d",
    "base64 --decode",
    "invoke-expression",
    "iex(",
    "iex (",
    "downloadstring",
    "frombase64string",
    "powershell -",
    "powershell.exe",
    "certutil -",
    "<script",
    "subprocess.",
    "exec(",
    "eval(",
    "curl http",
    "curl -",
    "wget http",
    "wget -",
    "cmd /c",
    "cmd.exe",
    "crontab",
    "authorized_keys",
    "nohup ",
    "del /f",
    "format c:",
    ":(){",
    "document.cookie",
    "xp_cmdshell",
];

static COMMAND: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::builder().ascii_case_insensitive(true).build(COMMANDS).ok());

/// Whether a decoded text is a command.
pub(crate) fn is_command(text: &str) -> bool {
    COMMAND.as_ref().is_some_and(|commands| commands.is_match(text)) || has_numbered_host(text)
}

/// `198.51.100.7:4444`
fn has_numbered_host(text: &str) -> bool {
    text.split(|letter: char| !(letter.is_ascii_digit() || letter == '.' || letter == ':')).any(|piece| {
        let Some((host, port)) = piece.split_once(':') else { return false };
        let numbers = host.split('.').filter(|part| part.parse::<u8>().is_ok()).count();
        numbers == 4 && host.split('.').count() == 4 && port.parse::<u16>().is_ok()
    })
}
