//! One way of writing for the many that look or mean the same: small letters, no accents, no styled letters, nothing
//! hidden.

use unicode_normalization::char::{decompose_compatible, is_combining_mark};

use crate::hidden;

/// Adds a character's folded form. Characters that can't be seen, and accents, add nothing.
pub(crate) fn push(letter: char, out: &mut String) {
    if letter.is_ascii() {
        out.push(letter.to_ascii_lowercase());
        return;
    }
    match letter {
        // Hangul stays in syllables; so do the ideographs and kana, which have no other form.
        '\u{AC00}'..='\u{D7A3}' | '\u{4E00}'..='\u{9FFF}' | '\u{3400}'..='\u{4DBF}' => out.push(letter),
        _ if hidden::is_ignorable(letter) => {}
        _ => decompose_compatible(letter, |part| {
            if part.is_ascii() {
                out.push(part.to_ascii_lowercase());
            } else if !is_accent(part) {
                push_plain(part, out);
            }
        }),
    }
}

fn push_plain(part: char, out: &mut String) {
    match part {
        'ß' | 'ẞ' => out.push_str("ss"),
        'ø' | 'Ø' => out.push('o'),
        'ł' | 'Ł' => out.push('l'),
        'đ' | 'Đ' => out.push('d'),
        'æ' | 'Æ' => out.push_str("ae"),
        'œ' | 'Œ' => out.push_str("oe"),
        'ı' => out.push('i'),
        _ => out.extend(part.to_lowercase()),
    }
}

/// Marks that may be left out without changing the word: accents of Latin, Greek and Cyrillic, vowel signs of Arabic
/// and Hebrew. The vowel signs of Indic scripts are letters.
fn is_accent(part: char) -> bool {
    matches!(part, '\u{0300}'..='\u{036F}' | '\u{0483}'..='\u{0489}' | '\u{0591}'..='\u{05C7}' | '\u{0610}'..='\u{061A}'
        | '\u{0640}' | '\u{064B}'..='\u{065F}' | '\u{0670}' | '\u{3099}' | '\u{309A}'
        | '\u{093C}' | '\u{20D0}'..='\u{20FF}')
}

/// Whether a character is a part of a word.
pub(crate) fn is_word(letter: char) -> bool {
    if letter.is_ascii() {
        letter.is_ascii_alphanumeric()
    } else {
        letter.is_alphanumeric() || is_combining_mark(letter)
    }
}

/// A whole word folded.
pub(crate) fn word(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    for letter in word.chars().filter(|letter| !matches!(letter, '\'' | '’')) {
        push(letter, &mut out);
    }
    out
}

/// The Latin letters a word looks like, where it is written with others that look the same; nothing where it is not.
/// `word` is folded.
pub(crate) fn lookalike(word: &str) -> Option<String> {
    let mut out = String::with_capacity(word.len());
    let mut buffer = [0u8; 4];
    for letter in word.chars() {
        if letter.is_ascii() {
            out.push(letter);
            continue;
        }
        let before = out.len();
        for part in unicode_security::confusable_detection::skeleton(letter.encode_utf8(&mut buffer)) {
            if part.is_ascii_alphanumeric() {
                out.push(part.to_ascii_lowercase());
            } else if !is_accent(part) {
                return None;
            }
        }
        if out.len() == before {
            return None;
        }
    }
    Some(out)
}
