//! What is counted, and how often somebody may ask.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Instant;

use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::HeaderMap;
use prometheus::{
    Encoder as _, HistogramOpts, HistogramVec, IntCounterVec, IntGauge, Opts, Registry, TextEncoder,
};

use crate::http::App;

/// The counters of this process, in Prometheus' words.
#[derive(Clone, Debug)]
pub struct Metrics {
    registry: Arc<Registry>,
    requests: IntCounterVec,
    seconds: HistogramVec,
    /// How refunds moved, by the state they came to.
    pub refunds: IntCounterVec,
    /// Event streams that are open.
    pub streams: IntGauge,
    /// Calls over HTTP that wait for a refund.
    pub waiting: IntGauge,
}

impl Default for Metrics {
    fn default() -> Metrics {
        let registry = Registry::new();
        let metrics = Metrics::parts();
        if let Ok((requests, seconds, refunds, streams, waiting)) = metrics {
            // Names are constants and distinct, so that registering can't fail; a failure only hides a number.
            let _ = registry.register(Box::new(requests.clone()));
            let _ = registry.register(Box::new(seconds.clone()));
            let _ = registry.register(Box::new(refunds.clone()));
            let _ = registry.register(Box::new(streams.clone()));
            let _ = registry.register(Box::new(waiting.clone()));
            return Metrics { registry: Arc::new(registry), requests, seconds, refunds, streams, waiting };
        }
        unreachable!("the names of metrics are constants")
    }
}

type Made = (IntCounterVec, HistogramVec, IntCounterVec, IntGauge, IntGauge);

impl Metrics {
    fn parts() -> prometheus::Result<Made> {
        Ok((
            IntCounterVec::new(
                Opts::new("quarantine_requests_total", "Requests by route and status."),
                &["route", "status"],
            )?,
            HistogramVec::new(
                HistogramOpts::new("quarantine_request_seconds", "Seconds until an answer began."),
                &["route"],
            )?,
            IntCounterVec::new(
                Opts::new("quarantine_refunds_total", "Refunds by the state they came to."),
                &["state"],
            )?,
            IntGauge::new("quarantine_streams", "Event streams that are open.")?,
            IntGauge::new("quarantine_waiting_calls", "Calls over HTTP that wait for a refund.")?,
        ))
    }

    /// All numbers in Prometheus' text form.
    pub fn text(&self) -> String {
        let mut out = Vec::new();
        match TextEncoder::new().encode(&self.registry.gather(), &mut out) {
            Ok(()) => String::from_utf8(out).unwrap_or_default(),
            Err(_) => String::new(),
        }
    }
}

/// Counts a request by its route, never by its address.
pub async fn count(State(app): State<App>, request: Request, next: Next) -> Response {
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or_else(|| "none".to_owned(), |path| path.as_str().to_owned());
    let method = request.method().clone();
    let began = Instant::now();
    let response = next.run(request).await;
    let took = began.elapsed();
    let metrics = app.metrics();
    metrics.requests.with_label_values(&[route.as_str(), response.status().as_str()]).inc();
    metrics.seconds.with_label_values(&[route.as_str()]).observe(took.as_secs_f64());
    tracing::debug!(%method, route, status = response.status().as_u16(), ms = took.as_millis(), "answered");
    response
}

/// Refuses an address that asks too often. A credential does not count: anybody can make up a new one.
pub async fn limit(State(app): State<App>, request: Request, next: Next) -> Response {
    let address = address(&app, request.headers(), request.extensions().get());
    match app.limits().requests.take(address.to_string()) {
        Ok(()) => next.run(request).await,
        Err(refused) => refused.into_response(),
    }
}

/// Where a request comes from: the peer, or what a trusted proxy says.
pub fn address(app: &App, headers: &HeaderMap, peer: Option<&ConnectInfo<SocketAddr>>) -> IpAddr {
    let peer = peer.map_or(IpAddr::from([0, 0, 0, 0]), |ConnectInfo(peer)| peer.ip());
    if !app.config().trusted_proxies.contains(&peer) {
        return peer;
    }
    headers
        .get("x-forwarded-for")
        .and_then(|value| value.to_str().ok())
        .and_then(|list| list.rsplit(',').next())
        .and_then(|last| last.trim().parse().ok())
        .unwrap_or(peer)
}
