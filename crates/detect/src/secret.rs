//! Live secrets in text: keys and tokens by their documented shapes, private keys, passwords in addresses. What is
//! plainly a placeholder is left alone.

use std::{ops::Range, sync::LazyLock};

use aho_corasick::AhoCorasick;

/// A shape of secret: how it begins, its length at least, and what may stand in it.
struct Shape {
    prefix: &'static str,
    shortest: usize,
    letters: fn(u8) -> bool,
    name: &'static str,
    confidence: f64,
}

const fn shape(
    prefix: &'static str,
    shortest: usize,
    letters: fn(u8) -> bool,
    name: &'static str,
    confidence: f64,
) -> Shape {
    Shape { prefix, shortest, letters, name, confidence }
}

fn upper(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit()
}

fn plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

fn word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

fn dotted(byte: u8) -> bool {
    word(byte) || byte == b'.'
}

fn address(byte: u8) -> bool {
    byte.is_ascii_graphic() && !b"\"'<>`,()".contains(&byte)
}

static SHAPES: &[Shape] = &[
    shape("AKIA", 20, upper, "an AWS access key", 0.9),
    shape("ASIA", 20, upper, "a temporary AWS access key", 0.8),
    shape("ghp_", 36, word, "a GitHub token", 0.9),
    shape("gho_", 36, word, "a GitHub token", 0.9),
    shape("ghs_", 36, word, "a GitHub token", 0.9),
    shape("ghu_", 36, word, "a GitHub token", 0.9),
    shape("github_pat_", 50, word, "a GitHub token", 0.9),
    shape("glpat-", 24, word, "a GitLab token", 0.9),
    shape("sk-ant-", 40, word, "an Anthropic key", 0.9),
    shape("sk-proj-", 40, word, "an OpenAI key", 0.9),
    shape("sk-", 40, word, "an API key", 0.8),
    shape("sk_live_", 24, word, "a live Stripe key", 0.9),
    shape("rk_live_", 24, word, "a live Stripe key", 0.9),
    shape("xoxb-", 24, word, "a Slack token", 0.9),
    shape("xoxp-", 24, word, "a Slack token", 0.9),
    shape("xoxa-", 24, word, "a Slack token", 0.9),
    shape("xapp-", 24, word, "a Slack token", 0.9),
    shape("AIza", 39, word, "a Google API key", 0.9),
    shape("ya29.", 40, dotted, "a Google access token", 0.8),
    shape("GOCSPX-", 28, word, "a Google client secret", 0.9),
    shape("hf_", 34, plain_after, "a Hugging Face token", 0.8),
    shape("npm_", 38, plain_after, "an npm token", 0.9),
    shape("pypi-AgE", 60, word, "a PyPI token", 0.9),
    shape("dop_v1_", 60, word, "a DigitalOcean token", 0.9),
    shape("shpat_", 36, word, "a Shopify token", 0.9),
    shape("SG.", 60, dotted, "a SendGrid key", 0.9),
    shape("dckr_pat_", 30, word, "a Docker token", 0.9),
    shape("AGE-SECRET-KEY-1", 60, upper_dash, "an age key", 0.9),
    shape("hooks.slack.com/services/T", 60, address, "a Slack webhook", 0.8),
    shape("discord.com/api/webhooks/", 80, address, "a Discord webhook", 0.8),
    shape("eyJ", 80, dotted, "a signed token (JWT)", 0.6),
    shape("postgres://", 24, address, "a password in an address", 0.7),
    shape("postgresql://", 26, address, "a password in an address", 0.7),
    shape("mysql://", 20, address, "a password in an address", 0.7),
    shape("mongodb://", 22, address, "a password in an address", 0.7),
    shape("mongodb+srv://", 26, address, "a password in an address", 0.7),
    shape("redis://", 20, address, "a password in an address", 0.7),
    shape("amqp://", 20, address, "a password in an address", 0.7),
    shape("-----BEGIN ", 30, address, "a private key", 0.9),
];

fn plain_after(byte: u8) -> bool {
    plain(byte) || byte == b'_'
}

fn upper_dash(byte: u8) -> bool {
    upper(byte) || byte == b'-'
}

static PREFIXES: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    AhoCorasick::builder()
        .match_kind(aho_corasick::MatchKind::LeftmostLongest)
        .build(SHAPES.iter().map(|shape| shape.prefix))
        .ok()
});

/// A secret in a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Secret {
    pub(crate) span: Range<usize>,
    pub(crate) name: &'static str,
    pub(crate) confidence: f64,
}

