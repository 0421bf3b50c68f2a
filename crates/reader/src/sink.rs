//! Which arguments of an acting tool may take free text of a stranger: a quoted body may; a recipient, a path, a
//! command, an amount never do.

use crate::schema::{Refused, refused};
use crate::store::Origin;

/// What an argument's name says about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument {
    /// Words for a person to read.
    Quote,
    /// It decides who, where, what or how much: never free text.
    Decides,
    /// Its name says neither: free text only where the settings say so.
    Unsaid,
}

/// Words of names that decide.
const DECIDES: [&str; 62] = [
    "account",
    "address",
    "amount",
    "arg",
    "args",
    "argument",
    "arguments",
    "assignee",
    "bcc",
    "branch",
    "cc",
    "channel",
    "cmd",
    "code",
    "command",
    "count",
    "cwd",
    "dest",
    "destination",
    "dir",
    "directory",
    "domain",
    "email",
    "emails",
    "endpoint",
    "env",
    "exec",
    "file",
    "filename",
    "folder",
    "from",
    "header",
    "headers",
    "host",
    "iban",
    "id",
    "ids",
    "key",
    "link",
    "path",
    "paths",
    "password",
    "phone",
    "port",
    "price",
    "program",
    "quantity",
    "query",
    "recipient",
    "recipients",
    "script",
    "secret",
    "sql",
    "status",
    "to",
    "token",
    "total",
    "uri",
    "url",
    "urls",
    "user",
    "username",
];

/// Names of arguments that are words for a person.
const QUOTES: [&str; 15] = [
    "body",
    "comment",
    "comments",
    "content",
    "description",
    "html_body",
    "markdown",
    "message",
    "note",
    "notes",
    "quote",
    "reply",
    "subject",
    "summary",
    "text",
];

/// A name's words: `filePath`, `file-path` and `file_path` are `file` and `path`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && before.is_lowercase()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

impl Argument {
    /// Judges an argument by the names on the way to it, the places in lists left out.
    #[must_use]
    pub fn of(path: &[&str]) -> Self {
        let decides = |name: &&str| words(name).iter().any(|word| DECIDES.contains(&word.as_str()));
        match path.last() {
            Some(_) if path.iter().any(decides) => Self::Decides,
            Some(last) if QUOTES.contains(&words(last).join("_").as_str()) => Self::Quote,
            _ => Self::Unsaid,
        }
    }
}

/// An acting tool whose arguments may hold references.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sink {
    quotes: Vec<String>,
    from: Vec<String>,
}

/// Why a reference stays what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The argument decides something.
    Decides,
    /// The settings don't say that it is words for a person.
    Unsaid,
    /// The reference came from elsewhere.
    Elsewhere,
}

impl Refusal {
    /// One sentence.
    #[must_use]
    pub fn says(self) -> &'static str {
        match self {
            Self::Decides => "it decides who, where, what or how much, and never takes a stranger's words",
            Self::Unsaid => "the settings do not name it under quotes",
            Self::Elsewhere => {
                "the reference came from another server, and the settings do not name that under from"
            }
        }
    }
}

impl Sink {
    /// A sink. `quotes` are arguments that are words for a person although their names don't say so (`fields.note`);
    /// `from` are further namespaces whose references it takes, besides its own.
    ///
    /// # Errors
    /// An argument that decides is named as a quote.
    pub fn new(quotes: Vec<String>, from: Vec<String>) -> Result<Self, Refused> {
        for quote in &quotes {
            let path: Vec<&str> = quote.split('.').collect();
            if path.iter().any(|part| part.is_empty()) || Argument::of(&path) == Argument::Decides {
                return refused(format!(
                    "quotes: {quote} decides something and never takes a stranger's words"
                ));
            }
        }
        Ok(Self { quotes, from })
    }

    /// Whether a reference may be resolved in this argument of a tool of `namespace`.
    ///
    /// # Errors
    /// It may not, and why.
    pub fn allows(&self, namespace: &str, path: &[&str], origin: &Origin) -> Result<(), Refusal> {
        match Argument::of(path) {
            Argument::Decides => return Err(Refusal::Decides),
            Argument::Unsaid if !self.quotes.contains(&path.join(".")) => return Err(Refusal::Unsaid),
            Argument::Unsaid | Argument::Quote => {}
        }
        if origin.namespace == namespace || self.from.contains(&origin.namespace) {
            Ok(())
        } else {
            Err(Refusal::Elsewhere)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Argument, Sink};

    #[test]
    fn an_argument_is_judged_by_every_name_on_the_way_to_it() {
        for quote in
            [&["body"][..], &["fields", "description"], &["comment", "text"], &["replyMessage", "content"]]
        {
            assert_eq!(Argument::of(quote), Argument::Quote, "{quote:?}");
        }
        for decides in [
            &["to"][..],
            &["file_path"],
            &["filePath"],
            &["command"],
            &["amount"],
            &["refundAmount"],
            &["ticket-id"],
            &["recipients", "body"],
            &["url"],
            &["email"],
            &["userName"],
            &["query"],
        ] {
            assert_eq!(Argument::of(decides), Argument::Decides, "{decides:?}");
        }
        for unsaid in [&["title"][..], &["customfield_1"], &["token_body"][..0]] {
            assert_eq!(Argument::of(unsaid), Argument::Unsaid, "{unsaid:?}");
        }
    }

    #[test]
    fn no_setting_opens_an_argument_that_decides() {
        assert!(Sink::new(vec!["fields.title".into()], vec![]).is_ok());
        for wrong in ["to", "payment.amount", "commandLine.body", "", "a..b"] {
            assert!(Sink::new(vec![wrong.into()], vec![]).is_err(), "{wrong}");
        }
    }
}
