//! A text in counts, and in words of our own that stand in it. Nothing it says is repeated.

use super::ContentKind;

/// Words that are named when they occur; they are ours, so naming them tells nothing else.
const TOPICS: [&str; 14] = [
    "account", "address", "billing", "broken", "cancel", "damaged", "delivery", "invoice", "order",
    "password", "payment", "refund", "return", "shipping",
];

/// The counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Numbers {
    lines: usize,
    words: usize,
    characters: usize,
    links: usize,
    mails: usize,
    numbers: usize,
    beyond_ascii: usize,
    topics: Vec<&'static str>,
}

impl Numbers {
    /// Counts.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let lower = text.to_lowercase();
        let words = |text: &'_ str| {
            text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).count()
        };
        let stands =
            |topic: &&'static str| lower.split(|c: char| !c.is_alphanumeric()).any(|word| word == *topic);
        let mail = |word: &&str| {
            word.split_once('@')
                .is_some_and(|(name, host)| !name.is_empty() && host.trim_end_matches('.').contains('.'))
        };
        Self {
            lines: text.lines().count(),
            words: words(text),
            characters: text.chars().count(),
            links: lower.matches("://").count(),
            mails: text.split_whitespace().filter(mail).count(),
            numbers: text
                .split(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',')))
                .filter(|word| word.bytes().any(|byte| byte.is_ascii_digit()))
                .count(),
            beyond_ascii: text.chars().filter(|c| !c.is_ascii()).count(),
            topics: TOPICS.iter().filter(|topic| stands(topic)).copied().collect(),
        }
    }

    pub(super) fn sentences(&self, kind: ContentKind, marked: usize) -> Vec<String> {
        let count = |number: usize, one: &str, many: &str| {
            format!("{number} {}", if number == 1 { one } else { many })
        };
        let topics = if self.topics.is_empty() {
            "None of the usual words of a support request stand in it.".to_owned()
        } else {
            format!("Usual words of a support request that stand in it: {}.", self.topics.join(", "))
        };
        vec![
            format!(
                "It looks like {}: {}, {}, {}, {} of them beyond ASCII.",
                kind.word(),
                count(self.lines, "line", "lines"),
                count(self.words, "word", "words"),
                count(self.characters, "character", "characters"),
                self.beyond_ascii
            ),
            format!(
                "It holds {}, {} and {}.",
                count(self.links, "link", "links"),
                count(self.mails, "mail address", "mail addresses"),
                count(self.numbers, "number", "numbers")
            ),
            topics,
            match marked {
                0 => "Nothing was seen in any line.".to_owned(),
                marked => format!("Something was seen in {}.", count(marked, "line", "lines")),
            },
        ]
    }
}
