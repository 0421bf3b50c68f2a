//! What a host says, and who answers it.

use std::borrow::Cow;
use std::sync::Arc;

use tokio::sync::Notify;

use super::gateway::Gateway;
use super::hello::{of_initialize, of_request, unsupported};
use super::relay::marked;
use super::session::{Listening, OpenCall, Session, Sink};
use crate::pin::json::{members, text};
use crate::rpc::{self, Body, Message, code, edit};
use crate::upstream::{Asking, Era};

impl Gateway {
    /// Takes one message of a host. Its answer, if it has one, goes to `sink`; this returns before that.
    pub(crate) async fn take(self: &Arc<Gateway>, session: &Arc<Session>, message: &str, sink: &Sink) {
        match Message::read(message) {
            Some(Message::Request { id, method, params }) => {
                self.request(session, id, method, params, sink).await;
            }
            Some(Message::Notification { method, params }) => {
                self.notification(session, &method, params).await
            }
            Some(Message::Response { id, body }) => answered(session, id, body).await,
            None => {
                let (code, says) = match serde_json::from_str::<serde::de::IgnoredAny>(message) {
                    Ok(_) => (code::INVALID_REQUEST, "This is JSON but no JSON-RPC message."),
                    Err(_) => (code::PARSE, "This is not JSON."),
                };
                let _ = sink.send(rpc::response("null", &rpc::error(code, says))).await;
            }
        }
    }

    async fn request(
        self: &Arc<Gateway>,
        session: &Arc<Session>,
        id: &str,
        method: Cow<'_, str>,
        params: Option<&str>,
        sink: &Sink,
    ) {
        let asking = match self.who(session, &method, params) {
            Ok(asking) => asking,
            Err(body) => {
                let _ = sink.send(rpc::response(id, &body)).await;
                return;
            }
        };
        self.start(&asking).await;
        let cancel = Arc::new(Notify::new());
        let call = OpenCall { at: None, cancel: Arc::clone(&cancel), sink: sink.clone(), token: None };
        // Two open requests with one id could not be told apart by their answers.
        let doubled = session.open().insert(id.to_owned(), call);
        if let Some(first) = doubled {
            session.open().insert(id.to_owned(), first);
            let body = rpc::error(code::INVALID_REQUEST, "A request with this id is open.");
            let _ = sink.send(rpc::response(id, &body)).await;
            return;
        }
        let (gateway, session, sink) = (Arc::clone(self), Arc::clone(session), sink.clone());
        let (id, method, params) = (id.to_owned(), method.into_owned(), params.map(str::to_owned));
        tokio::spawn(async move {
            let answered = tokio::select! {
                body = gateway.answer(&session, &asking, &id, &method, params.as_deref(), &sink) => body,
                () = cancel.notified() => None,
                () = sink.closed(), if session.stream_is_call => None,
            };
            let call = session.open().remove(&id);
            match answered {
                Some(body) => {
                    let _ = sink.send(rpc::response(&id, &body)).await;
                }
                // Cancelled: the server is told, the host gets no answer.
                None => {
                    if let Some((server, theirs)) = call.and_then(|call| call.at) {
                        gateway.cancel(server, theirs).await;
                    }
                }
            }
        });
    }

    /// On whose behalf a request comes. An `initialize` introduces the host; a request that says all of it itself needs
    /// no introduction.
    fn who(&self, session: &Session, method: &str, params: Option<&str>) -> Result<Asking, Body<String>> {
        if method == "initialize" {
            let asking = of_initialize(params).ok_or_else(|| {
                rpc::error(code::INVALID_PARAMS, "protocolVersion or clientInfo is missing.")
            })?;
            session.introduce(asking.clone());
            return Ok(asking);
        }
        match of_request(params) {
            Ok(Some(asking)) => {
                // A host that began with a handshake stays with it.
                let legacy = session.asking().is_some_and(|known| known.era != Era::Modern);
                if !legacy {
                    session.introduce(asking.clone());
                }
                Ok(asking)
            }
            Err(version) => Err(unsupported(&version)),
            Ok(None) => match session.asking() {
                Some(asking) if asking.era != Era::Modern => Ok(asking),
                _ if method == "ping" => Ok(Asking::nobody()),
                _ => Err(rpc::error(
                    code::INVALID_PARAMS,
                    "The first request must be initialize, or carry its protocol version in _meta.",
                )),
            },
        }
    }

    /// The answer to a request; `None` if there will be none.
    async fn answer(
        self: &Arc<Gateway>,
        session: &Arc<Session>,
        asking: &Asking,
        id: &str,
        method: &str,
        params: Option<&str>,
        sink: &Sink,
    ) -> Option<Body<String>> {
        let modern = asking.era == Era::Modern;
        match method {
            "initialize" => return Some(self.greeting(asking)),
            "server/discover" => return Some(self.discovery()),
            "ping" => return Some(empty(modern)),
            "logging/setLevel" => {
                self.tell_level(params).await;
                return Some(empty(modern));
            }
            "subscriptions/listen" if modern => return self.listen(session, id, params, sink).await,
            _ => {}
        }
        if let Some(list) = self.list(session, method, modern).await {
            return Some(list);
        }
        Some(self.call(session, asking, id, method, params).await)
    }

