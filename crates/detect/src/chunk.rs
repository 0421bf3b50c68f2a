//! Runs without spaces that are more than a word: addresses, mailboxes, paths, identifiers; and the marks that hold
//! words together: quotation marks, tags, the start of a new line.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use crate::{concept as c, concept::Concepts, fold, token::is_unspaced, words::WORDS};

/// The most that is looked at to tell what a run is.
const LONGEST_THING: usize = 512;

/// Parts of paths that lead to secrets.
const SECRET_PATHS: &[&str] = &[
    ".ssh/",
    ".ssh\\",
    "id_rsa",
    "id_ed25519",
    "id_ecdsa",
    "id_dsa",
    "etc/passwd",
    "etc/shadow",
    "etc/sudoers",
    ".aws/",
    ".azure/",
    "gcloud/",
    "application_default_credentials",
    ".npmrc",
    ".netrc",
    ".pypirc",
    ".git-credentials",
    ".gitconfig",
    ".docker/config",
    ".kube/config",
    "kubeconfig",
    "mcp.json",
    "mcp_config",
    "claude_desktop_config",
    ".claude.json",
    "credentials.json",
    "credentials.yml",
    "secrets.yaml",
    "secrets.yml",
    "secrets.json",
    "secrets.toml",
    ".bash_history",
    ".zsh_history",
    "keychain",
    "wallet.dat",
    "login data",
    ".gnupg",
    ".pgpass",
    "authorized_keys",
    "self/environ",
    "service-account",
    "service_account.json",
    "config/sam",
    "ntds.dit",
    "id_rsa.pub",
    ".env.local",
    ".env.production",
    "/.env",
    "cookies.sqlite",
    "logins.json",
    "shadow.bak",
    ".config/gh/hosts",
    "169.254.169.254",
    ".vault-token",
    ".terraform.d",
    "terraform.tfstate",
];

static SECRET_PATH: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::builder().ascii_case_insensitive(true).build(SECRET_PATHS).ok());

/// Words that make a resource's address one to keep away from.
const SECRET_WORDS: &[&str] =
    &["secret", "confidential", "credential", "private", "password", "admin", "internal"];

/// Schemes whose addresses say nothing by their words.
const KNOWN_SCHEMES: &[&str] = &[
    "postgres",
    "postgresql",
    "mysql",
    "mariadb",
    "mongodb",
    "mongodb+srv",
    "redis",
    "rediss",
    "amqp",
    "amqps",
    "jdbc",
    "sqlite",
    "s3",
    "gs",
    "git",
    "ssh",
    "sftp",
    "smtp",
    "imap",
    "ldap",
    "ldaps",
    "nats",
    "kafka",
    "tcp",
    "udp",
    "unix",
    "docker",
    "chrome",
    "about",
    "vscode",
];

const FILE_ENDINGS: &[&str] = &[
    "json", "yaml", "yml", "toml", "txt", "py", "js", "ts", "md", "conf", "cfg", "ini", "pem", "key", "log",
    "csv", "db", "sqlite", "sh", "xml", "html", "rs", "go", "pdf", "docx", "xlsx", "zip", "bak", "p12",
    "pfx", "ps1", "exe",
];

const DOMAIN_ENDINGS: &[&str] = &[
    "com", "net", "org", "io", "dev", "xyz", "ru", "cn", "co", "me", "app", "tld", "example", "test", "ai",
    "cloud", "site", "info", "biz", "de", "fr", "uk", "eu", "tk", "top", "online", "invalid", "evil",
];

/// Where a run ends: at a space, at a bracket or quotation mark, at a comma.
pub(crate) fn extent(rest: &str) -> usize {
    let mut letters = rest.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let ends = match letter {
            _ if letter.is_whitespace() || is_unspaced(letter) => true,
            '"' | '<' | '>' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | ',' | ';' | '“' | '”' | '«' | '»'
            | '„' | '—' | '–' | '、' | '。' | '，' | '「' | '」' | '：' | '！' | '？' => true,
            '\'' | '’' | '`' => !letters.peek().is_some_and(|(_, next)| next.is_alphanumeric()),
            _ => false,
        };
        if ends {
            return at;
        }
    }
    rest.len()
}

