//! REST: the verbs of the command line. An agent may look, block and put in quarantine; the rest needs a person.

use std::str::FromStr as _;
use std::sync::Arc;

use axum::extract::{Path, Query, State};
use http::{HeaderMap, StatusCode, header};
use serde::Deserialize;
use serde_json::{Value, json};
use subtle::ConstantTimeEq as _;
use web::{ApiError, Json};

use super::{Desk, Face, Shared, unavailable};
use crate::clock::now;
use crate::commands::{server_json, whole};
use crate::config::{Approve, ServerEntry, Trust};
use crate::person::Person;
use crate::pin::Kind;
use crate::record::{self, Item, Refusal, Wanted, item_key};
use crate::review::{changes, peers_of};

/// Which item is meant; without a name, all of them.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Which {
    kind: Option<String>,
    name: Option<String>,
}

/// The body of a verb.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Decision {
    /// Items, each with the hash that was shown where it is to be approved.
    items: Vec<One>,
    /// Every item of the server; to block or unblock.
    all: bool,
    /// The hash of the launch that was shown; to go live.
    launch: Option<String>,
    despite_findings: bool,
    /// manual, scan or auto; to set trust.
    mode: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct One {
    item: String,
    #[serde(default)]
    hash: String,
}

impl Desk {
    /// Whether a request may read at all.
    pub(super) fn may_read(&self, headers: &HeaderMap) -> Result<(), ApiError> {
        match &self.face {
            Face::Page => {
                self.own_origin(headers)?;
                if self.sessions.may_read(headers) {
                    return Ok(());
                }
                Err(ApiError::new(StatusCode::FORBIDDEN, "NEEDS_PERSON", "Sign in on the review page first."))
            }
            Face::Agents(hosts, token) => {
                let refused = |code, says: &str| Err(ApiError::new(StatusCode::FORBIDDEN, code, says));
                if !hosts.contains(&web::host::requested(headers)) {
                    return refused("HOST", "The gateway does not answer to this host name.");
                }
                if headers.contains_key(header::ORIGIN) {
                    return refused(
                        "CROSS_ORIGIN",
                        "Pages may not use this; the review page has its own address.",
                    );
                }
                let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
                let given = given.and_then(|value| value.strip_prefix("Bearer ")).unwrap_or("");
                match token {
                    Some(token) if !bool::from(given.as_bytes().ct_eq(token.as_bytes())) => Err(
                        ApiError::new(StatusCode::UNAUTHORIZED, "TOKEN", "The gateway's token is needed."),
                    ),
                    _ => Ok(()),
                }
            }
        }
    }

    /// The person behind a request that opens something. Beside the MCP endpoint there never is one.
    pub(super) fn person(&self, headers: &HeaderMap) -> Result<Person, ApiError> {
        match &self.face {
            Face::Page => {
                let own = self.own_origin(headers)?;
                Ok(Person::at_the_page(&self.sessions.require(headers, &own)?))
            }
            Face::Agents(..) => Err(ApiError::new(
                StatusCode::FORBIDDEN,
                "NEEDS_PERSON",
                "Only a person can do this: on the review page, or at a terminal.",
            )
            .with("review", super::address(&self.config.settings))),
        }
    }

    pub(super) fn entry(&self, name: &str) -> Result<&ServerEntry, ApiError> {
        self.config.server(name).ok_or_else(|| {
            ApiError::new(
                StatusCode::NOT_FOUND,
                "UNKNOWN_SERVER",
                "The configuration has no server of this name.",
            )
        })
    }

    /// Changes the state.
    pub(super) fn change<T>(
        &self,
        with: impl FnOnce(&mut record::State) -> Result<T, Refusal>,
    ) -> Result<T, ApiError> {
        self.store.change(with).map_err(|error| unavailable(&error))?.map_err(|refusal| {
            let status = if refusal.code.starts_with("UNKNOWN") {
                StatusCode::NOT_FOUND
            } else {
                StatusCode::CONFLICT
            };
            ApiError::new(status, refusal.code, refusal.says)
        })
    }
}

pub(super) async fn servers(State(desk): Shared, headers: HeaderMap) -> Result<Json<Value>, ApiError> {
    desk.may_read(&headers)?;
    let state = desk.state()?;
    Ok(Json(whole(&desk.config, &state, &desk.store.path().display().to_string())))
}

fn chosen<'a>(record: &'a record::ServerRecord, which: &Which) -> Result<Vec<(&'a str, &'a Item)>, ApiError> {
    let unknown = || {
        ApiError::new(StatusCode::NOT_FOUND, "UNKNOWN_ITEM", "There is no record of an item of this name.")
    };
    if which.kind.is_none() && which.name.is_none() {
        return Ok(record.items.iter().map(|(key, item)| (key.as_str(), item)).collect());
    }
    let kind = which.kind.as_deref().unwrap_or("tool");
    let kind = Kind::from_str(kind).map_err(|()| unknown())?;
    let key = item_key(kind, which.name.as_deref().unwrap_or(""));
    let (key, item) = record.items.get_key_value(&key).ok_or_else(unknown)?;
    Ok(vec![(key, item)])
}