    /// A level for logs goes to every server that has them.
    async fn tell_level(&self, params: Option<&str>) {
        for server in &self.servers {
            if let Some(running) = server.running().filter(|running| running.hello.can("logging")) {
                // Whether a server takes the level is its own affair.
                let _ = running.connection.send("logging/setLevel", params).await;
            }
        }
    }

    /// Holds a stream of changes open until the host ends it.
    async fn listen(
        &self,
        session: &Session,
        id: &str,
        params: Option<&str>,
        sink: &Sink,
    ) -> Option<Body<String>> {
        let wishes = params.and_then(members).and_then(|all| all.one("notifications")).and_then(members);
        let mut kinds = std::collections::HashSet::new();
        let mut uris = std::collections::HashSet::new();
        for (name, value) in wishes.iter().flat_map(|wishes| &wishes.0) {
            match (name.as_ref(), value.get()) {
                ("toolsListChanged" | "promptsListChanged" | "resourcesListChanged", "true") => {
                    kinds.insert(name.clone().into_owned());
                }
                ("resourceSubscriptions", list) => {
                    let list: Vec<String> = serde_json::from_str(list).unwrap_or_default();
                    uris.extend(list.into_iter().take(1000));
                }
                _ => {}
            }
        }
        for uri in &uris {
            self.subscribe_for_modern(uri).await;
        }
        let mut granted: Vec<String> = kinds.iter().map(|kind| format!("\"{kind}\":true")).collect();
        granted.sort();
        if !uris.is_empty() {
            let list: Vec<String> = uris.iter().map(|uri| crate::pin::json::quoted(uri)).collect();
            granted.push(format!("\"resourceSubscriptions\":[{}]", list.join(",")));
        }
        let acknowledged = format!("{{\"notifications\":{{{}}}}}", granted.join(","));
        let acknowledged = marked(Some(&acknowledged), id);
        let first = rpc::notification("notifications/subscriptions/acknowledged", Some(&acknowledged));
        sink.send(first).await.ok()?;
        let stream = Listening { id: id.to_owned(), kinds, uris, sink: sink.clone() };
        let _leave = Leave { session, id };
        session.listening().push(stream);
        std::future::pending::<()>().await;
        None
    }

    async fn notification(&self, session: &Session, method: &str, params: Option<&str>) {
        match method {
            "notifications/initialized" => {}
            "notifications/cancelled" => {
                let id = params.and_then(members).and_then(|all| all.one("requestId"));
                let cancel = id.and_then(|id| session.open().get(id).map(|call| Arc::clone(&call.cancel)));
                if let Some(cancel) = cancel {
                    cancel.notify_one();
                }
            }
            "notifications/progress" => {}
            // Anything else, such as a change of roots, concerns every server that an agent may use.
            _ => {
                for server in &self.servers {
                    if let Some(running) = server.running() {
                        running.connection.tell(method, params).await;
                    }
                }
            }
        }
    }

    pub(super) async fn cancel(&self, server: usize, theirs: u64) {
        if let Some(running) = self.servers.get(server).and_then(|server| server.running()) {
            let params = format!("{{\"requestId\":{theirs},\"reason\":\"the host cancelled it\"}}");
            running.connection.tell("notifications/cancelled", Some(&params)).await;
        }
    }
}

/// Takes a stream of changes away when its request ends.
struct Leave<'a> {
    session: &'a Session,
    id: &'a str,
}

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        self.session.listening().retain(|stream| stream.id != self.id);
    }
}

/// Passes a host's answer on to the server that asked.
async fn answered(session: &Session, id: &str, body: Body<&str>) {
    let Some(asked) = session.asked().remove(id) else { return };
    let body = match body {
        Body::Result(result) => Body::Result(result.to_owned()),
        Body::Error(error) => Body::Error(error.to_owned()),
    };
    match asked.answer {
        Some(answer) => {
            // The call it belongs to may have been cancelled.
            let _ = answer.send(body);
        }
        None => asked.connection.answer(&asked.id, &body).await,
    }
}

fn empty(modern: bool) -> Body<String> {
    Body::Result(if modern { "{\"resultType\":\"complete\"}" } else { "{}" }.to_owned())
}

/// A string member of parameters.
pub(super) fn named(params: Option<&str>, member: &str) -> Option<String> {
    edit::string(params?, member)
}

/// A string member of a member.
pub(super) fn named_in(params: Option<&str>, outer: &str, member: &str) -> Option<String> {
    members(members(params?)?.one(outer)?)?.one(member).and_then(text)
}