/// The longest run that is looked at.
const LONGEST: usize = 2048;

/// Finds secrets, in order, none within another.
pub(crate) fn find(text: &str) -> Vec<Secret> {
    let mut found: Vec<Secret> = Vec::new();
    let Some(prefixes) = &*PREFIXES else { return found };
    let bytes = text.as_bytes();
    let mut looked = 0;
    for hit in prefixes.find_iter(text) {
        let start = hit.start();
        let inner = start.checked_sub(1).and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_alphanumeric);
        if start < looked || inner {
            continue;
        }
        let Some(shape) = SHAPES.get(hit.pattern().as_usize()) else { continue };
        let rest = bytes.get(start..bytes.len().min(start + LONGEST)).unwrap_or(&[]);
        if shape.prefix.starts_with("-----") {
            let head = text.get(start..crate::excerpt::boundary(text, start + 60)).unwrap_or("");
            if let Some(length) = private_key(head, text.get(start..).unwrap_or("")) {
                looked = start + length;
                found.push(Secret {
                    span: start..start + length,
                    name: shape.name,
                    confidence: shape.confidence,
                });
            }
            continue;
        }
        let tail = rest.get(shape.prefix.len()..).unwrap_or(&[]);
        let length = shape.prefix.len() + tail.iter().take_while(|byte| (shape.letters)(**byte)).count();
        looked = start + length;
        let value = text.get(start..start + length).unwrap_or("").trim_end_matches('.');
        let fits = value.len() >= shape.shortest
            && match shape.prefix {
                "eyJ" => value.split('.').count() == 3 && value.split('.').all(|part| part.len() >= 10),
                prefix if prefix.ends_with("://") => has_password(value),
                _ => !is_placeholder(value.get(shape.prefix.len()..).unwrap_or("")),
            };
        if fits {
            found.push(Secret {
                span: start..start + value.len(),
                name: shape.name,
                confidence: shape.confidence,
            });
        }
    }
    found
}

/// The whole of a private key, from its first line on, where something of the key follows.
fn private_key(head: &str, text: &str) -> Option<usize> {
    let end = head.find("PRIVATE KEY")?;
    let body = text
        .get(end..)?
        .trim_start_matches("PRIVATE KEY")
        .trim_start_matches(" BLOCK")
        .trim_start_matches('-');
    let key: usize = body.bytes().take(4000).filter(|byte| byte.is_ascii_alphanumeric()).take(64).count();
    let start = text.len() - body.len();
    let elided = body.get(..crate::excerpt::boundary(body, 80)).is_some_and(|start| start.contains("..."));
    if key < 32 || elided {
        return None;
    }
    let length =
        body.bytes().take(8000).take_while(|byte| plain(*byte) || b"+/=\n\r :,-".contains(byte)).count();
    Some(start + length)
}

/// Whether an address carries a password that is not plainly made up.
fn has_password(value: &str) -> bool {
    let Some((_, rest)) = value.split_once("://") else { return false };
    let Some((user, host)) = rest.split_once('@') else { return false };
    let Some((_, password)) = user.split_once(':') else { return false };
    !host.is_empty()
        && password.len() >= 6
        && !is_placeholder(password)
        && !password.contains(['$', '{', '%', '['])
}

const PLACEHOLDERS: &[&str] = &[
    "example",
    "xxxx",
    "your",
    "placeholder",
    "****",
    "1234567890",
    "abcdef",
    "changeme",
    "dummy",
    "sample",
    "fake",
    "redacted",
    "....",
    "password",
    "secret",
    "token",
    "test",
    "user",
    "pass",
    "000000",
    "replace",
    "insert",
    "demo",
];

/// Whether a value only shows how one looks.
fn is_placeholder(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let mut seen = [false; 256];
    let mut distinct = 0;
    for byte in value.bytes() {
        if let Some(seen) = seen.get_mut(usize::from(byte)).filter(|seen| !**seen) {
            *seen = true;
            distinct += 1;
        }
    }
    let few = distinct < 8.min(value.len());
    few || PLACEHOLDERS.iter().any(|word| lower.contains(word))
}

/// The text with each secret cut to its first four characters.
pub(crate) fn mask(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for secret in find(text) {
        out.push_str(text.get(at..secret.span.start).unwrap_or(""));
        let value = text.get(secret.span.clone()).unwrap_or("");
        let mut letters = value.chars();
        out.extend(letters.by_ref().take(4));
        out.extend(letters.take(12).map(|_| '*'));
        at = secret.span.end;
    }
    out.push_str(text.get(at..).unwrap_or(""));
    out
}
