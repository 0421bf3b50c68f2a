//! Text of strangers as plain text: what is hidden in it is made visible, and what is very long is folded.

/// How many characters are shown before the fold.
const SHOWN: usize = 1_500;
/// How many lines are shown before the fold.
const LINES: usize = 24;
/// How many marks for hidden characters one text gets; a text made of nothing else must not become a page of marks.
const MARKS: usize = 400;
/// How many accents may stand on one letter before they count as hidden.
const ACCENTS: usize = 4;

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Shown as it is.
    Text(String),
    /// Characters that would not be seen, or would change how others are seen.
    Hidden {
        /// What stands in the text: `U+202E`, `U+200B ×3`, `tags “pay now”`.
        label: String,
        /// What it is.
        name: &'static str,
    },
}

/// A text, ready to be written into a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plain {
    /// Before the fold.
    pub shown: Vec<Piece>,
    /// After the fold.
    pub folded: Vec<Piece>,
    /// How many characters are folded.
    pub folded_chars: usize,
    /// True if something in it was hidden.
    pub hides: bool,
}

impl Plain {
    /// A message: line breaks stay, and a long one is folded.
    pub fn message(text: &str) -> Plain {
        let text = text.replace("\r\n", "\n");
        let text = text.trim_end();
        let at = fold_at(text);
        let (shown, folded) = text.split_at(at);
        let mut marks = MARKS;
        let shown = pieces(shown, &mut marks);
        let folded_chars = folded.chars().count();
        let folded = pieces(folded, &mut marks);
        let hides = shown.iter().chain(&folded).any(|piece| matches!(piece, Piece::Hidden { .. }));
        Plain { shown, folded, folded_chars, hides }
    }

    /// A name or a subject: one line, cut after `most` characters.
    pub fn line(text: &str, most: usize) -> Plain {
        let mut line: String =
            text.split(['\n', '\t', '\r']).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
        if let Some((at, _)) = line.char_indices().nth(most) {
            line.truncate(at);
            line.push('…');
        }
        let shown = pieces(&line, &mut MARKS.min(most));
        let hides = shown.iter().any(|piece| matches!(piece, Piece::Hidden { .. }));
        Plain { shown, folded: Vec::new(), folded_chars: 0, hides }
    }
}

/// Where a text is folded, in bytes. A text that is only a little too long is not folded.
fn fold_at(text: &str) -> usize {
    let by_chars = text.char_indices().nth(SHOWN).map(|(at, _)| at);
    let by_lines = text.match_indices('\n').nth(LINES).map(|(at, _)| at + 1);
    let at = by_chars.into_iter().chain(by_lines).min().unwrap_or(text.len());
    let rest = text.get(at..).unwrap_or_default();
    let shown = text.get(..at).unwrap_or_default();
    // Between words, if one ends shortly before.
    let at = match shown.rfind([' ', '\n']) {
        Some(space) if at - space < 80 => space + 1,
        _ => at,
    };
    let little = rest.chars().nth(SHOWN / 10).is_none() && rest.matches('\n').count() < LINES / 4;
    if little { text.len() } else { at }
}

fn pieces(text: &str, marks: &mut usize) -> Vec<Piece> {
    let mut out = Vec::new();
    let mut plain = String::new();
    let mut chars = text.chars().peekable();
    let mut before = None;
    let mut accents = 0;
    while let Some(char) = chars.next() {
        accents = if accent(char) { accents + 1 } else { 0 };
        let piled = accents > ACCENTS;
        let name = if piled { Some("too many accents on one letter") } else { hidden(char) };
        let Some(name) = name.filter(|_| piled || !belongs(before, char, chars.peek().copied())) else {
            plain.push(char);
            before = Some(char);
            continue;
        };
        let mut run = vec![char];
        while let Some(next) = chars.next_if(|next| {
            if piled { accent(*next) } else { *next == char || (tag(char).is_some() && tag(*next).is_some()) }
        }) {
            run.push(next);
        }
        before = None;
        if *marks == 0 {
            plain.push('\u{fffd}');
            continue;
        }
        *marks -= 1;
        if !plain.is_empty() {
            out.push(Piece::Text(std::mem::take(&mut plain)));
        }
        out.push(Piece::Hidden { label: label(&run), name });
    }
    if !plain.is_empty() {
        out.push(Piece::Text(plain));
    }
    out
}

fn label(run: &[char]) -> String {
    let tags: String = run.iter().filter_map(|char| tag(*char)).take(120).collect();
    let first = run.first().copied().unwrap_or_default();
    if !tags.is_empty() && run.len() > 1 {
        format!("tags “{tags}”")
    } else if run.len() > 1 {
        format!("U+{:04X} ×{}", u32::from(first), run.len())
    } else {
        format!("U+{:04X}", u32::from(first))
    }
}

/// The letter that a tag character stands for. A run of them is a message nobody sees.
fn tag(char: char) -> Option<char> {
    let code = u32::from(char).checked_sub(0xe_0000)?;
    char::from_u32(code).filter(|letter| (' '..='~').contains(letter))
}

