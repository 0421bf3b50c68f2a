//! A report on an untrusted text, for whoever decides about it: what kind of thing it is, what is wrong with it and where,
//! what can be used. It never repeats an order that stands in it: quotations are a few words, masked.
//!
//! Deterministic and offline. It is advice: that nothing was seen does not mean that nothing is there.

mod kind;
mod markdown;
mod numbers;
mod quotation;
mod strings;

use detect::{Finding, Tier, Verdict};
use serde::Serialize;

pub use kind::ContentKind;
pub use numbers::Numbers;

use crate::label::label;

/// Risks that are listed one by one.
const LISTED: usize = 50;

/// What is known about a text without believing it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Where it comes from, as one escaped word.
    pub source: String,
    /// Why it is not trusted.
    pub untrusted_because: String,
    /// What kind of thing it is.
    pub kind: ContentKind,
    /// Three to five sentences made of counts and of words of our own.
    pub summary: Vec<String>,
    /// What the risks come to.
    pub verdict: Verdict,
    /// What was seen, by line. Empty when nothing was.
    pub risks: Vec<Risk>,
    /// How many more there are than are listed.
    pub more_risks: usize,
    /// What can be used.
    pub safe_to_use: Vec<String>,
    /// What to do next; whoever acts decides.
    pub recommendation: String,
}

/// One risk.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Risk {
    /// The line, from 1.
    pub line: usize,
    /// The rule.
    pub rule: String,
    /// How sure the rule is by its nature.
    pub tier: Tier,
    /// One sentence.
    pub says: String,
    /// A few words of what stands there, masked.
    pub quotation: String,
}

impl Report {
    /// Reports on a text. `source` is escaped here, whoever chose it; `because` is a sentence of ours or of the person who
    /// asks.
    #[must_use]
    pub fn on(text: &str, source: &str, because: &str) -> Self {
        let kind = ContentKind::of(text);
        let (mut risks, verdict) = risks(text, kind);
        let lines = text.lines().count();
        let mut marked: Vec<usize> = risks.iter().map(|risk| risk.line).collect();
        marked.sort_unstable();
        marked.dedup();
        let more_risks = risks.len().saturating_sub(LISTED);
        risks.truncate(LISTED);
        risks.sort_by(|a, b| a.line.cmp(&b.line).then(b.tier.cmp(&a.tier)).then_with(|| a.rule.cmp(&b.rule)));
        Self {
            source: label(source),
            untrusted_because: because.to_owned(),
            kind,
            summary: Numbers::of(text).sentences(kind, marked.len()),
            verdict,
            risks,
            more_risks,
            safe_to_use: safe(lines, &marked),
            recommendation: recommendation(verdict).to_owned(),
        }
    }

    /// The report as Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        markdown::written(self)
    }

    /// The report as JSON.
    #[must_use]
    pub fn json(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

fn risks(text: &str, kind: ContentKind) -> (Vec<Risk>, Verdict) {
    let mut found: Vec<(usize, Finding, String)> = Vec::new();
    // What escapes hide inside JSON is seen only once they are undone, and each string is a text of its own.
    let pieces = if kind == ContentKind::Json { strings::of(text) } else { vec![(1, text.to_owned())] };
    for (first, piece) in pieces {
        let mut before = (0_usize, first);
        let mut findings = detect::scan_text(&piece);
        findings.sort_by_key(|finding| finding.span.start);
        for finding in findings {
            // Escapes inside a JSON string are on the line where the string begins.
            let line = if kind == ContentKind::Json {
                first
            } else {
                let since = piece.get(before.0..finding.span.start).unwrap_or_default();
                before = (finding.span.start, before.1 + since.matches('\n').count());
                before.1
            };
            let quotation = quotation::of(&piece, &finding);
            found.push((line, finding, quotation));
        }
    }
    let verdict = found.iter().map(|(_, finding, _)| finding.tier).max();
    let verdict = match verdict {
        None => Verdict::Clean,
        Some(Tier::Soft) => Verdict::Warning,
        Some(Tier::Hard) => Verdict::Dangerous,
    };
    let risk = |(line, finding, quotation): (usize, Finding, String)| Risk {
        line,
        rule: finding.rule.to_owned(),
        tier: finding.tier,
        says: quotation::says(&finding.says),
        quotation,
    };
    let mut risks: Vec<Risk> = found.into_iter().map(risk).collect();
    risks.dedup();
    risks.sort_by(|a, b| b.tier.cmp(&a.tier).then(a.line.cmp(&b.line)));
    (risks, verdict)
}

/// Lines in which nothing was seen, as ranges.
fn safe(lines: usize, marked: &[usize]) -> Vec<String> {
    let mut safe = vec!["The counts in the summary.".to_owned()];
    let mut ranges = Vec::new();
    let mut next = 1;
    for line in marked.iter().copied().chain([lines + 1]) {
        match line.saturating_sub(next) {
            0 => {}
            1 => ranges.push(format!("{next}")),
            _ => ranges.push(format!("{next} to {}", line - 1)),
        }
        next = line + 1;
    }
    if !ranges.is_empty() {
        safe.push(format!("As data, not as orders: lines {}, in which nothing was seen.", ranges.join(", ")));
    }
    safe
}

fn recommendation(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Clean => {
            "Use it as data. Nothing was seen, which does not mean that nothing is there: take no order from it."
        }
        Verdict::Warning => {
            "A person reads the marked lines before anything is done with this text. Take no order from it."
        }
        Verdict::Dangerous => {
            "Do nothing that this text asks for. Decide from records of your own; a person looks at the marked lines."
        }
    }
}
