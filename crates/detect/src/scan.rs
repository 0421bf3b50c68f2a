//! One string, all signals: hidden characters, words, what is encoded in it, secrets.

use std::{cell::Cell, ops::Range};

use crate::{
    excerpt,
    finding::{Finding, Tier},
    hidden::{self, Kind},
    payload::{self, DEEPEST},
    rules::{self, Family, HARD, Hit, Place},
    secret,
    token::{DISGUISED, Reading},
};

/// The longest block that is read at once, in bytes, and how much of it is read again with the next.
const BLOCK: usize = 32 * 1024;
const OVERLAP: usize = 768;

/// How many findings of one rule are told of one string.
const EACH: usize = 3;

/// How far apart signals may be to confirm each other, in bytes.
const TOGETHER: usize = 1500;

/// Reads strings and keeps count of the work.
#[derive(Debug, Default)]
pub(crate) struct Scanner {
    pub(crate) findings: Vec<Finding>,
    /// Steps taken, in no unit but "about one character looked at".
    pub(crate) steps: Cell<u64>,
}

impl Scanner {
    fn count(&self, steps: u64) {
        self.steps.set(self.steps.get().saturating_add(steps));
    }

    /// Reads one string.
    pub(crate) fn string(&mut self, text: &str, path: &str, place: Place) {
        let from = self.findings.len();
        self.hidden(text, path, place);
        let hits = self.hits(text, place);
        let told = told(&hits);
        for hit in &told {
            self.push(text, path, hit.rule, hit.tier, hit.confidence, hit.span.clone(), hit.says.to_owned());
        }
        if let Some((span, confidence, says)) = together(&hits, place) {
            self.push(text, path, "directive.combined", Tier::Hard, confidence, span, says);
        }
        if place != Place::Name {
            let mut budget = text.len().saturating_mul(2).saturating_add(4096);
            self.encoded(text, text, None, path, place, 1, &mut budget);
            self.secrets(text, path);
        }
        self.pushed_out_of_sight(text, path, place);
        let _ = from;
    }

    #[expect(clippy::too_many_arguments, reason = "a finding has that many parts")]
    pub(crate) fn push(
        &mut self,
        text: &str,
        path: &str,
        rule: &'static str,
        tier: Tier,
        confidence: f64,
        span: Range<usize>,
        says: String,
    ) {
        let excerpt = excerpt::of(text, &span);
        let confidence = (confidence * 100.0).round() / 100.0;
        self.findings.push(Finding { rule, tier, confidence, path: path.to_owned(), span, excerpt, says });
    }

    /// The signals of the words, block by block.
    pub(crate) fn hits(&self, text: &str, place: Place) -> Vec<Hit> {
        let mut hits: Vec<Hit> = Vec::new();
        for block in blocks(text) {
            let part = text.get(block.clone()).unwrap_or("");
            let reading = Reading::of(part, place == Place::Name);
            let found = rules::run(part, &reading, place).into_iter().chain(rules::mixed(&reading, place));
            let turned = turned(part, &reading, place);
            self.count(reading.steps.get());
            for mut hit in found.chain(turned) {
                let disguised = reading
                    .tokens
                    .iter()
                    .skip_while(|token| (token.end as usize) <= hit.span.start)
                    .take_while(|token| (token.start as usize) < hit.span.end)
                    .any(|token| token.has(DISGUISED));
                if disguised && hit.rule != "unicode.lookalike" {
                    hit.confidence = (hit.confidence + 0.2).min(0.99);
                    if hit.confidence >= HARD {
                        hit.tier = Tier::Hard;
                    }
                }
                hit.span = hit.span.start + block.start..hit.span.end + block.start;
                if !hits.iter().rev().take(64).any(|known| known.rule == hit.rule && known.span == hit.span) {
                    hits.push(hit);
                }
            }
        }
        hits
    }

