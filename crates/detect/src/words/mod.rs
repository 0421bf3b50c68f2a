//! The words of the rules, in the languages they read, and the way from a folded word to what it stands for.

mod english;
mod european;
mod world;

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
    sync::LazyLock,
};

use crate::{
    concept::{self, Concepts},
    fold,
};

/// Words of one language that stand for one concept: apart by spaces, `_` between the words of a phrase.
#[derive(Debug)]
pub(crate) struct Group {
    concepts: Concepts,
    kind: Kind,
    words: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Verbs,
    Pasts,
    Words,
    Stems,
}

impl Group {
    /// English verbs in their base form.
    const fn verbs(concepts: Concepts, words: &'static str) -> Self {
        Self { concepts, kind: Kind::Verbs, words }
    }

    /// Words as they are.
    const fn words(concepts: Concepts, words: &'static str) -> Self {
        Self { concepts, kind: Kind::Words, words }
    }

    /// English verbs in an irregular past form.
    const fn pasts(concepts: Concepts, words: &'static str) -> Self {
        Self { concepts, kind: Kind::Pasts, words }
    }

    /// Words of a language whose verb forms are not told apart; `*` at the end stands for any ending.
    const fn stems(concepts: Concepts, words: &'static str) -> Self {
        Self { concepts, kind: Kind::Stems, words }
    }
}

/// In which forms a word stands.
pub(crate) type Forms = u8;
/// read, send
pub(crate) const BASE: Forms = 1;
/// reads, sends
pub(crate) const THIRD: Forms = 2;
/// reading, sending
pub(crate) const ING: Forms = 4;
/// sent, read
pub(crate) const PAST: Forms = 8;
/// A verb, maybe, of a language whose forms are not told apart.
pub(crate) const ANY_FORM: Forms = 16;

/// What a word stands for.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Sense {
    pub(crate) concepts: Concepts,
    pub(crate) forms: Forms,
}

impl Sense {
    fn merge(&mut self, other: Self) {
        self.concepts |= other.concepts;
        self.forms |= other.forms;
    }

    pub(crate) fn is_empty(self) -> bool {
        self.concepts == 0
    }
}

/// FNV-1a, a byte at a time, so that a word and all its beginnings are one pass.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fnv(u64);

impl Fnv {
    pub(crate) const START: Self = Self(0xcbf2_9ce4_8422_2325);

    fn with(self, byte: u8) -> Self {
        Self((self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }

    pub(crate) fn of(word: &str) -> Self {
        word.bytes().fold(Self::START, Self::with)
    }

    pub(crate) fn value(self) -> u64 {
        self.0
    }
}

/// The keys are hashes already.
#[derive(Debug, Default)]
struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        // The table takes the high bits too; FNV mixes the low ones better.
        self.0 ^ self.0.rotate_left(32)
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0 << 8 | u64::from(*byte);
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

/// Values by word. A word that only shares a hash with a known one is told apart.
#[derive(Debug)]
struct Table<V> {
    entries: HashMap<u64, (Box<str>, V), BuildHasherDefault<AsIs>>,
}

impl<V> Default for Table<V> {
    fn default() -> Self {
        Self { entries: HashMap::default() }
    }
}

impl<V: Default> Table<V> {
    fn entry(&mut self, word: Box<str>) -> &mut V {
        &mut self.entries.entry(Fnv::of(&word).0).or_insert_with(|| (word, V::default())).1
    }

    fn get(&self, word: &str) -> Option<&V> {
        self.hashed(Fnv::of(word), word)
    }

    fn hashed(&self, hash: Fnv, word: &str) -> Option<&V> {
        self.entries.get(&hash.0).filter(|(known, _)| **known == *word).map(|(_, value)| value)
    }
}

/// A phrase behind its first word.
#[derive(Debug)]
struct Phrase {
    rest: Vec<(Box<str>, bool)>,
    sense: Sense,
}

/// The longest stem and the longest word without spaces, in characters.
const LONGEST: usize = 12;

/// All words.
#[derive(Debug, Default)]
pub(crate) struct Words {
    exact: Table<Sense>,
    stems: Table<Sense>,
    phrases: Table<Vec<Phrase>>,
    /// Telling words by what is left when a letter is dropped, and by their letters in order.
    slips: HashMap<u64, &'static str, BuildHasherDefault<AsIs>>,
}

/// The words, put together at first use.
pub(crate) static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let mut words = Words::default();
    for group in english::WORDS.iter().chain(european::WORDS).chain(world::WORDS) {
        words.add(group);
    }
    for word in english::TELLING.split(' ') {
        for slip in slips(word.as_bytes()).chain(jumbled(word.as_bytes())) {
            words.slips.entry(slip).or_insert(word);
        }
        let rotated: String = word.chars().map(rotate).collect();
        let reversed: String = word.chars().rev().collect();
        for (word, concepts) in [(rotated, concept::ROTATED), (reversed, concept::REVERSED)] {
            words.exact.entry(word.into_boxed_str()).merge(Sense { concepts, forms: 0 });
        }
    }
    words
});

