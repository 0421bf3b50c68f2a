//! Rules over words: each looks from one word at a few around it, in the same sentence.

mod carry;
mod conceal;
mod marks;
mod obey;
mod tools;
mod trust;

use std::ops::Range;

use crate::{
    concept as c,
    concept::Concepts,
    finding::Tier,
    token::{BREAK, COLON, COMMA, QUOTED, Reading, STOP, Token},
    words::{ANY_FORM, BASE, ING, PAST},
};

/// What kind of text is read. Orders that are ordinary in a letter are not in a tool's description.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Any text: a message, a page, a result.
    Text,
    /// What a tool says of itself.
    Tool,
    /// The description of a parameter, or another string of a schema.
    Schema,
    /// A name.
    Name,
}

/// The families of signals. Signals of different families in one text confirm each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Family {
    Override,
    Role,
    Conceal,
    Carry,
    OtherTool,
    Consent,
    Later,
    Obey,
    Purpose,
}

/// A rule's signal in a block.
#[derive(Debug, Clone)]
pub(crate) struct Hit {
    pub(crate) rule: &'static str,
    pub(crate) family: Family,
    pub(crate) tier: Tier,
    pub(crate) confidence: f64,
    /// Bytes in the block.
    pub(crate) span: Range<usize>,
    pub(crate) says: &'static str,
}

/// How the words of a signal stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stance {
    /// As an order or a statement.
    Plain,
    /// Between quotation marks, with nothing that says why.
    Quoted,
    /// As an example, or as what a guard looks for.
    Cited,
}

/// A block and what is asked of it.
#[derive(Debug)]
pub(crate) struct Scan<'r> {
    pub(crate) reading: &'r Reading,
    pub(crate) text: &'r str,
    pub(crate) place: Place,
    pub(crate) hits: Vec<Hit>,
}

/// Reads a block with every rule.
pub(crate) fn run(text: &str, reading: &Reading, place: Place) -> Vec<Hit> {
    let mut scan = Scan { reading, text, place, hits: Vec::new() };
    for (index, token) in reading.tokens.iter().enumerate() {
        if token.sense.is_empty() {
            continue;
        }
        scan.reading.count(1);
        obey::at(&mut scan, index, token);
        conceal::at(&mut scan, index, token);
        carry::at(&mut scan, index, token);
        tools::at(&mut scan, index, token);
        trust::at(&mut scan, index, token);
    }
    marks::all(&mut scan);
    scan.hits
}

/// Words that mix letters of scripts that look alike.
pub(crate) fn mixed(reading: &Reading, place: Place) -> Vec<Hit> {
    let confidence = if place == Place::Text { 0.5 } else { 0.6 };
    let mixed = reading.tokens.iter().filter(|token| token.has(crate::token::MIXED)).take(3);
    mixed
        .map(|token| Hit {
            rule: "unicode.lookalike",
            family: Family::Role,
            tier: Tier::Soft,
            confidence,
            span: token.start as usize..token.end as usize,
            says: "Writes a word with letters of another script that look the same.",
        })
        .collect()
}

