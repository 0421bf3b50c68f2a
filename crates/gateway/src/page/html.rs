//! The pages: server-rendered, usable without script and by keyboard. Text of servers is escaped by the templates and
//! has its hidden characters made visible.

use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde::Deserialize;
use web::ApiError;

use super::{Desk, Shared};
use crate::config::{Approve, ServerEntry};
use crate::pin::Kind;
use crate::record::{Item, Reason, ServerRecord, State as Record, Status, server_reason};
use crate::review::{changes, fields, peers_of, report_of_item};

/// A stretch of text; a hidden character's name stands out.
#[derive(Debug)]
struct Span {
    text: String,
    /// The class that shows what it is; empty for plain text.
    class: &'static str,
}

#[derive(Debug)]
struct ServerCard {
    name: String,
    href: String,
    standing: &'static str,
    why: String,
    launch: String,
    trouble: String,
    counts: Vec<(usize, &'static str)>,
}

#[derive(Debug, Template)]
#[template(path = "overview.html")]
struct Overview {
    servers: Vec<ServerCard>,
    refused: Vec<(String, String)>,
    events: Vec<(String, String)>,
    seq: u64,
    web_only: bool,
    message: String,
}

#[derive(Debug)]
struct ItemCard {
    anchor: usize,
    title: String,
    exposed: String,
    status: &'static str,
    /// What goes with a press: the hash that is shown here, and the item.
    pick: String,
    waits: bool,
    present: bool,
    problem: &'static str,
    note: String,
    findings: Vec<(bool, String, String, Vec<Span>)>,
    fields: Vec<(String, bool, Vec<Span>)>,
    changes: Vec<(String, bool, Vec<Span>)>,
    hash: String,
}

#[derive(Debug, Template)]
#[template(path = "server.html")]
struct ServerPage {
    name: String,
    action: String,
    standing: &'static str,
    why: String,
    launch: String,
    launch_hash: String,
    trust: &'static str,
    trouble: String,
    items: Vec<ItemCard>,
    waiting: usize,
    dangerous: bool,
    seq: u64,
    message: String,
    error: String,
}

#[derive(Debug, Template)]
#[template(path = "sign_in.html")]
struct SignInPage {
    set: bool,
    error: String,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct Note {
    #[serde(default)]
    done: String,
}

fn html(status: StatusCode, page: &impl Template) -> Result<Response, ApiError> {
    let text = page.render().map_err(|_| ApiError::internal())?;
    let kind = (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    Ok((status, [kind], text).into_response())
}

/// What was done, in our own words: the address names only which.
fn words(done: &str) -> String {
    match done {
        "approve" => "Approved.",
        "block" => "Blocked.",
        "unblock" => "Unblocked.",
        "live" => "The server is live. Only its approved items can be used.",
        "quarantine" => "The server is in quarantine.",
        "trust" => "Trust is set.",
        "setting" => "The setting is changed.",
        _ => "",
    }
    .to_owned()
}

fn standing(state: &Record, entry: &ServerEntry) -> &'static str {
    match server_reason(state, entry) {
        _ if entry.disabled => "disabled",
        Ok(()) => "live",
        Err(Reason::Disabled) => "disabled",
        Err(_) => "quarantined",
    }
}

fn why(record: &ServerRecord) -> String {
    match record.why.as_str() {
        "" => String::new(),
        "new" => "It is new: nobody has reviewed it yet.".to_owned(),
        "launch_changed" => "Its command or address is another than the one that was reviewed.".to_owned(),
        "agent" => "An agent put it here.".to_owned(),
        _ => "Somebody put it here.".to_owned(),
    }
}

fn counts(record: &ServerRecord) -> Vec<(usize, &'static str)> {
    [Status::Changed, Status::Pending, Status::Approved, Status::Blocked]
        .into_iter()
        .map(|status| {
            let count =
                record.items.values().filter(|item| item.seen.present && item.status() == status).count();
            (count, status.word())
        })
        .filter(|(count, _)| *count > 0)
        .collect()
}

/// A server's address on the page.
pub(super) fn href(name: &str) -> String {
    let mut out = String::from("/servers/");
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.') {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

pub(super) async fn overview(
    State(desk): Shared,
    Query(note): Query<Note>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    desk.own_origin(&headers)?;
    if !desk.sessions.may_read(&headers) {
        return Ok(Redirect::to("/sign-in").into_response());
    }
    let state = desk.state()?;
    let none = ServerRecord::default();
    let mut servers: Vec<ServerCard> = desk
        .config
        .servers
        .iter()
        .map(|entry| {
            let record = state.servers.get(&entry.name).unwrap_or(&none);
            ServerCard {
                name: detect::visible(&entry.name),
                href: href(&entry.name),
                standing: standing(&state, entry),
                why: if standing(&state, entry) == "quarantined" { why(record) } else { String::new() },
                launch: entry.transport.line(),
                trouble: record.trouble.clone(),
                counts: counts(record),
            }
        })
        .collect();
    // What waits comes first.
    servers.sort_by_key(|card| match card {
        card if card.standing == "quarantined" => 0,
        card if card.counts.iter().any(|(_, word)| matches!(*word, "changed" | "pending")) => 1,
        _ => 2,
    });
    let refused = desk.config.refused.iter();
    let events = state.events.iter().rev().take(20).map(|event| {
        let what = match event.by.as_str() {
            "" => event.kind.replace('_', " "),
            by => format!("{} ({by})", event.kind.replace('_', " ")),
        };
        (
            event.at.clone(),
            format!("{what}: {} {}", detect::visible(&event.server), detect::visible(&event.item)),
        )
    });
    html(
        StatusCode::OK,
        &Overview {
            servers,
            refused: refused.map(|one| (detect::visible(&one.name), one.why.clone())).collect(),
            events: events.collect(),
            seq: state.seq,
            web_only: state.approve == Approve::Web,
            message: words(&note.done),
        },
    )
}

pub(super) async fn server(
    State(desk): Shared,
    Path(name): Path<String>,
    Query(note): Query<Note>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    desk.own_origin(&headers)?;
    if !desk.sessions.may_read(&headers) {
        return Ok(Redirect::to("/sign-in").into_response());
    }
    desk.server_page(&name, words(&note.done), None)
}

impl Desk {
    /// The page of a server, with what was done or why it was not.
    pub(super) fn server_page(
        &self,
        name: &str,
        message: String,
        error: Option<&ApiError>,
    ) -> Result<Response, ApiError> {
        let entry = self.entry(name)?;
        let state = self.state()?;
        let record = state.servers.get(&entry.name).ok_or_else(ApiError::not_found)?;
        let peers = peers_of(&state);
        let mut ordered: Vec<(&String, &Item)> = record.items.iter().collect();
        ordered.sort_by_key(|(_, item)| match item.status() {
            Status::Changed => 0,
            Status::Pending => 1,
            Status::Approved => 2,
            Status::Blocked => 3,
        });
        let items: Vec<ItemCard> = ordered
            .into_iter()
            .enumerate()
            .map(|(anchor, (key, item))| card(anchor, &entry.name, key, item, &peers))
            .collect();
        let page = ServerPage {
            name: detect::visible(&entry.name),
            action: format!("{}/decide", href(&entry.name)),
            standing: standing(&state, entry),
            why: why(record),
            launch: entry.transport.line(),
            launch_hash: entry.transport.hash(),
            trust: record.trust.word(),
            trouble: record.trouble.clone(),
            waiting: items.iter().filter(|card| card.waits).count(),
            dangerous: items.iter().any(|card| card.waits && card.findings.iter().any(|(hard, ..)| *hard)),
            items,
            seq: state.seq,
            message,
            error: error.map(|error| error.reason.clone()).unwrap_or_default(),
        };
        html(error.map_or(StatusCode::OK, |error| error.status), &page)
    }
}

fn card(anchor: usize, server: &str, key: &str, item: &Item, peers: &detect::Peers) -> ItemCard {
    let status = item.status();
    let note = match (&item.approved, item.soft_changed()) {
        (_, true) => {
            "Its annotations, which only hosts read, are others than those approved. Agents are still given the approved ones."
                .to_owned()
        }
        (Some(pin), _) => format!("Approved {} ({}).", pin.at, pin.by),
        _ => String::new(),
    };
    let differences = match &item.approved {
        Some(pin) if pin.hash != item.seen.hash || pin.soft != item.seen.soft => {
            changes(&pin.raw, &item.seen.raw)
        }
        _ => Vec::new(),
    };
    ItemCard {
        anchor,
        title: match item.kind {
            Kind::Instructions => "Instructions, which every model is given".to_owned(),
            kind => format!("{} {}", kind.word(), detect::visible(&item.name)),
        },
        exposed: item.exposed.clone(),
        status: status.word(),
        pick: format!("{} {key}", item.seen.hash),
        waits: item.seen.present
            && item.seen.problem.is_none()
            && (matches!(status, Status::Pending | Status::Changed) || item.soft_changed()),
        present: item.seen.present,
        problem: item.seen.problem.map_or("", crate::pin::Problem::says),
        note,
        findings: report_of_item(server, item, peers)
            .findings
            .into_iter()
            .map(|finding| {
                let place = format!("{} at {}", finding.rule, detect::visible(&finding.path));
                (finding.tier == detect::Tier::Hard, place, finding.says, spans(&finding.excerpt))
            })
            .collect(),
        fields: fields(&item.seen.raw)
            .into_iter()
            .map(|field| (field.name, field.soft, spans(&field.text)))
            .collect(),
        changes: differences
            .into_iter()
            .map(|change| {
                let pieces = change.pieces.into_iter().map(|piece| Span {
                    class: match piece.what {
                        "removed" => "removed",
                        "added" => "added",
                        _ => "",
                    },
                    text: piece.text,
                });
                (change.field, change.soft, pieces.collect())
            })
            .collect(),
        hash: item.seen.hash.clone(),
    }
}

/// Text with the names of hidden characters, which `detect` writes as `⟨U+200B⟩`, set apart.
fn spans(text: &str) -> Vec<Span> {
    let mut out: Vec<Span> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("⟨U+") {
        let (before, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
        let Some(end) = from.find('⟩') else { break };
        let (hidden, after) = from.split_at_checked(end + '⟩'.len_utf8()).unwrap_or((from, ""));
        if !before.is_empty() {
            out.push(Span { text: before.to_owned(), class: "" });
        }
        out.push(Span { text: hidden.to_owned(), class: "hidden" });
        rest = after;
    }
    if !rest.is_empty() {
        out.push(Span { text: rest.to_owned(), class: "" });
    }
    out
}

pub(super) async fn sign_in(State(desk): Shared, headers: HeaderMap) -> Result<Response, ApiError> {
    desk.own_origin(&headers)?;
    desk.sign_in_page(StatusCode::OK, "")
}

impl Desk {
    pub(super) fn sign_in_page(&self, status: StatusCode, error: &str) -> Result<Response, ApiError> {
        let set = self.state()?.passphrase.is_some();
        html(status, &SignInPage { set, error: error.to_owned() })
    }
}

pub(super) async fn style() -> Response {
    let kind = (header::CONTENT_TYPE, HeaderValue::from_static("text/css; charset=utf-8"));
    ([kind], include_str!("../../assets/gateway.css")).into_response()
}

pub(super) async fn script() -> Response {
    let kind = (header::CONTENT_TYPE, HeaderValue::from_static("text/javascript; charset=utf-8"));
    ([kind], include_str!("../../assets/gateway.js")).into_response()
}
