//! A text as words: where each stands, what it stands for, what is between it and the next.

use std::cell::Cell;

use unicode_script::{Script, UnicodeScript};

use crate::{
    chunk,
    concept::Concepts,
    fold,
    words::{self, Sense, WORDS},
};

/// One word, or one thing read as a word: an address, a path, an identifier.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    /// Bytes in the block.
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Bytes in the folded text.
    folded: (u32, u32),
    pub(crate) sense: Sense,
    pub(crate) flags: u8,
    /// What stands between this word and the next.
    pub(crate) after: u8,
    pub(crate) sentence: u32,
}

/// Between quotation marks.
pub(crate) const QUOTED: u8 = 1;
/// Three or more capital letters and no small one.
pub(crate) const CAPITALS: u8 = 2;
/// Written so that it doesn't look like the word it is: foreign letters, digits for letters, letters apart.
pub(crate) const DISGUISED: u8 = 4;
/// The first word of a line.
pub(crate) const LINE_START: u8 = 8;

/// Mixes Latin letters with letters of another script that look like them.
pub(crate) const MIXED: u8 = 16;

/// What can stand after a word.
pub(crate) const COMMA: u8 = 1;
pub(crate) const COLON: u8 = 2;
pub(crate) const BREAK: u8 = 4;
pub(crate) const BRACKET: u8 = 8;
pub(crate) const NEWLINE: u8 = 16;
pub(crate) const STOP: u8 = 32;

impl Token {
    pub(crate) fn is(&self, concepts: Concepts) -> bool {
        self.sense.concepts & concepts != 0
    }

    pub(crate) fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }
}

/// A block of text, read.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    pub(crate) tokens: Vec<Token>,
    folded: String,
    /// Steps taken: the measure of work, so that a test can hold that it grows with the text and no faster.
    pub(crate) steps: Cell<u64>,
}

impl Reading {
    /// The folded form of a word.
    pub(crate) fn word(&self, index: usize) -> &str {
        self.tokens.get(index).map_or("", |token| self.folded_of(token))
    }

    fn folded_of(&self, token: &Token) -> &str {
        self.folded.get(token.folded.0 as usize..token.folded.1 as usize).unwrap_or("")
    }

    /// Reads a block. `name` says that it is an identifier, whose parts are words.
    pub(crate) fn of(block: &str, name: bool) -> Self {
        let mut reading = Self::default();
        Reader { block, name, reading: &mut reading, after_letter: false }.run();
        reading.mark_quotes(block);
        reading.join_letters();
        reading.find_phrases();
        reading.count_sentences();
        reading
    }

    pub(crate) fn count(&self, steps: usize) {
        self.steps.set(self.steps.get().saturating_add(steps as u64));
    }

    fn find_phrases(&mut self) {
        let mut found = Vec::new();
        for index in 0..self.tokens.len() {
            let (sense, length) = WORDS.phrase(self.word(index), |ahead| {
                let token = self.tokens.get(index + ahead)?;
                Some(self.folded_of(token))
            });
            if length > 0 {
                found.push((index, sense));
            }
        }
        for (index, sense) in found {
            if let Some(token) = self.tokens.get_mut(index) {
                token.sense.concepts |= sense.concepts;
                token.sense.forms |= sense.forms;
            }
        }
    }

    fn count_sentences(&mut self) {
        let mut sentence = 0;
        for token in &mut self.tokens {
            token.sentence = sentence;
            if token.after & STOP != 0 {
                sentence += 1;
            }
        }
    }

    /// Words between quotation marks that open and close within a paragraph.
    fn mark_quotes(&mut self, block: &str) {
        let ranges = chunk::quotations(block);
        self.count(block.len());
        let mut tokens = self.tokens.iter_mut().peekable();
        for (start, end) in ranges {
            while tokens.next_if(|token| (token.end as usize) <= start).is_some() {}
            while let Some(token) = tokens.next_if(|token| (token.start as usize) < end) {
                token.flags |= QUOTED;
            }
        }
    }

    /// "i g n o r e" is a word too: runs of single letters are read together, and known words in them take their
    /// place.
    fn join_letters(&mut self) {
        let single = |token: &Token| {
            token.folded.1 - token.folded.0 == 1
                && self.folded_of(token).bytes().all(|byte| byte.is_ascii_alphanumeric())
        };
        let mut joined: Vec<Token> = Vec::new();
        let mut index = 0;
        let mut changed = false;
        while index < self.tokens.len() {
            let run = self.tokens.iter().skip(index).take_while(|token| single(token)).count();
            self.count(run + 1);
            if run >= 5 {
                changed |= self.read_letters(index, run, &mut joined);
            } else {
                joined.extend(self.tokens.iter().skip(index).take(run.max(1)));
            }
            index += run.max(1);
        }
        if changed {
            self.tokens = joined;
        }
    }

