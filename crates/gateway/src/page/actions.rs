//! The presses: forms of our own pages, and nothing else.

use axum::Form;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use http::{HeaderMap, StatusCode, header};
use web::ApiError;

use super::html::href;
use super::{Desk, Shared};
use crate::clock::now;
use crate::config::{Approve, ServerEntry, Trust};
use crate::record::{self, Wanted};

type Fields = Form<Vec<(String, String)>>;

fn one<'a>(fields: &'a [(String, String)], name: &str) -> &'a str {
    fields.iter().find(|(field, _)| field == name).map_or("", |(_, value)| value.as_str())
}

pub(super) async fn sign_in(
    State(desk): Shared,
    headers: HeaderMap,
    Form(fields): Fields,
) -> Result<Response, ApiError> {
    let own = desk.own_origin(&headers)?;
    web::origin::require_own(&headers, &own)?;
    let known = desk.state()?.passphrase.clone();
    match desk.sessions.sign_in(known, one(&fields, "passphrase").to_owned()).await {
        Ok(cookie) => {
            let mut response = Redirect::to("/").into_response();
            response.headers_mut().insert(header::SET_COOKIE, cookie);
            Ok(response)
        }
        Err(error) => desk.sign_in_page(error.status, &error.reason),
    }
}

pub(super) async fn sign_out(State(desk): Shared, headers: HeaderMap) -> Result<Response, ApiError> {
    let own = desk.own_origin(&headers)?;
    web::origin::require_own(&headers, &own)?;
    let mut response = Redirect::to("/sign-in").into_response();
    if let Some(cookie) = desk.sessions.sign_out(&headers) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

pub(super) async fn decide(
    State(desk): Shared,
    Path(name): Path<String>,
    headers: HeaderMap,
    Form(fields): Fields,
) -> Result<Response, ApiError> {
    let entry = desk.entry(&name)?;
    match desk.pressed(entry, &headers, &fields) {
        Ok(done) => Ok(Redirect::to(&format!("{}?done={done}", href(&entry.name))).into_response()),
        Err(error) if error.status == StatusCode::FORBIDDEN => Err(error),
        Err(error) => desk.server_page(&name, String::new(), Some(&error)),
    }
}

pub(super) async fn approve_by(
    State(desk): Shared,
    headers: HeaderMap,
    Form(fields): Fields,
) -> Result<Response, ApiError> {
    let approve = if one(&fields, "approve") == "web" { Approve::Web } else { Approve::Terminal };
    desk.set_approve(&headers, approve)?;
    Ok(Redirect::to("/?done=setting").into_response())
}

impl Desk {
    fn pressed(
        &self,
        entry: &ServerEntry,
        headers: &HeaderMap,
        fields: &[(String, String)],
    ) -> Result<&'static str, ApiError> {
        let person = self.person(headers)?;
        let picked = |name: &str| -> Vec<Wanted> {
            fields
                .iter()
                .filter(|(field, _)| field == name)
                .filter_map(|(_, value)| value.split_once(' '))
                .map(|(hash, key)| Wanted { key: key.to_owned(), hash: hash.to_owned() })
                .collect()
        };
        let despite = one(fields, "despite") == "yes";
        let chosen = picked("pick");
        let keys: Vec<String> = chosen.iter().map(|want| want.key.clone()).collect();
        let launch = one(fields, "launch").to_owned();
        let config = &self.config;
        let (verb, name) = (one(fields, "verb"), entry.name.as_str());
        let needs_choice = matches!(verb, "approve" | "block" | "unblock");
        if needs_choice && chosen.is_empty() {
            return Err(ApiError::new(
                StatusCode::CONFLICT,
                "NOTHING_CHOSEN",
                "Choose at least one item first.",
            ));
        }
        match verb {
            "approve" => {
                self.change(|state| record::approve(state, config, &person, name, &chosen, despite, &now()))?;
                Ok("approve")
            }
            "approve-all" => {
                let all = picked("all");
                self.change(|state| {
                    record::approve(state, config, &person, name, &all, despite, &now())?;
                    record::go_live(state, &person, name, &launch, &now())
                })?;
                Ok("approve")
            }
            "block" => {
                self.change(|state| record::block(state, name, &keys, "page", &now()))?;
                Ok("block")
            }
            "unblock" => {
                self.change(|state| record::unblock(state, &person, name, &keys, &now()))?;
                Ok("unblock")
            }
            "quarantine" => {
                self.change(|state| record::quarantine(state, name, "page", &now()))?;
                Ok("quarantine")
            }
            "live" => {
                self.change(|state| record::go_live(state, &person, name, &launch, &now()))?;
                Ok("live")
            }
            "trust" => {
                let mode = Trust::read(one(fields, "mode")).ok_or_else(ApiError::not_found)?;
                self.change(|state| record::set_trust(state, &person, Some(name), mode, &now()))?;
                Ok("trust")
            }
            _ => Err(ApiError::not_found()),
        }
    }
}
