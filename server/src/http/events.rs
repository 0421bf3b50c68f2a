//! What happens, as server-sent events: ids and states, never text.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use desk::id::TicketId;
use futures_util::stream;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use web::ApiError;
use web::error::Problem;
use wire::event::Event;

use crate::http::app::App;
use crate::http::caller::{Agent, Approver, Caller, forbidden};
use crate::live::Interest;
use crate::presence;
use crate::store::{self, AgentKind, Workspace};

/// How often a stream shows that it is alive. Pages take a stream for dead after 8 seconds of silence.
const BEAT: Duration = Duration::from_secs(3);

/// How many events are read at once.
const BATCH: u32 = 200;

/// The route of the event stream.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(stream))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct After {
    /// The newest event that is known; without it the stream begins now. `Last-Event-ID` beats it.
    after: Option<i64>,
}

/// What happens from now on, or from a known event on.
#[utoipa::path(get, path = "/api/events", tag = "events", params(After), responses(
    (status = 200, body = Event, content_type = "text/event-stream"), (status = 403, body = Problem)))]
async fn stream(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Query(after): Query<After>,
) -> Result<Response, ApiError> {
    let workspace = caller.workspace().clone();
    let (subject, presence) = match caller {
        // Without a credential there is no subject, and a stream of everybody's tickets is nobody's.
        Caller::Agent(Agent { credential, .. }) if credential.kind == AgentKind::Anonymous => {
            return Err(forbidden());
        }
        Caller::Agent(agent) => (agent.subject, None),
        Caller::Page(_) => (None, Some(app.presence().arrive(&workspace, app.clock()))),
    };
    Follow::begin(app, workspace, subject, presence, cursor(&headers, &after)).await
}

fn cursor(headers: &HeaderMap, after: &After) -> Option<i64> {
    let last = headers.get("last-event-id").and_then(|value| value.to_str().ok());
    last.and_then(|value| value.parse().ok()).or(after.after)
}

struct Follow {
    app: App,
    workspace: Workspace,
    subject: Option<TicketId>,
    interest: Interest,
    cursor: i64,
    greeted: bool,
    _presence: Option<presence::Stream>,
    _open: Open,
}

struct Open(prometheus::IntGauge);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl Follow {
    async fn begin(
        app: App,
        workspace: Workspace,
        subject: Option<TicketId>,
        presence: Option<presence::Stream>,
        after: Option<i64>,
    ) -> Result<Response, ApiError> {
        let interest = app.live().workspace(&workspace);
        let known = app.store().events(&workspace, after.unwrap_or(i64::MAX - 1), 1).await?;
        let in_reach =
            |cursor: i64| cursor <= known.newest && known.oldest.is_none_or(|oldest| cursor >= oldest - 1);
        let resync = after.is_some_and(|cursor| !in_reach(cursor));
        let cursor = after.filter(|cursor| in_reach(*cursor)).unwrap_or(known.newest);
        let streams = app.metrics().streams.clone();
        streams.inc();
        let follow = Follow {
            app,
            workspace,
            subject,
            interest,
            cursor,
            greeted: !resync,
            _presence: presence,
            _open: Open(streams),
        };
        let body = stream::unfold(follow, async |mut follow: Follow| {
            let chunk = follow.next().await?;
            Some((Ok::<_, Infallible>(chunk), follow))
        });
        let mut response = Body::from_stream(body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
        headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
        Ok(response)
    }

    /// The next piece of the stream; none once the server goes down or the store does not answer.
    async fn next(&mut self) -> Option<Bytes> {
        if !self.greeted {
            self.greeted = true;
            return Some(message(Some(self.cursor), &bare("resync")));
        }
        let beat = tokio::time::sleep(BEAT);
        let mut beat = std::pin::pin!(beat);
        loop {
            let moved = self.interest.next();
            let read = self.app.store().events(&self.workspace, self.cursor, BATCH).await.ok()?;
            if let Some(last) = read.events.last() {
                self.cursor = last.seq;
                let pieces: Vec<Bytes> = read
                    .events
                    .iter()
                    .filter(|event| self.concerns(event))
                    .map(|event| message(Some(event.seq), &shaped(event)))
                    .collect();
                if !pieces.is_empty() {
                    return Some(pieces.concat().into());
                }
                continue;
            }
            tokio::select! {
                () = moved => {}
                () = &mut beat => return Some(message(None, &bare("beat"))),
                () = self.app.closed() => return None,
            }
        }
    }

    fn concerns(&self, event: &store::Event) -> bool {
        match (&self.subject, &event.ticket) {
            (None, _) | (Some(_), None) => true,
            (Some(subject), Some(ticket)) => subject == ticket,
        }
    }
}

fn bare(kind: &str) -> Event {
    Event { kind: kind.to_owned(), ticket: None, refund: None, state: None }
}

fn shaped(event: &store::Event) -> Event {
    Event {
        kind: event.kind().to_owned(),
        ticket: event.ticket.as_ref().map(ToString::to_string),
        refund: event.refund.as_ref().map(ToString::to_string),
        state: event.state.clone(),
    }
}

fn message(id: Option<i64>, event: &Event) -> Bytes {
    let data = serde_json::to_string(event).unwrap_or_default();
    match id {
        Some(id) => format!("id: {id}\ndata: {data}\n\n"),
        None => format!("data: {data}\n\n"),
    }
    .into()
}

/// On the console: a beat, and a word whenever anything moved anywhere. The console reads its queue again.
pub(super) async fn console_stream(State(app): State<App>, approver: Approver) -> Result<Response, ApiError> {
    if let Some(workspace) = approver.workspace {
        return Follow::begin(app, workspace, None, None, None).await;
    }
    let body = stream::unfold(app, async |app| {
        let moved = app.live().anything();
        tokio::select! {
            () = moved => Some((Ok::<_, Infallible>(message(None, &bare("workspace"))), app)),
            () = tokio::time::sleep(BEAT) => Some((Ok(message(None, &bare("beat"))), app)),
            () = app.closed() => None,
        }
    });
    let mut response = (StatusCode::OK, Body::from_stream(body)).into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    Ok(response)
}