/// The hashes of a word and, where it is long enough to bear it, of the word without each of its letters in turn.
fn slips(word: &[u8]) -> impl Iterator<Item = u64> {
    let short = word.len() < 7;
    let without = move |left_out: usize| {
        let kept = word.iter().enumerate().filter(move |(at, _)| *at != left_out);
        kept.fold(Fnv::START, |hash, (_, byte)| hash.with(*byte)).0
    };
    std::iter::once(without(usize::MAX)).chain((1..if short { 1 } else { word.len() }).map(without))
}

/// The first and last letter in their places and the others in order: how a word is still read when it is jumbled.
fn jumbled(word: &[u8]) -> Option<u64> {
    let mut letters = [0u8; 20];
    let letters = letters.get_mut(..word.len())?;
    letters.copy_from_slice(word);
    if let [_, middle @ .., _] = &mut *letters {
        middle.sort_unstable();
    }
    Some(letters.iter().fold(Fnv::START, |hash, byte| hash.with(*byte)).with(b'~').0)
}

/// A letter thirteen letters on.
pub(crate) fn rotate(letter: char) -> char {
    let turn = |base: u8| char::from((letter as u8 - base + 13) % 26 + base);
    match letter {
        'a'..='z' => turn(b'a'),
        'A'..='Z' => turn(b'A'),
        _ => letter,
    }
}

impl Words {
    fn add(&mut self, group: &Group) {
        for entry in group.words.split(' ') {
            let forms = match group.kind {
                Kind::Verbs => BASE,
                Kind::Pasts => PAST,
                Kind::Words => 0,
                Kind::Stems => ANY_FORM,
            };
            let sense = Sense { concepts: group.concepts, forms };
            let mut parts = entry.split(['_', '-']).map(|part| {
                let stem = part.ends_with('*');
                (fold::word(part.trim_end_matches('*')).into_boxed_str(), stem)
            });
            let Some((first, first_is_stem)) = parts.next() else { continue };
            let rest: Vec<(Box<str>, bool)> = parts.collect();
            if !rest.is_empty() {
                self.phrases.entry(first.clone()).push(Phrase { rest, sense });
            } else if first_is_stem {
                self.stems.entry(first).merge(sense);
            } else {
                if group.kind == Kind::Verbs {
                    for (form, word) in conjugate(&first) {
                        let sense = Sense { concepts: group.concepts, forms: form };
                        self.exact.entry(word.into_boxed_str()).merge(sense);
                    }
                }
                self.exact.entry(first).merge(sense);
            }
        }
    }

