//! What kind of thing a text is, by its looks.

use serde::Serialize;

/// A kind of content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ContentKind {
    /// Nothing.
    Empty,
    /// One JSON value.
    Json,
    /// HTML or XML.
    Markup,
    /// Lines of a log.
    Log,
    /// Settings.
    Config,
    /// A program.
    Code,
    /// Words for people.
    Prose,
    /// Several of these.
    Mixed,
}

impl ContentKind {
    /// Judges by the shape of the lines.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let trimmed = text.trim();
        if trimmed.is_empty() {
            return Self::Empty;
        }
        if trimmed.starts_with(['{', '[']) && serde_json::from_str::<serde::de::IgnoredAny>(trimmed).is_ok() {
            return Self::Json;
        }
        let lower: String = trimmed.chars().take(200).collect::<String>().to_lowercase();
        if lower.starts_with("<!doctype") || lower.starts_with("<html") || lower.starts_with("<?xml") {
            return Self::Markup;
        }
        let mut counts = [(Self::Log, 0_usize), (Self::Code, 0), (Self::Config, 0), (Self::Prose, 0)];
        for line in trimmed.lines().map(str::trim).filter(|line| !line.is_empty()).take(2000) {
            let kind = line_kind(line);
            if let Some((_, count)) = counts.iter_mut().find(|(known, _)| *known == kind) {
                *count += 1;
            }
        }
        let all: usize = counts.iter().map(|(_, count)| count).sum();
        match counts.iter().max_by_key(|(_, count)| *count) {
            Some((kind, most)) if most * 3 >= all * 2 => *kind,
            _ => Self::Mixed,
        }
    }

    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Empty => "nothing",
            Self::Json => "JSON",
            Self::Markup => "markup",
            Self::Log => "log",
            Self::Config => "settings",
            Self::Code => "code",
            Self::Prose => "prose",
            Self::Mixed => "mixed",
        }
    }
}

fn line_kind(line: &str) -> ContentKind {
    let digits = line.bytes().take(10).filter(u8::is_ascii_digit).count();
    if digits >= 6
        || ["INFO ", "WARN ", "ERROR ", "DEBUG ", "[INFO", "[ERROR"].iter().any(|word| line.starts_with(word))
    {
        return ContentKind::Log;
    }
    let code = [
        "fn ",
        "def ",
        "class ",
        "import ",
        "use ",
        "function ",
        "const ",
        "let ",
        "var ",
        "if (",
        "for (",
        "#include",
        "return ",
        "pub ",
        "//",
        "/*",
        "}",
    ];
    if line.ends_with(['{', ';']) || code.iter().any(|word| line.starts_with(word)) {
        return ContentKind::Code;
    }
    let name = |text: &str| {
        let text = text.trim().trim_start_matches("- ");
        !text.is_empty()
            && text.len() <= 40
            && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
    };
    let set = line.split_once('=').or_else(|| line.split_once(": "));
    if (line.starts_with('[') && line.ends_with(']')) || set.is_some_and(|(before, _)| name(before)) {
        return ContentKind::Config;
    }
    ContentKind::Prose
}

#[cfg(test)]
mod tests {
    use super::ContentKind;

    #[test]
    fn a_kind_is_told_by_the_shape_of_the_lines() {
        for (text, kind) in [
            ("", ContentKind::Empty),
            (" \n", ContentKind::Empty),
            ("{\"a\": [1]}", ContentKind::Json),
            ("<!DOCTYPE html><p>x", ContentKind::Markup),
            ("2026-11-30 12:00 started\n2026-11-30 12:01 done", ContentKind::Log),
            ("[server]\nport = 80\nhost = \"a\"", ContentKind::Config),
            ("fn main() {\n    run();\n}", ContentKind::Code),
            ("My mug is broken.\n\nCan I have my money back?", ContentKind::Prose),
            ("My mug is broken.\nport = 80\nfn main() {\n2026-11-30 12:00 done", ContentKind::Mixed),
        ] {
            assert_eq!(ContentKind::of(text), kind, "{text}");
        }
    }
}
