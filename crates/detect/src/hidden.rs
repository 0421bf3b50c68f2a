//! Characters that can't be seen, or that change how others are shown; and where they belong: in emoji, in the
//! writing of languages that need joiners, in text from right to left.

use std::ops::Range;

use unicode_script::{Script, UnicodeScript};

/// What a hidden character is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// Has no width: zero-width space, joiners, word joiner, byte order mark.
    ZeroWidth,
    /// A soft hyphen.
    SoftHyphen,
    /// A mark of direction: LRM, RLM, ALM.
    DirectionMark,
    /// Turns the direction of the text: embeddings, isolates.
    Direction,
    /// Turns letters round whatever they are.
    Override,
    /// A letter of the invisible tag alphabet.
    Tag,
    /// A variation selector.
    Variation,
    /// Interlinear annotation, deprecated format characters.
    Annotation,
    /// Invisible signs of mathematics.
    Operator,
    /// Blank letters: Hangul fillers, the braille blank.
    Blank,
    /// Private use: shows whatever a font says.
    Private,
    /// Control characters other than tab and line ends.
    Control,
}

/// What a character is, where it is one of them.
pub(crate) fn kind(letter: char) -> Option<Kind> {
    Some(match letter {
        '\t' | '\n' | '\r' | '\u{c}' => return None,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => Kind::Control,
        '\u{20}'..='\u{7e}' => return None,
        '\u{AD}' => Kind::SoftHyphen,
        '\u{180E}' | '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FEFF}' | '\u{034F}' => Kind::ZeroWidth,
        '\u{200E}' | '\u{200F}' | '\u{061C}' => Kind::DirectionMark,
        '\u{202D}' | '\u{202E}' => Kind::Override,
        '\u{202A}'..='\u{202C}' | '\u{2066}'..='\u{2069}' => Kind::Direction,
        '\u{2061}'..='\u{2064}' => Kind::Operator,
        '\u{2065}' | '\u{206A}'..='\u{206F}' | '\u{FFF0}'..='\u{FFFB}' | '\u{1D173}'..='\u{1D17A}' => {
            Kind::Annotation
        }
        '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}' | '\u{180B}'..='\u{180D}' | '\u{180F}' => {
            Kind::Variation
        }
        '\u{E0000}'..='\u{E0FFF}' => Kind::Tag,
        '\u{115F}' | '\u{1160}' | '\u{3164}' | '\u{FFA0}' | '\u{2800}' | '\u{17B4}' | '\u{17B5}' => {
            Kind::Blank
        }
        '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{10FFFF}' => Kind::Private,
        '\u{FDD0}'..='\u{FDEF}' | '\u{FFFE}' | '\u{FFFF}' => Kind::Annotation,
        _ => return None,
    })
}

/// Whether a character is left out when words are read.
pub(crate) fn is_ignorable(letter: char) -> bool {
    !letter.is_ascii() && kind(letter).is_some_and(|kind| !matches!(kind, Kind::Private | Kind::Control))
}

/// Hidden characters side by side that do not belong where they are.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Run {
    /// Bytes in the text.
    pub(crate) span: Range<usize>,
    /// What they are; the gravest one where there are several.
    pub(crate) kind: Kind,
    /// How many there are.
    pub(crate) count: usize,
    /// What they spell, where they spell anything in letters.
    pub(crate) spells: String,
    /// Whether they stand inside a word or between words of a script that never needs them.
    pub(crate) in_word: bool,
}