/// What a run is when it is more than words: how much of it, and what it stands for.
pub(crate) fn thing(text: &str) -> Option<(usize, Concepts)> {
    if text.len() < 3 || text.len() > LONGEST_THING * 4 {
        return None;
    }
    let text = text.trim_end_matches(['.', ',', ':', '!', '?', '*', '\'']);
    if let Some(at) = text.find("://").filter(|at| *at > 0) {
        let scheme = text.get(..at).unwrap_or("");
        let web = ["http", "https", "ftp", "ws", "wss", "hxxp", "hxxps"]
            .iter()
            .any(|known| scheme.len() >= known.len() && scheme.to_ascii_lowercase().ends_with(known));
        if web {
            return Some((text.len(), c::URL | secret_path(text)));
        }
        // Addresses of databases and the like carry a user and a password; that is the business of another rule.
        let lower = text.get(at..).unwrap_or("").to_ascii_lowercase();
        let known = KNOWN_SCHEMES.iter().any(|known| scheme.to_ascii_lowercase().ends_with(known));
        let secret = !known && SECRET_WORDS.iter().any(|word| lower.contains(word));
        return Some((text.len(), c::PATH | if secret { c::SECRET_PATH } else { secret_path(text) }));
    }
    if let Some((mailbox, host)) = text.split_once('@')
        && mailbox.ends_with(|letter: char| letter.is_alphanumeric())
        && host.contains('.')
        && host.starts_with(|letter: char| letter.is_alphanumeric())
    {
        return Some((text.len(), c::EMAIL));
    }
    let secret = secret_path(text);
    if secret != 0 {
        return Some((text.len(), c::PATH | secret));
    }
    if !text.bytes().any(|byte| byte.is_ascii_alphabetic()) {
        return None;
    }
    if is_path(text) {
        return Some((text.len(), c::PATH));
    }
    if let Some((stem, ending)) = text.rsplit_once('.') {
        let ending = ending.to_ascii_lowercase();
        if FILE_ENDINGS.contains(&ending.as_str()) && stem.ends_with(|letter: char| letter.is_alphanumeric())
        {
            return Some((text.len(), c::PATH));
        }
        let host = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-".contains(&byte));
        if host && stem.len() >= 3 && DOMAIN_ENDINGS.contains(&ending.as_str()) {
            return Some((text.len(), c::URL));
        }
    }
    identifier(text)
}

fn secret_path(text: &str) -> Concepts {
    if text == ".env"
        || text.starts_with(".env.")
        || text == "~/.ssh"
        || text.ends_with("/.ssh")
        || text.ends_with("/.aws")
    {
        return c::SECRET_PATH;
    }
    let text = text.get(..text.len().min(LONGEST_THING)).unwrap_or(text);
    match &*SECRET_PATH {
        Some(paths) if paths.is_match(text) => c::SECRET_PATH,
        _ => 0,
    }
}

fn is_path(text: &str) -> bool {
    let rooted = ["/", "~/", "./", "../", "\\\\"].iter().any(|root| {
        text.strip_prefix(root)
            .is_some_and(|rest| rest.starts_with(|letter: char| letter.is_alphanumeric() || letter == '.'))
    });
    let drive = text.get(1..3) == Some(":\\");
    let last = text.rsplit(['/', '\\']).next().unwrap_or("");
    rooted
        || drive
        || (text.contains('/')
            && last.len() < text.len()
            && last.contains(['.', '_'])
            && !last.ends_with('.'))
}

/// `snake_case`, `camelCase` and `call()`.
fn identifier(text: &str) -> Option<(usize, Concepts)> {
    let bare = text.strip_suffix("()").unwrap_or(text);
    let called = bare.len() < text.len();
    if bare.len() > 80
        || !bare.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
    {
        return None;
    }
    let snake = bare.trim_matches('_').contains('_');
    let camel = bare.as_bytes().windows(2).any(|pair| {
        pair.first().is_some_and(u8::is_ascii_lowercase) && pair.last().is_some_and(u8::is_ascii_uppercase)
    });
    if !(snake || camel || called) {
        return None;
    }
    let parts = parts(bare);
    let mut meaning = 0;
    for (index, part) in parts.iter().enumerate() {
        meaning |= WORDS.sense(part).concepts;
        meaning |= WORDS.phrase(part, |ahead| parts.get(index + ahead).map(String::as_str)).0.concepts;
    }
    Some((text.len(), c::IDENT | (meaning & (c::SECRET | c::PROMPT | c::FIELD))))
}

/// The words of an identifier, folded: `readFile`, `read_file` and `read-file` are read and file.
pub(crate) fn parts(identifier: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut word = String::new();
    let mut small = false;
    for letter in identifier.chars() {
        let joins = letter.is_alphanumeric();
        if (!joins || (small && letter.is_uppercase())) && !word.is_empty() {
            parts.push(std::mem::take(&mut word));
        }
        if joins {
            fold::push(letter, &mut word);
        }
        small = letter.is_lowercase();
    }
    if !word.is_empty() {
        parts.push(word);
    }
    parts
}