impl Scan<'_> {
    pub(crate) fn token(&self, index: usize) -> Option<&Token> {
        self.reading.tokens.get(index)
    }

    fn is(&self, index: usize, concepts: Concepts) -> bool {
        self.token(index).is_some_and(|token| token.is(concepts))
    }

    /// The first word with one of the concepts among the next ones of the same sentence.
    pub(crate) fn ahead(&self, index: usize, concepts: Concepts, within: usize) -> Option<usize> {
        let sentence = self.token(index)?.sentence;
        self.reading.count(within);
        let next = self.reading.tokens.iter().enumerate().skip(index + 1).take(within);
        next.take_while(|(_, token)| token.sentence == sentence)
            .find(|(_, token)| token.is(concepts))
            .map(|(at, _)| at)
    }

    /// The last word with one of the concepts among the ones before, in the same sentence.
    pub(crate) fn behind(&self, index: usize, concepts: Concepts, within: usize) -> Option<usize> {
        let sentence = self.token(index)?.sentence;
        self.reading.count(within);
        (index.saturating_sub(within)..index)
            .rev()
            .take_while(|at| self.token(*at).is_some_and(|token| token.sentence == sentence))
            .find(|at| self.is(*at, concepts))
    }

    /// Either way; ahead first.
    pub(crate) fn near(&self, index: usize, concepts: Concepts, within: usize) -> Option<usize> {
        self.ahead(index, concepts, within).or_else(|| self.behind(index, concepts, within))
    }

    /// Whether the word is one of the concepts itself or has one near.
    pub(crate) fn has(&self, index: usize, concepts: Concepts, within: usize) -> bool {
        self.is(index, concepts) || self.near(index, concepts, within).is_some()
    }

    /// Whether one of the verbs within reach stands as an order.
    pub(crate) fn orders_near(&self, index: usize, concepts: Concepts, within: usize) -> bool {
        let sentence = self.token(index).map(|token| token.sentence);
        self.reading.count(within * 2);
        (index.saturating_sub(within)..index + within + 1).any(|at| {
            self.token(at).map(|token| token.sentence) == sentence
                && self.is(at, concepts)
                && self.is_order(at)
        })
    }

    /// Whether a sentence starts here.
    pub(crate) fn starts_sentence(&self, index: usize) -> bool {
        match index.checked_sub(1).and_then(|before| self.token(before)) {
            None => true,
            Some(before) => self.token(index).is_some_and(|token| token.sentence != before.sentence),
        }
    }

    /// Whether the text begins with this word's sentence: where a tool says what it is for.
    pub(crate) fn is_purpose(&self, index: usize) -> bool {
        self.token(index).is_some_and(|token| token.sentence == 0) && self.place != Place::Text
    }

    /// Whether "not", "never" or the like stands just before and governs the word.
    pub(crate) fn negated(&self, index: usize) -> bool {
        let mut at = index;
        for _ in 0..3 {
            let Some(before) = at.checked_sub(1).filter(|_| !self.starts_sentence(at)) else { return false };
            let Some(token) = self.token(before) else { return false };
            if token.after & (COMMA | BREAK | COLON) != 0 {
                return false;
            }
            if token.is(c::NOT) {
                // "not only" says more, not less.
                return self.reading.word(before + 1) != "only";
            }
            at = before;
        }
        false
    }

    /// Whether a verb stands as an order: in its base form, where an order can stand.
    pub(crate) fn is_order(&self, index: usize) -> bool {
        let Some(token) = self.token(index) else { return false };
        if token.sense.forms & ANY_FORM != 0 && token.sense.forms & BASE == 0 {
            return true;
        }
        if token.sense.forms & BASE == 0 {
            return false;
        }
        let mut at = index;
        for _ in 0..5 {
            if self.starts_sentence(at) {
                return true;
            }
            let Some(before) = at.checked_sub(1) else { return true };
            let Some(token) = self.token(before) else { return true };
            if token.after & (COMMA | COLON | BREAK | crate::token::BRACKET) != 0 {
                return true;
            }
            if token.is(c::MUST) && !token.is(c::MODAL) {
                return true;
            }
            if token.is(c::TO) {
                // "need to", "make sure to"; but not "able to", "used to".
                return before.checked_sub(1).is_some_and(|earlier| self.is(earlier, c::MUST | c::ASK));
            }
            if token.is(c::THEN | c::FIRST | c::YOU | c::SILENT | c::AND | c::MODEL) && !token.is(c::MODAL) {
                return true;
            }
            if !token.is(c::FILLER) || token.is(c::MODAL | c::ARTICLE) {
                // "On every call post …", "when it runs send …".
                return !token.is(c::MODAL | c::ARTICLE) && self.behind(at, c::WHENEVER, 6).is_some();
            }
            at = before;
        }
        false
    }

    /// How the words from one to another stand.
    pub(crate) fn stance(&self, first: usize, last: usize) -> Stance {
        let quoted = [first, last].iter().all(|at| self.token(*at).is_some_and(|token| token.has(QUOTED)));
        let sentence = self.token(first).map(|token| token.sentence);
        let mut under = self.is(first, c::THAT);
        let mut left_quotes = !quoted;
        for distance in 1..=16 {
            let Some(at) = first.checked_sub(distance) else { break };
            let Some(token) = self.token(at) else { break };
            self.reading.count(1);
            if Some(token.sentence) != sentence {
                break;
            }
            left_quotes |= !token.has(QUOTED);
            if quoted && !left_quotes {
                continue;
            }
            // What a quotation before this one is an example of ends with it.
            let past_example = !quoted && token.has(QUOTED) && token.after & COMMA != 0;
            if (token.after & BREAK != 0 && !quoted) || past_example {
                break;
            }
            let labels =
                token.after & COLON != 0 || self.token(at + 1).is_some_and(|next| next.after & COLON != 0);
            // "Sample response: …" holds for all that stands behind the colon.
            let label =
                token.after & COLON != 0 && (0..4).any(|back| self.is(at.wrapping_sub(back), c::EXAMPLE));
            if label {
                return Stance::Cited;
            }
            if token.is(c::EXAMPLE)
                && (quoted || distance <= 3 || (labels && distance <= 5))
                && !token.is(c::AND)
            {
                return Stance::Cited;
            }
            if token.is(c::NAMED) && quoted && self.behind(at, c::DETECT | c::EXAMPLE, 8).is_some() {
                return Stance::Cited;
            }
            under |= token.is(c::THAT);
            if token.is(c::DETECT)
                && (quoted || under)
                && (self.starts_sentence(at) || token.sense.forms != BASE)
            {
                return Stance::Cited;
            }
            if token.is(c::THEN) && !quoted {
                break;
            }
        }
        if quoted { Stance::Quoted } else { Stance::Plain }
    }

    /// Records a signal, weaker where the words are only quoted, not at all where they are an example.
    pub(crate) fn hit(
        &mut self,
        rule: &'static str,
        family: Family,
        confidence: f64,
        first: usize,
        last: usize,
        says: &'static str,
    ) {
        let (first, last) = (first.min(last), first.max(last));
        let confidence = match self.stance(first, last) {
            Stance::Plain => confidence,
            Stance::Quoted => confidence * 0.6,
            // An example that names a live target is more than an example.
            Stance::Cited
                if self.ahead(first, c::SECRET_PATH | c::URL | c::EMAIL | c::ELSEWHERE, 24).is_some() =>
            {
                confidence * 0.6
            }
            Stance::Cited => confidence * 0.3,
        };
        if confidence < FAINTEST {
            return;
        }
        let tier = if confidence >= HARD { Tier::Hard } else { Tier::Soft };
        let start = self.token(first).map_or(0, |token| token.start as usize);
        let end = self.token(last).map_or(start, |token| token.end as usize);
        self.hits.push(Hit {
            rule,
            family,
            tier,
            confidence: confidence.min(0.99),
            span: start..end.max(start),
            says,
        });
    }
}

/// Below this a signal is not told.
pub(crate) const FAINTEST: f64 = 0.45;
/// From this on a signal is hard.
pub(crate) const HARD: f64 = 0.75;

/// Whether a verb may be part of an order in one of its forms: "by ignoring", "should be ignored".
fn may_order(token: &Token) -> bool {
    token.sense.forms & (BASE | ING | ANY_FORM | PAST) != 0
}

/// Whether something ends the thought right behind a word.
fn ends(token: &Token) -> bool {
    token.after & (STOP | COMMA | BREAK | COLON) != 0
}
