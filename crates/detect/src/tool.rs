//! A tool as a whole: what its strings say beside its name, its parameters and the other servers' tools.

use serde_json::Value;

use crate::{
    chunk, concept as c,
    finding::{Report, Tier},
    fold,
    peers::Context,
    rules::Place,
    scan::Scanner,
    token::{QUOTED, Reading},
    walk,
};

/// Reads a tool, a prompt or a resource.
pub(crate) fn scan(entry: &Value, context: &Context<'_>, scanner: &mut Scanner) {
    strings(entry, scanner);
    let name = entry.get("name").and_then(Value::as_str).unwrap_or("");
    let description = entry.get("description").and_then(Value::as_str).unwrap_or("");
    let reading = Reading::of(head(description), false);
    lookalike_name(name, context, scanner);
    clone_of(name, description, context, scanner);
    walk::strings(entry, |found| {
        if !found.is_name && found.path != "$.name" {
            references(found.text, &found.path, name, context, scanner);
        }
    });
    mismatch(entry, name, description, &reading, scanner);
    parameters(entry, description, scanner);
}

/// The part of a description that is read as a whole: beyond it nothing says any more what a tool is for.
fn head(text: &str) -> &str {
    text.get(..crate::excerpt::boundary(text, 16 * 1024)).unwrap_or("")
}

/// Every string by itself.
pub(crate) fn strings(value: &Value, scanner: &mut Scanner) {
    walk::strings(value, |found| {
        if found.is_name || found.path == "$.name" {
            name(found.text, &found.path, scanner);
        } else {
            let own =
                matches!(found.path.as_str(), "$" | "$.description" | "$.title" | "$.annotations.title");
            scanner.string(found.text, &found.path, if own { Place::Tool } else { Place::Schema });
        }
    });
}

/// A name: its words are read as words.
fn name(text: &str, path: &str, scanner: &mut Scanner) {
    let before = scanner.findings.len();
    let sentence = text.split_whitespace().count() >= 6;
    scanner.string(text, path, if sentence { Place::Schema } else { Place::Name });
    if sentence || scanner.findings.len() > before {
        return;
    }
    let words = chunk::parts(head(text));
    let hits = scanner.hits(&words.join(" "), Place::Schema);
    if let Some(hit) = hits
        .into_iter()
        .filter(|hit| hit.tier == Tier::Hard)
        .max_by(|a, b| a.confidence.total_cmp(&b.confidence))
    {
        scanner.push(
            text,
            path,
            hit.rule,
            Tier::Hard,
            hit.confidence,
            0..text.len(),
            format!("A name gives an order. {}", hit.says),
        );
    } else if words.len() >= 4 && chunk::is_secret_path(text) {
        let says = "A name asks for the contents of a file that holds secrets.".to_owned();
        scanner.push(text, path, "schema.harvest", Tier::Soft, 0.6, 0..text.len(), says);
    } else if words.len() >= 12 {
        let says = "A name is as long as a sentence.".to_owned();
        scanner.push(text, path, "schema.name", Tier::Soft, 0.5, 0..text.len(), says);
    }
}

/// A name that looks like another server's tool and is not it.
fn lookalike_name(name: &str, context: &Context<'_>, scanner: &mut Scanner) {
    if name.is_ascii() && !context.peers.resembles(name, context.server) {
        return;
    }
    let key = crate::peers::key(name);
    let twin = context.peers.twin(&key, name, context.server);
    if let Some(twin) = twin {
        let says = format!("Its name looks like “{}” of another server.", crate::visible(twin));
        scanner.push(name, "$.name", "shadowing.lookalike", Tier::Hard, 0.9, 0..name.len(), says);
    } else if !name.is_ascii()
        && fold::lookalike(&fold::word(name)).is_some_and(|latin| latin != fold::word(name))
    {
        let says = "Its name is written with letters that look like others.".to_owned();
        scanner.push(name, "$.name", "shadowing.lookalike", Tier::Hard, 0.8, 0..name.len(), says);
    }
}

/// The same tool with the same words on another server.
fn clone_of(name: &str, description: &str, context: &Context<'_>, scanner: &mut Scanner) {
    if let Some(server) = context.peers.clone_of(name, description, context.server) {
        let says = format!("Copies the tool of the same name of server “{}”.", crate::visible(server));
        scanner.push(
            description,
            "$.description",
            "shadowing.cross_server",
            Tier::Hard,
            0.85,
            0..description.len(),
            says,
        );
    }
}

/// An order about a tool that only another server has.
fn references(text: &str, path: &str, own: &str, context: &Context<'_>, scanner: &mut Scanner) {
    if context.peers.is_empty() || text.len() > 256 * 1024 {
        return;
    }
    let reading = Reading::of(text, false);
    let orders = c::USE
        | c::BEFORE
        | c::AFTER
        | c::INSTEAD
        | c::WHENEVER
        | c::ALTER
        | c::SUPPLANT
        | c::MUST
        | c::FIRST;
    for (index, token) in reading.tokens.iter().enumerate() {
        let word = text.get(token.start as usize..token.end as usize).unwrap_or("");
        let word = word.strip_suffix("()").unwrap_or(word);
        if word.len() < 3 || word == own || !context.peers.only_elsewhere(word, context.server) {
            continue;
        }
        let around = || {
            let from = index.saturating_sub(6);
            reading
                .tokens
                .iter()
                .enumerate()
                .skip(from)
                .take(13)
                .filter(|(at, near)| *at != index && near.sentence == token.sentence)
        };
        let distinct =
            word.contains(['_', '-']) || word.bytes().skip(1).any(|byte| byte.is_ascii_uppercase());
        let called = around().any(|(_, near)| near.is(c::TOOL)) || token.has(QUOTED);
        let ordered = around().any(|(_, near)| near.is(orders));
        let says = format!("Gives an order about “{word}”, a tool of another server.");
        let span = token.start as usize..token.end as usize;
        match (distinct, called, ordered) {
            (true, _, true) => {
                scanner.push(text, path, "shadowing.cross_server", Tier::Hard, 0.85, span, says)
            }
            (false, true, true) => {
                scanner.push(text, path, "shadowing.cross_server", Tier::Soft, 0.6, span, says)
            }
            _ => continue,
        }
        return;
    }
}

