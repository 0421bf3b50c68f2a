//! What happens, as it happens: server-sent events with the record's own numbers.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream;
use http::{HeaderMap, HeaderValue, header};
use serde::Deserialize;
use web::ApiError;

use super::{Desk, Shared};

/// How often the state is looked at.
const GLANCE: Duration = Duration::from_millis(300);

/// A silence after which something is said, so that a dead connection is noticed.
const SILENCE: u32 = 50;

#[derive(Debug, Deserialize)]
pub(super) struct After {
    /// The number of the last event that was seen. Without it, only what is new.
    after: Option<u64>,
}

struct Cursor {
    desk: Arc<Desk>,
    after: u64,
    ready: VecDeque<Bytes>,
}

pub(super) async fn stream(
    State(desk): Shared,
    Query(query): Query<After>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    desk.may_read(&headers)?;
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    let after = query.after.or(last).unwrap_or(desk.state()?.seq);
    let cursor = Cursor { desk, after, ready: VecDeque::from([Bytes::from_static(b":\n\n")]) };
    let events = stream::unfold(cursor, |mut cursor| async move {
        let mut quiet = 0;
        loop {
            if let Some(bytes) = cursor.ready.pop_front() {
                return Some((Ok::<_, Infallible>(bytes), cursor));
            }
            if let Ok(state) = cursor.desk.state() {
                for event in state.events.iter().filter(|event| event.seq > cursor.after) {
                    let data = serde_json::to_string(event).unwrap_or_default();
                    cursor.ready.push_back(Bytes::from(format!("id: {}\ndata: {data}\n\n", event.seq)));
                }
                // A state file that was put away begins at nothing again.
                cursor.after = state.seq;
            }
            if cursor.ready.is_empty() {
                tokio::time::sleep(GLANCE).await;
                quiet += 1;
                if quiet == SILENCE {
                    cursor.ready.push_back(Bytes::from_static(b":\n\n"));
                }
            }
        }
    });
    let kind = (header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    Ok(([kind], Body::from_stream(events)).into_response())
}