fn accent(char: char) -> bool {
    matches!(char, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}

/// True where a character that is otherwise hidden does honest work: it joins two letters or emoji, or picks an
/// emoji's look.
fn belongs(before: Option<char>, char: char, after: Option<char>) -> bool {
    let visible = |side: Option<char>| side.is_some_and(|side| !side.is_ascii() && hidden(side).is_none());
    let joins = |side: Option<char>| visible(side) || side == Some('\u{fe0f}');
    match char {
        '\u{200c}' | '\u{200d}' => (visible(before) || before == Some('\u{fe0f}')) && joins(after),
        '\u{fe0e}' | '\u{fe0f}' => visible(before),
        _ => false,
    }
}

/// What a character is, if it can't be seen or changes how others are seen.
fn hidden(char: char) -> Option<&'static str> {
    Some(match char {
        '\n' | '\t' => return None,
        '\0' => "null character",
        '\u{1}'..='\u{1f}' | '\u{7f}'..='\u{9f}' => "control character",
        '\u{ad}' => "soft hyphen",
        '\u{61c}' | '\u{200e}' | '\u{200f}' => "direction mark",
        '\u{202a}' | '\u{202b}' | '\u{202d}' | '\u{202e}' => {
            "direction override: text may read in another order"
        }
        '\u{202c}' | '\u{2066}'..='\u{2069}' => "direction isolate: text may read in another order",
        '\u{200b}' => "zero-width space",
        '\u{200c}' | '\u{200d}' => "zero-width joiner",
        '\u{2060}' | '\u{feff}' => "zero-width no-break space",
        '\u{2028}' | '\u{2029}' => "line or paragraph separator",
        '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' | '\u{180b}'..='\u{180d}' | '\u{180f}' => {
            "variation selector"
        }
        '\u{e0000}'..='\u{e0fff}' => "tag character: text that nobody sees",
        '\u{34f}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180e}'
        | '\u{2061}'..='\u{2065}'
        | '\u{206a}'..='\u{206f}'
        | '\u{2800}'
        | '\u{3164}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{1d173}'..='\u{1d17a}' => "invisible character",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let plain = Plain::message(text);
        plain
            .shown
            .iter()
            .chain(&plain.folded)
            .map(|piece| match piece {
                Piece::Text(text) => text.clone(),
                Piece::Hidden { label, .. } => format!("[{label}]"),
            })
            .collect()
    }

    #[test]
    fn what_is_hidden_is_seen() {
        assert_eq!(shown("pay\u{202e}lla"), "pay[U+202E]lla");
        assert_eq!(shown("a\0b\u{200b}\u{200b}\u{200b}c"), "a[U+0000]b[U+200B ×3]c");
        assert_eq!(shown("ok\u{e0070}\u{e0061}\u{e0079}."), "ok[tags “pay”].");
        assert_eq!(shown("x\u{7}y\u{1b}[31m"), "x[U+0007]y[U+001B][31m");
        assert_eq!(
            shown("z\u{300}\u{301}\u{302}\u{303}\u{304}\u{305}!"),
            "z\u{300}\u{301}\u{302}\u{303}[U+0304 ×2]!"
        );
        assert!(Plain::message("a\u{200b}").hides);
    }

    #[test]
    fn honest_text_is_left_alone() {
        for text in [
            "Zoë ❤\u{fe0f} 日本語\n\tok",
            "👩\u{200d}🚒 👨\u{200d}👩\u{200d}👧",
            "می\u{200c}خواهم",
            "שלום",
            "e\u{301}",
        ] {
            assert_eq!(shown(text), text);
            assert!(!Plain::message(text).hides);
        }
        assert_eq!(shown("a\r\nb"), "a\nb");
    }

    #[test]
    fn a_long_message_is_folded_and_nothing_is_lost() {
        let text = "word ".repeat(2_000);
        let plain = Plain::message(&text);
        assert_eq!(plain.shown, [Piece::Text(text[..1_500].to_owned())]);
        assert_eq!(plain.folded_chars, text.trim_end().chars().count() - 1_500);
        assert_eq!(shown(&text), text.trim_end());
        let lines = "x\n".repeat(200);
        assert_eq!(Plain::message(&lines).shown, [Piece::Text("x\n".repeat(25))]);
        let little_over = "y".repeat(1_600);
        assert_eq!(Plain::message(&little_over).folded_chars, 0);
    }

    #[test]
    fn a_text_of_nothing_but_marks_stays_a_page() {
        let text = "\u{200b}\u{200e}".repeat(30_000);
        let plain = Plain::message(&text);
        assert!(plain.shown.len() + plain.folded.len() <= 402);
    }

    #[test]
    fn a_name_is_one_line() {
        let plain = Plain::line("Dana\nWhitfield\u{202e}", 80);
        assert_eq!(plain.shown[0], Piece::Text("Dana Whitfield".into()));
        assert!(matches!(&plain.shown[1], Piece::Hidden { label, .. } if label == "U+202E"));
        assert_eq!(Plain::line("abcdef", 3).shown, [Piece::Text("abc…".into())]);
    }
}