/// Words that say that a tool has to do with files, keys or machines.
const NEAR_FILES: &[&str] = &[
    "file",
    "files",
    "path",
    "paths",
    "directory",
    "folder",
    "ssh",
    "key",
    "keys",
    "credential",
    "credentials",
    "config",
    "configuration",
    "env",
    "environment",
    "aws",
    "docker",
    "kube",
    "kubernetes",
    "kubectl",
    "git",
    "npm",
    "secret",
    "secrets",
    "scan",
    "scanner",
    "server",
    "host",
    "hosts",
    "host",
    "shell",
    "command",
    "terminal",
    "system",
    "os",
    "disk",
    "backup",
    "deploy",
    "vault",
    "token",
    "tokens",
    "auth",
    "login",
    "certificate",
    "gpg",
    "cloud",
    "process",
    "exec",
    "execute",
    "bash",
    "code",
    "project",
    "workspace",
    "repository",
    "repo",
    "settings",
    "profile",
    "passwd",
    "password",
    "security",
    "audit",
];

/// A tool for something else that speaks of files with secrets.
fn mismatch(entry: &Value, name: &str, description: &str, reading: &Reading, scanner: &mut Scanner) {
    let Some((at, token)) = reading.tokens.iter().enumerate().find(|(_, token)| token.is(c::SECRET_PATH))
    else {
        return;
    };
    let near = |word: &str| NEAR_FILES.contains(&word);
    let before = (0..at)
        .any(|at| reading.tokens.get(at).is_some_and(|token| token.sentence == 0) && near(reading.word(at)));
    let parameters = schema(entry).and_then(|schema| schema.get("properties")).and_then(Value::as_object);
    let in_parameters = parameters.is_some_and(|parameters| {
        parameters.keys().take(256).any(|name| chunk::parts(head(name)).iter().any(|part| near(part)))
    });
    if before || in_parameters || chunk::parts(head(name)).iter().any(|part| near(part)) {
        return;
    }
    let span = token.start as usize..token.end as usize;
    let says =
        "Speaks of a file that holds secrets, though its name and parameters have nothing to do with files."
            .to_owned();
    scanner.push(description, "$.description", "capability.mismatch", Tier::Soft, 0.6, span, says);
}

fn schema(entry: &Value) -> Option<&Value> {
    entry.get("inputSchema").or_else(|| entry.get("input_schema"))
}

/// Names of parameters that have no use but to carry something out.
const SINKS: &[&str] =
    &["sidenote", "side_note", "scratchpad", "sidecar", "side_channel", "exfil", "covert_data"];

/// Parameters that ask for what the reader holds, and parameters nobody speaks of.
fn parameters(entry: &Value, description: &str, scanner: &mut Scanner) {
    let Some(parameters) =
        schema(entry).and_then(|schema| schema.get("properties")).and_then(Value::as_object)
    else {
        return;
    };
    let lower = head(description).to_lowercase();
    for (name, value) in parameters.iter().take(512) {
        let said = value.get("description").and_then(Value::as_str).unwrap_or("");
        let path =
            format!("$.inputSchema.properties.{}", crate::visible(name).chars().take(64).collect::<String>());
        let known = name.to_lowercase();
        if SINKS.contains(&known.as_str()) && said.is_empty() {
            let says = "A parameter with no use that anybody speaks of.".to_owned();
            scanner.push(name, &format!("{path}~"), "schema.sink", Tier::Soft, 0.5, 0..name.len(), says);
        }
        let own_words = [
            "conversation",
            "chat",
            "message",
            "prompt",
            "llm",
            "model",
            "completion",
            "memory",
            "transcript",
            "session",
        ];
        if value.get("type").and_then(Value::as_str) == Some("boolean") {
            continue;
        }
        if own_words.iter().any(|word| lower.contains(word)) {
            continue;
        }
        let reading = Reading::of(head(said), false);
        let asks = reading.tokens.iter().enumerate().find(|(at, token)| {
            token.is(c::HELD | c::PROMPT)
                && (at.saturating_sub(5)..at + 5).any(|near| {
                    near != *at
                        && reading
                            .tokens
                            .get(near)
                            .is_some_and(|token| token.is(c::ALL | c::VERBATIM | c::PRIOR))
                })
        });
        if let Some((_, token)) = asks {
            let says = "A parameter asks for the whole conversation or the reader's instructions.".to_owned();
            let span = token.start as usize..token.end as usize;
            scanner.push(said, &format!("{path}.description"), "schema.harvest", Tier::Soft, 0.6, span, says);
        }
    }
}

/// The report of what was found.
pub(crate) fn report(scanner: Scanner) -> Report {
    Report::new(scanner.findings)
}