/// Finds hidden characters that do not belong where they are. Runs in order.
pub(crate) fn find(text: &str) -> Vec<Run> {
    if text.bytes().all(|byte| {
        byte.is_ascii() && (byte >= 0x20 || matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c)) && byte != 0x7f
    }) {
        return Vec::new();
    }
    let right_to_left = text.chars().any(is_right_to_left);
    let mut runs: Vec<Run> = Vec::new();
    let mut before = Before::default();
    let mut letters = text.char_indices().peekable();
    let mut open = 0usize;
    while let Some((at, letter)) = letters.next() {
        let Some(kind) = kind(letter) else {
            before.saw(letter);
            continue;
        };
        let end = at + letter.len_utf8();
        let next = letters.peek().map_or('\n', |(_, next)| *next);
        if kind == Kind::Direction {
            match letter {
                '\u{202C}' | '\u{2069}' => open = open.saturating_sub(1),
                _ => open += 1,
            }
        }
        let belongs = match kind {
            Kind::ZeroWidth => before.joins(letter, next) || (at == 0 && letter == '\u{FEFF}'),
            Kind::SoftHyphen => before.letter.is_alphabetic() && next.is_alphabetic() && !before.hidden,
            Kind::DirectionMark | Kind::Direction => right_to_left && !before.hidden_twice,
            Kind::Variation => before.varies(letter),
            Kind::Operator => !before.hidden && (before.letter.is_alphanumeric() || before.letter == ')'),
            Kind::Blank => match letter {
                '\u{2800}' => {
                    matches!(before.letter, '\u{2800}'..='\u{28FF}')
                        || matches!(next, '\u{2801}'..='\u{28FF}')
                }
                '\u{3164}' | '\u{FFA0}' => false,
                _ => {
                    matches!(before.letter, '\u{1100}'..='\u{11FF}')
                        || matches!(next, '\u{1100}'..='\u{11FF}' | '\u{1780}'..='\u{17FF}')
                }
            },
            Kind::Tag => {
                if let Some(length) = flag_length(before.letter, text.get(at..).unwrap_or("")) {
                    while letters.next_if(|(place, _)| *place < at + length).is_some() {}
                    true
                } else {
                    false
                }
            }
            Kind::Override | Kind::Annotation | Kind::Private | Kind::Control => false,
        };
        if !belongs {
            let in_word = before.letter.is_alphanumeric() && next.is_alphanumeric();
            match runs.last_mut().filter(|run| run.span.end == at) {
                Some(run) => {
                    run.span.end = end;
                    run.count += 1;
                    run.kind = run.kind.max(kind);
                    run.in_word |= in_word;
                }
                None => runs.push(Run { span: at..end, kind, count: 1, spells: String::new(), in_word }),
            }
            if let Some(spelled) = spells(letter)
                && let Some(run) = runs.last_mut().filter(|run| run.spells.len() < 4096)
            {
                run.spells.push(spelled);
            }
        }
        before.hid(letter);
    }
    if open > 0 && right_to_left {
        // An embedding that is never closed reaches past its own text.
        let place = text.char_indices().rev().find(|(_, letter)| kind(*letter) == Some(Kind::Direction));
        if let Some((at, letter)) = place {
            let span = at..at + letter.len_utf8();
            runs.push(Run { span, kind: Kind::Direction, count: 1, spells: String::new(), in_word: false });
            runs.sort_by_key(|run| run.span.start);
        }
    }
    runs
}

/// What a hidden character stands for to those who know the trick.
fn spells(letter: char) -> Option<char> {
    let byte = match letter {
        '\u{E0020}'..='\u{E007E}' => letter as u32 - 0xE0000,
        '\u{FE00}'..='\u{FE0F}' => letter as u32 - 0xFE00,
        '\u{E0100}'..='\u{E01EF}' => letter as u32 - 0xE0100 + 16,
        _ => return None,
    };
    char::from_u32(byte).filter(|spelled| spelled.is_ascii() && !spelled.is_ascii_control())
}

/// What stood before a hidden character.
#[derive(Debug)]
struct Before {
    /// The last character that can be seen.
    letter: char,
    /// Whether one of them is already behind it.
    hidden: bool,
    hidden_twice: bool,
    /// The last character at all.
    last: char,
}

impl Default for Before {
    fn default() -> Self {
        Self { letter: '\n', hidden: false, hidden_twice: false, last: '\n' }
    }
}

impl Before {
    fn saw(&mut self, letter: char) {
        *self = Self { letter, hidden: false, hidden_twice: false, last: letter };
    }

    fn hid(&mut self, letter: char) {
        self.hidden_twice = self.hidden;
        self.hidden = true;
        self.last = letter;
    }

    /// Whether a character without width belongs between what is before and after it.
    fn joins(&self, letter: char, next: char) -> bool {
        let twice = self.hidden && kind(self.last) != Some(Kind::Variation);
        if twice {
            return false;
        }
        let pictures = is_picture(self.letter) && is_picture(next);
        match letter {
            '\u{200D}' => pictures || needs_joiners(self.letter),
            '\u{200C}' => needs_joiners(self.letter) && !next.is_ascii_alphanumeric(),
            '\u{200B}' => breaks_without_spaces(self.letter) || breaks_without_spaces(next),
            '\u{180E}' => self.letter.script() == Script::Mongolian,
            '\u{034F}' => needs_joiners(self.letter) || is_right_to_left(self.letter),
            '\u{2060}' => breaks_without_spaces(self.letter) || breaks_without_spaces(next),
            _ => false,
        }
    }

