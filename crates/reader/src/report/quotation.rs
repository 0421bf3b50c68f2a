//! Short, masked quotations.

use detect::Finding;

/// Words, and characters, of a quotation.
const WORDS: usize = 3;
const CHARACTERS: usize = 24;

/// A few words from where a finding is. Secrets are quoted as the finding masks them.
pub(super) fn of(text: &str, finding: &Finding) -> String {
    let there = text.get(finding.span.clone()).unwrap_or_default();
    let shown =
        if finding.rule.starts_with("secret") { finding.excerpt.clone() } else { detect::visible(there) };
    let words: Vec<&str> = shown.split_whitespace().take(WORDS).collect();
    let few = words.join(" ");
    let cut: String = plain(&few, CHARACTERS);
    if cut.len() < plain(&shown, usize::MAX).len() { format!("{cut}…") } else { cut }
}

/// What a rule says, without what it repeats of the text between quotation marks.
pub(super) fn says(sentence: &str) -> String {
    let mut kept = String::new();
    for (at, part) in sentence.split(['“', '”']).enumerate() {
        kept.push_str(if at % 2 == 0 { part } else { "…" });
    }
    plain(&kept, 200)
}

/// Letters, digits and a little punctuation; an address loses its scheme, so that nothing makes it a link.
pub(super) fn plain(text: &str, most: usize) -> String {
    let kept = |c: char| {
        if c.is_alphanumeric()
            || matches!(c, ' ' | '.' | ',' | ';' | '-' | '_' | '\'' | '+' | '*' | '⟨' | '⟩' | '(' | ')' | '…')
        {
            c
        } else {
            '·'
        }
    };
    text.chars().take(most).map(kept).collect()
}
