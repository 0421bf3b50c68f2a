//! What agents are shown, and where each name leads: drawn from the record and from what the running servers showed.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use crate::config::Config;
use crate::pin::Kind;
use crate::pin::json::{quoted, text};
use crate::record::{Reason, State, judge, server_reason};
use crate::rpc::edit;
use crate::upstream::Server;

/// Where a name leads.
#[derive(Clone, Debug)]
pub(super) struct Route {
    pub(super) server: usize,
    pub(super) key: String,
    /// The name the server knows it by.
    pub(super) name: String,
    pub(super) verdict: Result<(), Reason>,
}

/// One picture of it all.
#[derive(Debug)]
pub(super) struct Catalog {
    pub(super) state: Arc<State>,
    /// By kind and by what agents call it.
    pub(super) routes: HashMap<(Kind, String), Route>,
    /// The texts of each list's elements, as agents see them.
    pub(super) tools: Vec<String>,
    pub(super) prompts: Vec<String>,
    pub(super) resources: Vec<String>,
    pub(super) templates: Vec<String>,
    /// The address templates that may be used, and whose they are.
    pub(super) patterns: Vec<(String, usize)>,
    /// The approved instructions of live servers: alias and text.
    pub(super) instructions: Vec<(String, String)>,
    /// Aliases of servers in quarantine.
    pub(super) quarantined: Vec<String>,
}

impl Catalog {
    pub(super) fn draw(config: &Config, state: Arc<State>, servers: &[Arc<Server>]) -> Catalog {
        let mut catalog = Catalog {
            routes: HashMap::new(),
            tools: Vec::new(),
            prompts: Vec::new(),
            resources: Vec::new(),
            templates: Vec::new(),
            patterns: Vec::new(),
            instructions: Vec::new(),
            quarantined: Vec::new(),
            state: Arc::clone(&state),
        };
        for (index, server) in servers.iter().enumerate() {
            let entry = &server.entry;
            if server_reason(&state, entry) == Err(Reason::Quarantined) {
                catalog.quarantined.push(entry.alias.clone());
            }
            let Some(record) = state.servers.get(&entry.name) else { continue };
            let running = server.running();
            for (key, item) in &record.items {
                let live = running.as_ref().and_then(|running| running.shown.get(key));
                let judged = judge(&state, entry, key, live.map(String::as_str));
                if item.kind == Kind::Instructions {
                    // What a person approved may be said before the server runs; what changed may not.
                    let unseen = running.is_none() && judged.err() == Some(Reason::Absent);
                    if let (true, Some(pin)) = (judged.is_ok() || unseen, &item.approved) {
                        catalog.instructions.push((entry.alias.clone(), text(&pin.raw).unwrap_or_default()));
                    }
                    continue;
                }
                let route = Route {
                    server: index,
                    key: key.clone(),
                    name: item.name.clone(),
                    verdict: judged.map(|_| ()),
                };
                match catalog.routes.entry((item.kind, item.exposed.clone())) {
                    Entry::Vacant(place) => {
                        place.insert(route);
                    }
                    // One name, one item: the first that may be used, else the first.
                    Entry::Occupied(mut place) => {
                        if place.get().verdict.is_ok() || judged.is_err() {
                            continue;
                        }
                        place.insert(route);
                    }
                }
                let Ok((item, pin)) = judged else { continue };
                match item.kind {
                    Kind::Tool => catalog.tools.extend(renamed(&pin.raw, &item.exposed)),
                    Kind::Prompt => catalog.prompts.extend(renamed(&pin.raw, &item.exposed)),
                    Kind::Resource => catalog.resources.push(pin.raw.clone()),
                    Kind::Template => {
                        catalog.templates.push(pin.raw.clone());
                        catalog.patterns.push((item.name.clone(), index));
                    }
                    Kind::Instructions => {}
                }
            }
        }
        if config.settings.own_tools {
            catalog.tools.extend(super::own_tools::definitions());
        }
        catalog
    }

    pub(super) fn route(&self, kind: Kind, name: &str) -> Option<&Route> {
        self.routes.get(&(kind, name.to_owned()))
    }

    /// The server in quarantine that a name would belong to.
    pub(super) fn quarantined_owner(&self, name: &str) -> Option<&str> {
        self.quarantined
            .iter()
            .map(String::as_str)
            .find(|alias| name.strip_prefix(alias).is_some_and(|rest| rest.starts_with("__")))
    }

    /// Which lists differ from another picture: the methods that say so.
    pub(super) fn differences(&self, other: &Catalog) -> Vec<&'static str> {
        let mut methods = Vec::new();
        if self.tools != other.tools {
            methods.push("notifications/tools/list_changed");
        }
        if self.prompts != other.prompts {
            methods.push("notifications/prompts/list_changed");
        }
        if self.resources != other.resources || self.templates != other.templates {
            methods.push("notifications/resources/list_changed");
        }
        methods
    }
}

/// The approved definition, byte for byte but for its name.
fn renamed(raw: &str, name: &str) -> Option<String> {
    edit::set(raw, "name", &quoted(name))
}

/// Whether an address fits an address template (RFC 6570, as far as resource templates use it): an expression stands
/// for any text, without a slash unless it is `{+…}`, `{/…}` or `{#…}`.
pub(super) fn fits(template: &str, address: &str) -> bool {
    // A bounded walk: literal pieces must occur in order, each expression takes the shortest text to the next one.
    let mut rest = address;
    let mut pattern = template;
    let mut wild: Option<bool> = None;
    loop {
        let (literal, after) = match pattern.split_once('{') {
            Some((literal, after)) => (literal, Some(after)),
            None => (pattern, None),
        };
        let at = match wild {
            None => rest.starts_with(literal).then_some(0),
            Some(_) if after.is_none() => {
                rest.len().checked_sub(literal.len()).filter(|_| rest.ends_with(literal))
            }
            Some(_) => rest.find(literal),
        };
        let Some(at) = at else { return false };
        let (taken, left) = rest.split_at_checked(at).unwrap_or((rest, ""));
        if wild == Some(false) && taken.contains('/') {
            return false;
        }
        rest = left.get(literal.len()..).unwrap_or("");
        match after.and_then(|after| after.split_once('}')) {
            Some((expression, tail)) => {
                wild = Some(expression.starts_with(['+', '/', '#', '?', '&', ';']));
                pattern = tail;
            }
            None => return after.is_none() && (rest.is_empty()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn an_address_fits_its_template_and_no_other() {
        assert!(fits("demo://text/{id}", "demo://text/7"));
        assert!(fits("demo://{a}/x/{b}.txt", "demo://1/x/2.txt"));
        assert!(fits("file:///{+path}", "file:///a/b/c"));
        assert!(fits("plain://x", "plain://x"));
        assert!(!fits("demo://text/{id}", "demo://text/7/8"));
        assert!(!fits("demo://text/{id}", "other://text/7"));
        assert!(!fits("plain://x", "plain://xy"));
        assert!(!fits("a{b", "a{b"));
    }
}