/// A known word written with digits and signs for letters: what it takes and the word.
pub(crate) fn unmask(text: &str) -> Option<(usize, String)> {
    let text = text.trim_end_matches(['.', ',', ':', '?']);
    if !(4..=24).contains(&text.len()) || !text.is_ascii() {
        return None;
    }
    let masked = |byte: u8| byte.is_ascii_digit() || b"@$!|+".contains(&byte);
    let letters = text.bytes().filter(u8::is_ascii_alphabetic).count();
    let masks = text.bytes().filter(|byte| masked(*byte)).count();
    // An exclamation mark at the end only exclaims.
    if masks == text.len() - text.trim_end_matches('!').len() || letters < 2 || letters + masks != text.len()
    {
        return None;
    }
    ['i', 'l'].into_iter().find_map(|one| {
        let word: String = text.chars().map(|letter| unmask_letter(letter, one)).collect();
        let known = |word: &str| WORDS.sense(word).concepts & TELLING != 0;
        let end = word.trim_end_matches(['!', 'i']);
        if known(&word) {
            Some((text.len(), word))
        } else if text.ends_with('!') && known(end) {
            Some((end.len(), end.to_owned()))
        } else {
            None
        }
    })
}

/// Concepts worth disguising.
const TELLING: Concepts = c::IGNORE
    | c::BYPASS
    | c::PRIOR
    | c::ORDERS
    | c::SECRET
    | c::TELL
    | c::SEND
    | c::STEAL
    | c::USER
    | c::PROMPT
    | c::SYSTEM;

fn unmask_letter(letter: char, one: char) -> char {
    match letter {
        '0' => 'o',
        '1' | '!' | '|' => one,
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' | '+' => 't',
        '8' => 'b',
        '9' => 'g',
        _ => letter.to_ascii_lowercase(),
    }
}

/// How long a tag at the start of a text is; nothing where it is no tag.
pub(crate) fn tag_length(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('<')?;
    let inner = inner.strip_prefix('/').unwrap_or(inner);
    let name = inner
        .bytes()
        .take(40)
        .take_while(|byte| byte.is_ascii_alphanumeric() || b"_-:|".contains(byte))
        .count();
    if name == 0 {
        return None;
    }
    let start = text.len() - inner.len();
    let rest = inner.get(name..)?;
    if rest.starts_with('>') {
        return Some(start + name + 1);
    }
    let attributes = rest.bytes().take(200).position(|byte| byte == b'>' || byte == b'<' || byte == b'\n')?;
    let within = rest.get(..attributes)?;
    (rest.as_bytes().get(attributes) == Some(&b'>') && (within.contains('=') || within.trim() == "/"))
        .then_some(start + name + attributes + 1)
}

/// Whether a new sentence begins on this line whatever the last one ended with.
pub(crate) fn starts_anew(line: &str) -> bool {
    let line = line.trim_start_matches([' ', '\t', '\r']);
    if line.is_empty() || line.starts_with(['\n', '-', '*', '•', '#', '<', '[', '|', '`', '=', '>', '+']) {
        return true;
    }
    let digits = line.bytes().take(4).take_while(u8::is_ascii_digit).count();
    if digits > 0 && line.get(digits..).is_some_and(|rest| rest.starts_with(['.', ')'])) {
        return true;
    }
    // A label: "Args:", "Note to assistant:".
    let label = line.bytes().take(40).position(|byte| byte == b':' || byte == b'\n');
    label.is_some_and(|at| {
        line.as_bytes().get(at) == Some(&b':')
            && line.get(..at).is_some_and(|label| label.split(' ').count() <= 4)
    })
}

/// The longest quotation, in bytes.
const LONGEST_QUOTATION: usize = 400;

/// What stands between quotation marks: ranges in order.
pub(crate) fn quotations(text: &str) -> Vec<(usize, usize)> {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    let mut open: [Option<usize>; 7] = [None; 7];
    let mut before = ' ';
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map_or(' ', |(_, next)| *next);
        let end = at + letter.len_utf8();
        let opens = !before.is_alphanumeric() && !next.is_whitespace();
        let closes = !before.is_whitespace() && !next.is_alphanumeric();
        let (kind, opens, closes) = match letter {
            '"' => (0, opens, closes),
            '\'' => (1, opens, closes),
            '`' => (2, opens, closes),
            '‘' => (3, true, false),
            '’' => (3, false, closes),
            '“' => (4, true, open.get(4).copied().flatten().is_some()),
            '„' => (4, true, false),
            '”' => (4, false, true),
            '«' => (5, true, false),
            '»' => (5, false, true),
            '「' | '『' => (6, true, false),
            '」' | '』' => (6, false, true),
            '\n' if next == '\n' => {
                open = [None; 7];
                before = letter;
                continue;
            }
            _ => {
                before = letter;
                continue;
            }
        };
        if let Some(slot) = open.get_mut(kind) {
            match *slot {
                Some(start) if closes && at.saturating_sub(start) <= LONGEST_QUOTATION => {
                    ranges.push((start, at));
                    *slot = None;
                }
                _ if opens => *slot = Some(end),
                _ => {}
            }
        }
        before = letter;
    }
    // One within another adds nothing.
    ranges.sort_unstable();
    let mut last = 0;
    ranges.retain(|(_, end)| {
        let adds = *end > last;
        last = last.max(*end);
        adds
    });
    ranges
}

/// Whether a name or path leads to secrets.
pub(crate) fn is_secret_path(text: &str) -> bool {
    secret_path(text) != 0
}