pub(super) async fn server(
    State(desk): Shared,
    Path(name): Path<String>,
    Query(which): Query<Which>,
    headers: HeaderMap,
) -> Result<Json<Value>, ApiError> {
    desk.may_read(&headers)?;
    let entry = desk.entry(&name)?;
    let state = desk.state()?;
    let record = state.servers.get(&entry.name).ok_or_else(ApiError::not_found)?;
    Ok(Json(server_json(&entry.name, record, &chosen(record, &which)?, &peers_of(&state))))
}

pub(super) async fn diff(
    State(desk): Shared,
    Path(name): Path<String>,
    Query(which): Query<Which>,
    headers: HeaderMap,
) -> Result<Json<Value>, ApiError> {
    desk.may_read(&headers)?;
    let entry = desk.entry(&name)?;
    let state = desk.state()?;
    let record = state.servers.get(&entry.name).ok_or_else(ApiError::not_found)?;
    let items: Vec<Value> = chosen(record, &which)?
        .into_iter()
        .filter_map(|(key, item)| {
            let pin = item.approved.as_ref()?;
            let changes = changes(&pin.raw, &item.seen.raw);
            (!changes.is_empty()).then(|| {
                json!({ "item": key, "status": item.status(), "hash": item.seen.hash,
                        "approved_hash": pin.hash, "changes": changes })
            })
        })
        .collect();
    Ok(Json(json!({ "server": entry.name, "items": items })))
}

pub(super) async fn decide(
    State(desk): Shared,
    Path((name, verb)): Path<(String, String)>,
    headers: HeaderMap,
    Json(decision): Json<Decision>,
) -> Result<Json<Value>, ApiError> {
    desk.may_read(&headers)?;
    let entry = desk.entry(&name)?;
    let count = match verb.as_str() {
        "quarantine" => {
            desk.change(|state| record::quarantine(state, &entry.name, desk.by(), &now()))?;
            0
        }
        "block" => {
            let keys = desk.keys(entry, &decision)?;
            desk.change(|state| record::block(state, &entry.name, &keys, desk.by(), &now()))?
        }
        "unblock" => {
            let person = desk.person(&headers)?;
            let keys = desk.keys(entry, &decision)?;
            desk.change(|state| record::unblock(state, &person, &entry.name, &keys, &now()))?
        }
        "approve" => {
            let person = desk.person(&headers)?;
            desk.approve(entry, &person, &decision)?
        }
        "live" => {
            let person = desk.person(&headers)?;
            let launch = decision.launch.as_deref().ok_or_else(missing)?;
            desk.change(|state| record::go_live(state, &person, &entry.name, launch, &now()))?;
            0
        }
        "trust" => {
            let person = desk.person(&headers)?;
            let mode = decision.mode.as_deref().and_then(Trust::read).ok_or_else(missing)?;
            desk.change(|state| record::set_trust(state, &person, Some(&entry.name), mode, &now()))?;
            0
        }
        _ => return Err(ApiError::not_found()),
    };
    Ok(Json(json!({ "ok": true, "count": count })))
}

fn missing() -> ApiError {
    ApiError::new(
        StatusCode::UNPROCESSABLE_ENTITY,
        "BAD_BODY",
        "A field is missing: items with their hashes to approve, launch to go live, mode to set trust.",
    )
}

impl Desk {
    fn by(&self) -> &'static str {
        match self.face {
            Face::Page => "page",
            Face::Agents(..) => "agent",
        }
    }

    fn keys(&self, entry: &ServerEntry, decision: &Decision) -> Result<Vec<String>, ApiError> {
        if !decision.all {
            return Ok(decision.items.iter().map(|one| one.item.clone()).collect());
        }
        let state = self.state()?;
        let record = state.servers.get(&entry.name).ok_or_else(ApiError::not_found)?;
        Ok(record.items.keys().cloned().collect())
    }

    fn approve(&self, entry: &ServerEntry, person: &Person, decision: &Decision) -> Result<usize, ApiError> {
        if decision.items.is_empty() || decision.items.iter().any(|one| one.hash.is_empty()) {
            return Err(missing());
        }
        let wanted: Vec<Wanted> = decision
            .items
            .iter()
            .map(|one| Wanted { key: one.item.clone(), hash: one.hash.clone() })
            .collect();
        let config = Arc::clone(&self.config);
        self.change(|state| {
            let despite = decision.despite_findings;
            let count = record::approve(state, &config, person, &entry.name, &wanted, despite, &now())?;
            if let Some(launch) = &decision.launch {
                record::go_live(state, person, &entry.name, launch, &now())?;
            }
            Ok(count)
        })
    }

    /// Lowers or raises what counts as a person. Only from the page.
    pub(super) fn set_approve(&self, headers: &HeaderMap, approve: Approve) -> Result<(), ApiError> {
        self.person(headers)?;
        self.change(|state| {
            state.approve = approve;
            Ok(())
        })
    }
}
