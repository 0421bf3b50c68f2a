//! What servers say by themselves, on its way to the hosts it concerns.

use std::sync::Arc;
use std::time::Duration;

use super::gateway::Gateway;
use super::session::{Asked, Session, Sink};
use crate::pin::json::members;
use crate::rpc::{self, Body, code, edit};
use crate::upstream::{Connection, FromServer};

/// What a host must have said it can do before a server may ask it.
fn needs(method: &str) -> Option<&'static str> {
    match method {
        "roots/list" => Some("roots"),
        "sampling/createMessage" => Some("sampling"),
        "elicitation/create" => Some("elicitation"),
        _ => None,
    }
}

impl Gateway {
    /// Passes on what a live server says.
    pub(super) async fn relay(&self, server: usize, said: FromServer) {
        match said {
            FromServer::Request { id, method, params } => self.server_asks(server, id, &method, params).await,
            FromServer::Notification { method, params } => self.server_tells(server, &method, params),
        }
    }

    async fn server_asks(&self, server: usize, id: String, method: &str, params: Option<String>) {
        let Some(connection) =
            self.servers.get(server).and_then(|server| server.running()).map(|r| r.connection)
        else {
            return;
        };
        if method == "ping" {
            connection.answer(&id, &Body::Result("{}".to_owned())).await;
            return;
        }
        match self.host_for(server, method) {
            Some((session, sink)) => {
                let ours = session.next_id();
                let asked = Asked { server, connection, id, answer: None };
                session.asked().insert(ours.clone(), asked);
                let text = rpc::request(&ours, method, params.as_deref());
                let sent = tokio::time::timeout(Duration::from_secs(5), sink.send(text)).await;
                if !matches!(sent, Ok(Ok(())))
                    && let Some(asked) = session.asked().remove(&ours)
                {
                    refuse(asked.connection, asked.id);
                }
            }
            None => refuse(connection, id),
        }
    }

    /// The host a server means: the one it has a call open for; else the only one there is.
    fn host_for(&self, server: usize, method: &str) -> Option<(Arc<Session>, Sink)> {
        let sessions: Vec<Arc<Session>> = self.sessions().values().cloned().collect();
        let able = |session: &Session| {
            let Some(asking) = session.asking() else { return false };
            // A host of 2026-07-28 takes no requests; it is asked in the result of its own.
            !session.is_modern()
                && needs(method).is_none_or(|capability| {
                    members(&asking.capabilities)
                        .is_some_and(|all| all.0.iter().any(|(name, _)| name == capability))
                })
        };
        let mut calling = sessions.iter().filter_map(|session| Some((session, session.sink_of(server)?)));
        match (calling.next(), calling.next()) {
            (Some((session, sink)), None) => able(session).then(|| (Arc::clone(session), sink)),
            (Some(_), Some(_)) => None,
            (None, _) => match sessions.as_slice() {
                [only] if able(only) => Some((Arc::clone(only), only.standing())),
                _ => None,
            },
        }
    }

    fn server_tells(&self, server: usize, method: &str, params: Option<String>) {
        match method {
            "notifications/progress" => self.progress(server, params),
            "notifications/cancelled" => self.server_cancels(server, params.as_deref()),
            "notifications/resources/updated" => {
                let uri = params.as_deref().and_then(|params| edit::string(params, "uri"));
                let Some(uri) = uri else { return };
                let sessions: Vec<Arc<Session>> = self.sessions().values().cloned().collect();
                for session in sessions {
                    if session.subscribed().contains(&uri) {
                        session.tell(rpc::notification(method, params.as_deref()));
                    }
                    let streams = session.listening().clone();
                    for stream in streams.iter().filter(|stream| stream.uris.contains(&uri)) {
                        let params = marked(params.as_deref(), &stream.id);
                        let _ = stream.sink.try_send(rpc::notification(method, Some(&params)));
                    }
                }
            }
            _ => {
                let sessions: Vec<Arc<Session>> = self.sessions().values().cloned().collect();
                let alone = sessions.len() == 1;
                for session in sessions {
                    let text = rpc::notification(method, params.as_deref());
                    match session.sink_of(server) {
                        Some(sink) => {
                            let _ = sink.try_send(text);
                        }
                        // Without a call it belongs to, it goes to a host that is alone or takes such things.
                        None if alone || !session.is_modern() => session.tell(text),
                        None => {}
                    }
                }
            }
        }
    }

    fn progress(&self, server: usize, params: Option<String>) {
        let Some(params) = params else { return };
        let Some(token) = members(&params).and_then(|all| all.one("progressToken")) else { return };
        for session in self.sessions().values() {
            let found = session.open().values().find_map(|call| {
                let at = call.at.is_some_and(|(at, _)| at == server);
                let (theirs, ours) = call.token.as_ref()?;
                (at && theirs == token).then(|| (ours.clone(), call.sink.clone()))
            });
            if let Some((ours, sink)) = found {
                let params = if ours == token {
                    Some(params.clone())
                } else {
                    edit::set(&params, "progressToken", &ours)
                };
                // A host that does not read loses progress, never an answer.
                let _ = sink.try_send(rpc::notification("notifications/progress", params.as_deref()));
                return;
            }
        }
    }

    fn server_cancels(&self, server: usize, params: Option<&str>) {
        let Some(params) = params else { return };
        let Some(theirs) = members(params).and_then(|all| all.one("requestId")) else { return };
        for session in self.sessions().values() {
            let mut asked = session.asked();
            let ours = asked.iter().find(|(_, asked)| asked.server == server && asked.id == theirs);
            let Some(ours) = ours.map(|(ours, _)| ours.clone()) else { continue };
            asked.remove(&ours);
            drop(asked);
            if let Some(params) = edit::set(params, "requestId", &ours) {
                session.tell(rpc::notification("notifications/cancelled", Some(&params)));
            }
            return;
        }
    }

    /// Tells every host that takes it that a list is another one.
    pub(super) fn announce(&self, method: &str) {
        let member = match method {
            "notifications/tools/list_changed" => "toolsListChanged",
            "notifications/prompts/list_changed" => "promptsListChanged",
            _ => "resourcesListChanged",
        };
        let sessions: Vec<Arc<Session>> = self.sessions().values().cloned().collect();
        for session in sessions {
            if session.shown().contains(member) && !session.is_modern() {
                session.tell(rpc::notification(method, None));
            }
            let streams = session.listening().clone();
            for stream in streams.iter().filter(|stream| stream.kinds.contains(member)) {
                let _ = stream.sink.try_send(rpc::notification(method, Some(&marked(None, &stream.id))));
            }
        }
    }
}

/// Parameters that say which stream they are on.
pub(super) fn marked(params: Option<&str>, stream: &str) -> String {
    let mark = format!("{{\"io.modelcontextprotocol/subscriptionId\":{stream}}}");
    match params {
        None => format!("{{\"_meta\":{mark}}}"),
        Some(params) => edit::without(params, "_meta")
            .and_then(|params| edit::with(&params, "_meta", &mark))
            .unwrap_or_else(|| format!("{{\"_meta\":{mark}}}")),
    }
}

fn refuse(connection: Connection, id: String) {
    tokio::spawn(async move {
        let body = rpc::error(code::METHOD_NOT_FOUND, "No host that can answer this is connected.");
        connection.answer(&id, &body).await;
    });
}
