//! One whole look at what a server offers.

use std::collections::HashMap;
use std::time::Duration;

use tokio::sync::mpsc;

use super::connection::Connection;
use super::greet::{Asking, Hello, greet};
use super::server::open;
use crate::config::ServerEntry;
use crate::pin::json::{elements, members, quoted, text};
use crate::pin::{Definition, Kind, Problem};
use crate::record::item_key;
use crate::rpc::{Body, code};

/// What a server was seen to offer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Look {
    pub(crate) definitions: Vec<Definition>,
    /// The kinds that were asked for.
    pub(crate) asked: Vec<Kind>,
}

impl Look {
    /// The hash of each item by its key; what can't be pinned is left out.
    pub(crate) fn hashes(&self) -> HashMap<String, String> {
        let fine = self.definitions.iter().filter(|definition| definition.problem.is_none());
        fine.map(|one| (item_key(one.kind, &one.name), one.hash.clone())).collect()
    }
}

const LISTS: [(Kind, &str, &str, &str); 4] = [
    (Kind::Tool, "tools", "tools/list", "tools"),
    (Kind::Prompt, "prompts", "prompts/list", "prompts"),
    (Kind::Resource, "resources", "resources/list", "resources"),
    (Kind::Template, "resources", "resources/templates/list", "resourceTemplates"),
];

/// Reads every list of a server, or those of some kinds only.
///
/// # Errors
/// A sentence: it does not answer, answers with something else, or lists more than the limit.
pub(super) async fn look(
    connection: &Connection,
    hello: &Hello,
    asking: &Asking,
    kinds: Option<&[Kind]>,
) -> Result<Look, &'static str> {
    let limits = *connection.limits();
    let patience = Duration::from_secs(limits.list_seconds);
    let mut look = Look::default();
    for (kind, capability, method, member) in LISTS {
        if kinds.is_some_and(|kinds| !kinds.contains(&kind)) {
            continue;
        }
        look.asked.push(kind);
        if !hello.can(capability) {
            continue;
        }
        let mut found: Vec<Definition> = Vec::new();
        let mut cursor: Option<String> = None;
        let deadline = tokio::time::Instant::now() + patience;
        loop {
            let fields: Vec<(&str, String)> =
                cursor.iter().map(|cursor| ("cursor", quoted(cursor))).collect();
            let params = hello.params(asking, &fields);
            let left = deadline.saturating_duration_since(tokio::time::Instant::now());
            let page = match connection.ask(method, params.as_deref(), left).await {
                Ok(Body::Result(page)) => page,
                // A server may have resources and no templates.
                Ok(Body::Error(error)) if kind == Kind::Template && is_unknown(&error) => break,
                Ok(Body::Error(_)) => return Err("it answers a list with an error"),
                Err(super::CallError::TimedOut) => {
                    return Err("it does not answer when asked what it offers");
                }
                Err(_) => return Err("it stopped while it was asked what it offers"),
            };
            let whole = members(&page).ok_or("it answers a list with something else")?;
            let listed =
                whole.one(member).and_then(elements).ok_or("it answers a list with something else")?;
            for raw in listed.0 {
                // What has no name can't be called either.
                found.extend(Definition::read(kind, raw.get(), limits.item_bytes));
                if found.len() > limits.items {
                    return Err("it lists more items than the limit");
                }
            }
            cursor = whole.one("nextCursor").and_then(text).filter(|next| !next.is_empty());
            match &cursor {
                None => break,
                Some(_) if tokio::time::Instant::now() >= deadline => {
                    return Err("it does not come to the end of its list");
                }
                Some(_) => {}
            }
        }
        mark_repeated(&mut found);
        look.definitions.extend(found);
    }
    if kinds.is_none() {
        look.asked.push(Kind::Instructions);
        if let Some(text) = &hello.instructions {
            look.definitions.push(Definition::instructions(text, limits.item_bytes));
        }
    }
    Ok(look)
}

fn is_unknown(error: &str) -> bool {
    let code: Option<i64> = members(error).and_then(|all| all.one("code")?.parse().ok());
    code == Some(code::METHOD_NOT_FOUND)
}

/// A name that is there twice is nobody's: the first stays, with its problem.
fn mark_repeated(found: &mut Vec<Definition>) {
    let mut count: HashMap<String, usize> = HashMap::new();
    for one in found.iter() {
        *count.entry(one.name.clone()).or_default() += 1;
    }
    let mut kept = std::collections::HashSet::new();
    found.retain_mut(|one| {
        if count.get(&one.name).is_some_and(|count| *count > 1) {
            one.problem = Some(Problem::RepeatedName);
        }
        kept.insert(one.name.clone())
    });
}

/// Starts a server, looks, and lets it go again.
///
/// # Errors
/// A sentence: it can't be started, or as [`look`].
pub(crate) async fn look_once(entry: &ServerEntry, asking: &Asking) -> Result<Look, &'static str> {
    // What it says meanwhile is nobody's.
    let (said, mut heard) = mpsc::channel(64);
    tokio::spawn(async move { while heard.recv().await.is_some() {} });
    let connection = open(entry, said)?;
    let asking = asking.offering_nothing();
    let seen = async {
        let hello = greet(&connection, &asking, Duration::from_secs(entry.limits.start_seconds)).await?;
        look(&connection, &hello, &asking, None).await
    }
    .await;
    super::server::close(&connection);
    seen
}