    /// Whether a variation selector belongs behind what is before it.
    fn varies(&self, letter: char) -> bool {
        if self.hidden {
            return false;
        }
        let ideograph = matches!(self.letter.script(), Script::Han);
        match letter {
            '\u{FE0E}' | '\u{FE0F}' => {
                is_picture(self.letter)
                    || matches!(self.letter, '#' | '*' | '0'..='9')
                    || is_symbol(self.letter)
            }
            '\u{FE00}'..='\u{FE0D}' => {
                ideograph
                    || is_symbol(self.letter)
                    || matches!(self.letter.script(), Script::Myanmar | Script::Phags_Pa)
            }
            '\u{180B}'..='\u{180D}' | '\u{180F}' => self.letter.script() == Script::Mongolian,
            _ => ideograph,
        }
    }
}

/// The length of an emoji flag's tags (England, Scotland, Wales and the like), where they follow a black flag and
/// spell a region.
fn flag_length(before: char, tags: &str) -> Option<usize> {
    if before != '\u{1F3F4}' {
        return None;
    }
    let mut length = 0;
    let mut spelled = String::new();
    for letter in tags.chars().take(8) {
        length += letter.len_utf8();
        match letter {
            '\u{E007F}' => {
                let country =
                    spelled.len() >= 4 && spelled.bytes().take(2).all(|byte| byte.is_ascii_lowercase());
                return (country && spelled.len() <= 6).then_some(length);
            }
            '\u{E0030}'..='\u{E0039}' | '\u{E0061}'..='\u{E007A}' => {
                spelled.extend(char::from_u32(letter as u32 - 0xE0000));
            }
            _ => return None,
        }
    }
    None
}

/// Characters that emoji are made of, skin tones and flags among them.
fn is_picture(letter: char) -> bool {
    matches!(letter, '\u{A9}' | '\u{AE}' | '\u{203C}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{2194}'..='\u{21AA}'
        | '\u{231A}'..='\u{23FF}' | '\u{24C2}' | '\u{25AA}'..='\u{25FE}' | '\u{2600}'..='\u{27BF}' | '\u{2934}' | '\u{2935}'
        | '\u{2B05}'..='\u{2B55}' | '\u{3030}' | '\u{303D}' | '\u{3297}' | '\u{3299}' | '\u{1F000}'..='\u{1FAFF}' | '\u{20E3}')
}

fn is_symbol(letter: char) -> bool {
    matches!(letter, '\u{2190}'..='\u{2BFF}' | '\u{3000}'..='\u{303F}' | '\u{FF00}'..='\u{FF65}')
}

/// Scripts in which a joiner or non-joiner changes how letters are written.
fn needs_joiners(letter: char) -> bool {
    use Script::*;
    if letter.is_ascii() {
        return false;
    }
    let script = letter.script();
    let marks = script == Inherited || script == Common;
    matches!(
        script,
        Arabic
            | Syriac
            | Mandaic
            | Mongolian
            | Nko
            | Devanagari
            | Bengali
            | Gurmukhi
            | Gujarati
            | Oriya
            | Tamil
            | Telugu
            | Kannada
            | Malayalam
            | Sinhala
            | Tibetan
            | Myanmar
            | Khmer
            | Javanese
            | Balinese
            | Limbu
            | Meetei_Mayek
            | Thaana
            | Phags_Pa
            | Adlam
            | Hanifi_Rohingya
    ) || (marks && unicode_normalization::char::is_combining_mark(letter))
}

/// Scripts in which words are not apart, so that a break has to be marked.
fn breaks_without_spaces(letter: char) -> bool {
    use Script::*;
    !letter.is_ascii()
        && matches!(
            letter.script(),
            Thai | Lao | Khmer | Myanmar | Han | Hiragana | Katakana | Javanese | Tibetan
        )
}

fn is_right_to_left(letter: char) -> bool {
    matches!(letter, '\u{0590}'..='\u{08FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}' | '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}')
        && letter.is_alphabetic()
}

/// A name for a person.
pub(crate) fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::ZeroWidth => "characters without width",
        Kind::SoftHyphen => "soft hyphens",
        Kind::DirectionMark => "marks of direction",
        Kind::Direction => "changes of direction",
        Kind::Override => "an override of direction, which shows letters in another order than they are read",
        Kind::Tag => "letters of the invisible tag alphabet",
        Kind::Variation => "variation selectors where nothing varies",
        Kind::Annotation => "annotation characters",
        Kind::Operator => "invisible operators",
        Kind::Blank => "blank letters",
        Kind::Private => "private-use characters",
        Kind::Control => "control characters",
    }
}