    fn read_letters(&self, index: usize, run: usize, joined: &mut Vec<Token>) -> bool {
        let letters: String = (index..index + run).map(|at| self.word(at)).collect();
        let mut offset = 0;
        let mut changed = false;
        while let Some(rest) = letters.get(offset..).filter(|rest| !rest.is_empty()) {
            self.count(1);
            let Some(first) = self.tokens.get(index + offset).copied() else { break };
            match WORDS.longest(rest).filter(|(length, _)| *length >= 3) {
                Some((length, sense)) => {
                    let last = self.tokens.get(index + offset + length - 1).copied().unwrap_or(first);
                    let mut sense = sense;
                    sense.forms |= words::BASE;
                    // The folded letters of a run stand side by side.
                    joined.push(Token {
                        end: last.end,
                        folded: (first.folded.0, last.folded.1),
                        sense,
                        flags: first.flags | DISGUISED,
                        after: last.after,
                        ..first
                    });
                    offset += length;
                    changed = true;
                }
                None => {
                    joined.push(first);
                    offset += 1;
                }
            }
        }
        changed
    }
}

struct Reader<'b> {
    block: &'b str,
    name: bool,
    reading: &'b mut Reading,
    after_letter: bool,
}

impl Reader<'_> {
    fn run(&mut self) {
        let mut at = 0;
        let mut line_start = true;
        while let Some(letter) = self.block.get(at..).and_then(|rest| rest.chars().next()) {
            let before = self.reading.tokens.len();
            let next = if is_unspaced(letter) {
                self.unspaced(at)
            } else if fold::is_word(letter) || matches!(letter, '~' | '/' | '.' | '@' | '$' | '\\') {
                self.chunk(at)
            } else {
                self.punctuation(at, letter)
            };
            if letter == '\n' {
                line_start = true;
            } else if self.reading.tokens.len() > before {
                if let Some(token) = self.reading.tokens.get_mut(before).filter(|_| line_start) {
                    token.flags |= LINE_START;
                }
                line_start = false;
            }
            self.reading.count(1);
            at = next.max(at + letter.len_utf8());
        }
    }

    fn after(&mut self, what: u8) {
        if let Some(token) = self.reading.tokens.last_mut() {
            token.after |= what;
        }
    }

    /// Whatever is no word. Answers where to go on.
    fn punctuation(&mut self, at: usize, letter: char) -> usize {
        let end = at + letter.len_utf8();
        self.after_letter = false;
        match letter {
            ',' | '،' | '、' | '，' => self.after(COMMA),
            ':' | '：' => self.after(COLON),
            ';' | '；' | '؛' | '—' | '–' | '→' => self.after(BREAK),
            '-' if self.block.get(end..).is_some_and(|rest| rest.starts_with([' ', '-'])) => {
                self.after(BREAK)
            }
            '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>' => self.after(BRACKET),
            '。' | '！' | '？' | '؟' | '।' | '۔' => self.after(STOP),
            '!' | '?' if self.ends_here(end) => self.after(STOP),
            '\n' => {
                self.after(NEWLINE);
                let rest = self.block.get(end..).unwrap_or("");
                if chunk::starts_anew(rest) {
                    self.after(STOP);
                }
            }
            _ => {}
        }
        if letter == '<'
            && let Some(length) = self.block.get(at..).and_then(chunk::tag_length)
        {
            self.after(STOP);
            self.reading.count(length);
            // What stands in a tag is no sentence; the rule for tags reads it.
            return at + length;
        }
        end
    }

    fn ends_here(&self, end: usize) -> bool {
        let rest = self.block.get(end..).unwrap_or("");
        rest.is_empty()
            || rest.starts_with(|letter: char| letter.is_whitespace() || "\"'”’)]}<*_»`!?".contains(letter))
    }

    /// A run without spaces that may be more than a word.
    fn chunk(&mut self, at: usize) -> usize {
        let rest = self.block.get(at..).unwrap_or("");
        let whole = chunk::extent(rest);
        self.reading.count(whole);
        let text = rest.get(..whole).unwrap_or("");
        if text == "e.g." || text == "i.e." || text == "e.g" || text == "i.e" {
            self.token(at, at + text.len(), "e.g", 0);
            return at + text.len();
        }
        if !self.name {
            if let Some((length, concepts)) = chunk::thing(text) {
                self.thing(at, length, concepts);
                self.stop_after(at + length, at + whole);
                return at + length.max(1);
            }
            if let Some((length, word)) = chunk::unmask(text) {
                self.token(at, at + length, &word, DISGUISED);
                self.stop_after(at + length, at + whole);
                return at + length;
            }
        }
        self.words_in(at, at + whole)
    }

    fn thing(&mut self, at: usize, length: usize, concepts: Concepts) {
        let from = self.reading.folded.len();
        let text = self.block.get(at..at + length).unwrap_or("");
        self.reading.folded.push_str(&text.to_ascii_lowercase());
        self.push(at, at + length, from, Sense { concepts, forms: 0 }, 0);
    }

    /// The words of a chunk, split at what is no letter.
    fn words_in(&mut self, from: usize, to: usize) -> usize {
        let mut start = None;
        let mut at = from;
        while at < to {
            let Some(letter) = self.block.get(at..to).and_then(|rest| rest.chars().next()) else { break };
            let end = at + letter.len_utf8();
            let joins = matches!(letter, '\'' | '’' | '`') || crate::hidden::is_ignorable(letter);
            if is_unspaced(letter) {
                if let Some(start) = start.take() {
                    self.word(start, at);
                }
                return at;
            } else if fold::is_word(letter) {
                start = start.or(Some(at));
            } else if !(joins && start.is_some()) {
                if let Some(start) = start.take() {
                    self.word(start, at);
                }
                if letter == '.' && (end >= to) && self.ends_here(end) {
                    self.after(STOP);
                } else if letter != '.' {
                    self.punctuation(at, letter);
                }
            }
            at = end;
        }
        if let Some(start) = start {
            self.word(start, at);
        }
        to
    }

    /// The full stop that was cut off with an address or a path.
    fn stop_after(&mut self, from: usize, to: usize) {
        let rest = self.block.get(from..to).unwrap_or("");
        if rest.starts_with(['.', '!', '?']) && self.ends_here(to) {
            self.after(STOP);
        }
    }

    /// A word with its apostrophes.
    fn word(&mut self, start: usize, end: usize) {
        let text = self.block.get(start..end).unwrap_or("");
        let mut from = start;
        let mut pieces =
            text.char_indices().filter(|(_, letter)| matches!(letter, '\'' | '’' | '`')).peekable();
        while let Some((offset, mark)) = pieces.next() {
            let tail = text.get(offset + mark.len_utf8()..).unwrap_or("");
            let next =
                pieces.peek().map_or(tail.len(), |(at, _)| at.saturating_sub(offset + mark.len_utf8()));
            let piece = tail.get(..next).unwrap_or("");
            match piece.to_ascii_lowercase().as_str() {
                "s" => {
                    self.simple(from, start + offset);
                    from = start + offset + mark.len_utf8() + piece.len();
                }
                "t" | "re" | "ve" | "ll" | "d" | "m" | "" => {}
                _ => {
                    self.simple(from, start + offset);
                    from = start + offset + mark.len_utf8();
                }
            }
        }
        self.simple(from, end);
    }

    fn simple(&mut self, start: usize, end: usize) {
        let Some(text) = self.block.get(start..end).filter(|text| !text.is_empty()) else { return };
        let from = self.reading.folded.len();
        let (mut capitals, mut small, mut odd) = (0, 0, false);
        for letter in text.chars() {
            if matches!(letter, '\'' | '’' | '`') {
                continue;
            }
            if letter.is_uppercase() {
                capitals += 1;
            } else if letter.is_lowercase() {
                small += 1;
            }
            odd |= !letter.is_ascii();
            fold::push(letter, &mut self.reading.folded);
        }
        let mut flags = if capitals >= 3 && small == 0 { CAPITALS } else { 0 };
        let folded = self.reading.folded.get(from..).unwrap_or("");
        if folded.is_empty() {
            return;
        }
        self.reading.count(folded.len());
        let mut sense = WORDS.sense(folded);
        if sense.is_empty() && odd {
            let mixed = folded.bytes().any(|byte| byte.is_ascii_alphabetic());
            let latin = if folded.is_ascii() { None } else { fold::lookalike(folded) };
            if let Some(latin) = latin.filter(|latin| latin.len() >= 3) {
                let meant = WORDS.sense(&latin);
                let foreign = text.chars().any(|letter| {
                    matches!(
                        letter.script(),
                        Script::Cyrillic
                            | Script::Armenian
                            | Script::Cherokee
                            | Script::Lisu
                            | Script::Coptic
                    )
                });
                let greek = text.chars().any(|letter| letter.script() == Script::Greek);
                if mixed && (foreign || (greek && latin.len() >= 5)) {
                    flags |= MIXED;
                }
                if !meant.is_empty() || (mixed && foreign) {
                    sense = meant;
                    flags |= DISGUISED;
                    self.reading.folded.truncate(from);
                    self.reading.folded.push_str(&latin);
                }
            }
        } else if sense.is_empty() && folded.len() >= 16 && folded.is_ascii() {
            let folded = folded.to_owned();
            if self.run_together(start, &folded, text.len() == folded.len()) {
                return;
            }
        }
        if sense.is_empty()
            && !odd
            && let Some(meant) = WORDS.meant(self.reading.folded.get(from..).unwrap_or(""))
        {
            sense = WORDS.sense(meant);
        }
        if odd && folded_differs(text) && !sense.is_empty() {
            flags |= DISGUISED;
        }
        self.push(start, end, from, sense, flags);
    }

    /// "ignoreallpreviousinstructions": known words without spaces.
    fn run_together(&mut self, start: usize, folded: &str, same_length: bool) -> bool {
        let mut parts = Vec::new();
        let mut at = 0;
        while let Some(rest) = folded.get(at..).filter(|rest| !rest.is_empty()) {
            let Some((length, _)) = WORDS.longest(rest).filter(|(length, _)| *length >= 2) else {
                return false;
            };
            parts.push((at, at + length));
            at += length;
        }
        if parts.len() < 3 || !same_length {
            return false;
        }
        for (from, to) in parts {
            let word = folded.get(from..to).unwrap_or("").to_owned();
            self.token(start + from, start + to, &word, DISGUISED);
        }
        true
    }

    fn token(&mut self, start: usize, end: usize, word: &str, flags: u8) {
        let from = self.reading.folded.len();
        self.reading.folded.push_str(word);
        let sense = WORDS.sense(word);
        self.push(start, end, from, sense, flags);
    }

    fn push(&mut self, start: usize, end: usize, folded_from: usize, sense: Sense, flags: u8) {
        let folded_to = self.reading.folded.len();
        self.reading.tokens.push(Token {
            start: start as u32,
            end: end as u32,
            folded: (folded_from as u32, folded_to as u32),
            sense,
            flags,
            after: 0,
            sentence: 0,
        });
        self.after_letter = true;
    }

    /// Scripts without spaces: the longest known word at each place; two unknown letters count as a word.
    fn unspaced(&mut self, from: usize) -> usize {
        let rest = self.block.get(from..).unwrap_or("");
        let mut folded = String::new();
        let mut places = Vec::new();
        let mut end = from;
        for (offset, letter) in rest.char_indices() {
            if !(is_unspaced(letter) || crate::hidden::is_ignorable(letter)) {
                break;
            }
            let before = folded.len();
            fold::push(letter, &mut folded);
            places.extend(std::iter::repeat_n(from + offset, folded.len() - before));
            end = from + offset + letter.len_utf8();
        }
        self.reading.count(folded.len());
        places.push(end);
        let place = |at: usize| places.get(at).copied().unwrap_or(end);
        let mut at = 0;
        let mut unknown = 0;
        while let Some(rest) = folded.get(at..).filter(|rest| !rest.is_empty()) {
            let step = rest.chars().next().map_or(1, char::len_utf8);
            if let Some((length, sense)) = WORDS.longest(rest) {
                let word_from = self.reading.folded.len();
                self.reading.folded.push_str(rest.get(..length).unwrap_or(""));
                self.push(place(at), place(at + length), word_from, sense, 0);
                at += length;
                unknown = 0;
            } else {
                if unknown % 2 == 0 {
                    let word_from = self.reading.folded.len();
                    self.push(place(at), place(at + step), word_from, Sense::default(), 0);
                }
                unknown += 1;
                at += step;
            }
        }
        end
    }
}

/// Whether a word is written in styled letters (bold, circled, wide) that only fold to plain ones.
fn folded_differs(text: &str) -> bool {
    text.chars().any(|letter| matches!(letter, '\u{1D400}'..='\u{1D7FF}' | '\u{FF21}'..='\u{FF5A}' | '\u{24B6}'..='\u{24E9}' | '\u{1F130}'..='\u{1F189}'))
}

/// Scripts that are written without spaces.
pub(crate) fn is_unspaced(letter: char) -> bool {
    if letter.is_ascii() {
        return false;
    }
    letter == 'ー'
        || matches!(
            letter.script(),
            Script::Han
                | Script::Hiragana
                | Script::Katakana
                | Script::Thai
                | Script::Lao
                | Script::Khmer
                | Script::Myanmar
        )
}