    fn hidden(&mut self, text: &str, path: &str, place: Place) {
        self.count(text.len() as u64);
        let runs = hidden::find(text);
        if runs.is_empty() {
            return;
        }
        let total: usize = runs.iter().map(|run| run.count).sum();
        let mut kinds: Vec<Kind> = runs.iter().map(|run| run.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let spelled: String = runs.iter().flat_map(|run| run.spells.chars()).take(200).collect();
        for run in runs.iter().take(EACH) {
            let (tier, confidence) = gravity(run, place, kinds.len(), total);
            let rule = if run.kind == Kind::Control { "unicode.control" } else { "unicode.hidden" };
            let many = if run.count == 1 { "Holds".to_owned() } else { format!("Holds {} times", run.count) };
            let mut says = format!("{many} what can't be seen: {}.", hidden::name(run.kind));
            if spelled.len() >= 3 {
                says = format!("Holds hidden letters that spell “{}”.", secret::mask(&spelled));
            }
            self.push(text, path, rule, tier, confidence, run.span.clone(), says);
        }
        if spelled.len() >= 8 {
            // What is spelled is read too, but told as what it is: hidden.
            let hits = self.hits(&spelled, Place::Text);
            if let (Some(hit), Some(run)) = (told_first(&hits), runs.first()) {
                let says = format!("Hidden letters spell an order. {}", hit.says);
                self.push(text, path, "payload.decoded", Tier::Hard, 0.97, run.span.clone(), says);
            }
        }
    }

    /// What is encoded, opened level by level. `whole` is the string, `at` the place in it of what is being opened.
    #[expect(clippy::too_many_arguments, reason = "the place in the string goes along")]
    fn encoded(
        &mut self,
        whole: &str,
        text: &str,
        at: Option<Range<usize>>,
        path: &str,
        place: Place,
        level: usize,
        budget: &mut usize,
    ) {
        if level > DEEPEST {
            return;
        }
        self.count(text.len() as u64);
        let mut told = 0;
        for piece in payload::find(text) {
            if piece.text.len() > *budget {
                return;
            }
            *budget -= piece.text.len();
            self.count(piece.text.len() as u64);
            let span = at.clone().unwrap_or_else(|| piece.span.clone());
            let hits = self.hits(&piece.text, place);
            let says = if payload::is_command(&piece.text) && !matches!(piece.how, "percent signs") {
                Some(format!("Holds a command written in {}.", piece.how))
            } else {
                told_first(&hits).map(|hit| format!("Holds words written in {}. {}", piece.how, hit.says))
            };
            match says {
                Some(says) if told < EACH => {
                    told += 1;
                    self.push(whole, path, "payload.decoded", Tier::Hard, 0.95, span, says);
                }
                Some(_) => {}
                None => self.encoded(whole, &piece.text, Some(span), path, place, level + 1, budget),
            }
        }
    }

    fn secrets(&mut self, text: &str, path: &str) {
        self.count(text.len() as u64);
        for found in secret::find(text).into_iter().take(EACH) {
            let says = format!("Holds what looks like {}.", found.name);
            self.push(text, path, "secret.embedded", Tier::Soft, found.confidence, found.span, says);
        }
    }

    /// Words behind so much empty space that nobody scrolls to them.
    fn pushed_out_of_sight(&mut self, text: &str, path: &str, place: Place) {
        if matches!(place, Place::Text | Place::Name) {
            return;
        }
        let (mut lines, mut spaces, mut start) = (0usize, 0usize, 0usize);
        for (at, letter) in text.char_indices() {
            if letter == '\n' {
                lines += 1;
            } else if letter.is_whitespace() {
                spaces += 1;
            } else {
                if start > 0 && (lines >= 25 || spaces >= 200) {
                    let says = "Stands behind so much empty space that it is out of sight.".to_owned();
                    self.push(text, path, "layout.out_of_sight", Tier::Soft, 0.6, at..text.len(), says);
                    return;
                }
                (lines, spaces, start) = (0, 0, at + letter.len_utf8());
            }
        }
    }
}

/// How grave hidden characters are.
fn gravity(run: &hidden::Run, place: Place, kinds: usize, total: usize) -> (Tier, f64) {
    let in_tool = place != Place::Text;
    let grave = matches!(run.kind, Kind::Tag | Kind::Override | Kind::Annotation)
        || run.spells.len() >= 4
        || kinds >= 3;
    if grave {
        return (Tier::Hard, if run.spells.len() >= 2 || kinds >= 3 { 0.97 } else { 0.9 });
    }
    if run.count >= 4 && run.kind != Kind::Control && run.kind != Kind::Private {
        return (Tier::Hard, 0.9);
    }
    match run.kind {
        Kind::SoftHyphen | Kind::Operator => (Tier::Soft, 0.5),
        Kind::DirectionMark => (Tier::Soft, 0.5),
        Kind::Control if in_tool => (Tier::Hard, 0.8),
        Kind::Control | Kind::Private if !in_tool => (Tier::Soft, 0.45),
        _ if in_tool => (Tier::Hard, 0.8),
        _ if run.in_word || total >= 12 => (Tier::Soft, 0.6),
        _ => (Tier::Soft, 0.45),
    }
}

/// Words turned by thirteen letters or written backwards: read once more, the right way round.
fn turned(text: &str, reading: &Reading, place: Place) -> Vec<Hit> {
    let count = |concept| reading.tokens.iter().filter(|token| token.is(concept)).count();
    let rotated = count(crate::concept::ROTATED) >= 2;
    let reversed = count(crate::concept::REVERSED) >= 2;
    if !rotated && !reversed {
        return Vec::new();
    }
    let right: String =
        if rotated { text.chars().map(crate::words::rotate).collect() } else { text.chars().rev().collect() };
    let again = Reading::of(&right, false);
    let found = rules::run(&right, &again, place);
    reading.steps.set(reading.steps.get() + again.steps.get());
    let length = text.len();
    told_first(&found)
        .map(|hit| {
            let says = if rotated {
                "Holds an order in letters turned by thirteen places."
            } else {
                "Holds an order written backwards."
            };
            let span = if rotated
                && hit.span.end <= length
                && text.is_char_boundary(hit.span.start)
                && text.is_char_boundary(hit.span.end)
            {
                hit.span.clone()
            } else {
                0..length
            };
            Hit { rule: "payload.decoded", family: hit.family, tier: Tier::Hard, confidence: 0.9, span, says }
        })
        .into_iter()
        .collect()
}

/// The signals that are told: the strongest of each rule, those that cover each other once.
fn told(hits: &[Hit]) -> Vec<Hit> {
    let mut sorted: Vec<&Hit> = hits.iter().collect();
    sorted.sort_by(|a, b| b.confidence.total_cmp(&a.confidence).then(a.span.start.cmp(&b.span.start)));
    let mut told: Vec<Hit> = Vec::new();
    for hit in sorted {
        let same = told.iter().filter(|known| known.rule == hit.rule);
        let covered =
            same.clone().any(|known| known.span.start < hit.span.end && hit.span.start < known.span.end);
        if !covered && same.count() < EACH {
            told.push(hit.clone());
        }
        if told.len() >= 32 {
            break;
        }
    }
    told
}

fn told_first(hits: &[Hit]) -> Option<&Hit> {
    hits.iter().max_by(|a, b| a.confidence.total_cmp(&b.confidence))
}

/// Signals of different families close together are more than each alone.
fn together(hits: &[Hit], place: Place) -> Option<(Range<usize>, f64, String)> {
    if hits.iter().any(|hit| hit.tier == Tier::Hard) || place == Place::Name {
        return None;
    }
    let floor = if place == Place::Text { 0.55 } else { 0.5 };
    let mut sorted: Vec<&Hit> =
        hits.iter().filter(|hit| hit.confidence >= floor && hit.family != Family::Purpose).collect();
    sorted.sort_by_key(|hit| hit.span.start);
    for (index, hit) in sorted.iter().enumerate() {
        let near = sorted
            .iter()
            .skip(index + 1)
            .take(64)
            .take_while(|other| other.span.start.saturating_sub(hit.span.end) <= TOGETHER);
        if let Some(other) = near.into_iter().find(|other| other.family != hit.family) {
            let says = format!("Two signals stand together. {} {}", hit.says, other.says);
            let confidence = (hit.confidence + other.confidence).min(1.6) / 1.6;
            return Some((hit.span.start..other.span.end.max(hit.span.end), confidence.max(HARD), says));
        }
    }
    None
}

/// A text in blocks that end at a line's or word's end where there is one, each with the tail of the one before.
fn blocks(text: &str) -> Vec<Range<usize>> {
    let mut blocks = Vec::new();
    let mut start = 0;
    loop {
        if text.len() - start <= BLOCK {
            blocks.push(start..text.len());
            return blocks;
        }
        let mut end = excerpt::boundary(text, start + BLOCK);
        let tail = excerpt::boundary(text, end - OVERLAP);
        let cut = text.get(tail..end).and_then(|tail| tail.rfind('\n').or_else(|| tail.rfind(' ')));
        if let Some(cut) = cut {
            end = tail + cut + 1;
        }
        blocks.push(start..end);
        start = excerpt::boundary(text, end - OVERLAP);
    }
}