    /// What a folded word stands for; nothing where it is not known.
    pub(crate) fn sense(&self, word: &str) -> Sense {
        let mut sense = Sense::default();
        let mut hash = Fnv::START;
        let mut seen = 0;
        for (at, byte) in word.bytes().enumerate() {
            hash = hash.with(byte);
            let end = at + 1;
            if !word.is_char_boundary(end) {
                continue;
            }
            seen += 1;
            if (seen >= 3 || byte >= 0x80) && seen <= LONGEST {
                let stem = word.get(..end).and_then(|stem| self.stems.hashed(hash, stem));
                sense.merge(stem.copied().unwrap_or_default());
            }
        }
        sense.merge(self.exact.hashed(hash, word).copied().unwrap_or_default());
        sense
    }

    /// The telling word a misspelt one is meant for: one letter too many, too few or another, or letters jumbled.
    pub(crate) fn meant(&self, word: &str) -> Option<&'static str> {
        let bytes = word.as_bytes();
        if !(6..=20).contains(&word.len()) || !bytes.iter().all(u8::is_ascii_lowercase) {
            return None;
        }
        let close = |known: &&'static str| {
            known.len().abs_diff(word.len()) <= 1 && known.as_bytes().first() == bytes.first()
        };
        jumbled(bytes)
            .and_then(|key| self.slips.get(&key).copied())
            .or_else(|| slips(bytes).find_map(|slip| self.slips.get(&slip).copied().filter(close)))
    }

    /// The longest known word at the start of a text without spaces: its length in bytes and what it stands for.
    pub(crate) fn longest(&self, text: &str) -> Option<(usize, Sense)> {
        let mut found = None;
        let mut hash = Fnv::START;
        let mut seen = 0;
        for (at, byte) in text.bytes().enumerate() {
            hash = hash.with(byte);
            let end = at + 1;
            if !text.is_char_boundary(end) {
                continue;
            }
            seen += 1;
            if seen > LONGEST {
                break;
            }
            let known = text
                .get(..end)
                .and_then(|word| self.exact.hashed(hash, word).or_else(|| self.stems.hashed(hash, word)));
            if let Some(sense) = known {
                found = Some((end, *sense));
            }
        }
        found
    }

    /// What the phrases that begin at a word stand for together, and how many words the longest of them takes.
    /// `next` gives the folded word that many words further on.
    pub(crate) fn phrase<'w>(&self, first: &str, next: impl Fn(usize) -> Option<&'w str>) -> (Sense, usize) {
        let mut sense = Sense::default();
        let mut length = 0;
        for phrase in self.phrases.get(first).into_iter().flatten() {
            let fits = phrase.rest.iter().enumerate().all(|(index, (part, stem))| {
                next(index + 1)
                    .is_some_and(|word| if *stem { word.starts_with(&**part) } else { *word == **part })
            });
            if fits {
                sense.merge(phrase.sense);
                length = length.max(phrase.rest.len() + 1);
            }
        }
        (sense, length)
    }
}

/// The other forms of a regular English verb. Irregular ones are words of their own.
fn conjugate(base: &str) -> Vec<(Forms, String)> {
    let mut forms = Vec::new();
    let last = base.chars().last().unwrap_or(' ');
    let before = base.chars().rev().nth(1).unwrap_or(' ');
    let vowel = |letter: char| "aeiou".contains(letter);
    let stem = base.strip_suffix(last).unwrap_or(base);
    if last == 'y' && !vowel(before) {
        forms.push((THIRD, format!("{stem}ies")));
        forms.push((PAST, format!("{stem}ied")));
        forms.push((ING, format!("{base}ing")));
    } else if last == 'e' {
        forms.push((THIRD, format!("{base}s")));
        forms.push((PAST, format!("{base}d")));
        forms.push((ING, format!("{stem}ing")));
    } else {
        let hisses = matches!(last, 's' | 'x' | 'z' | 'o') || base.ends_with("ch") || base.ends_with("sh");
        forms.push((THIRD, if hisses { format!("{base}es") } else { format!("{base}s") }));
        forms.push((PAST, format!("{base}ed")));
        forms.push((ING, format!("{base}ing")));
        if !vowel(last) && vowel(before) {
            forms.push((PAST, format!("{base}{last}ed")));
            forms.push((ING, format!("{base}{last}ing")));
        }
    }
    forms
}
