//! A desk in this process, and clients as values: anonymous, a page, an agent.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use axum::Router;
use axum::body::Body;
use desk::Millis;
use http::{HeaderMap, Method, Request, StatusCode, header};
use http_body_util::BodyExt as _;
use policy::Strength;
use serde_json::Value;
use server::clock::Clock;
use server::config::Config;
use server::http::app::{App, Parts};
use server::http::face::Hosts;
use server::payments::{Ledger, Provider};
use server::store::{Database, Limits, Store};
use tower::ServiceExt as _;
use web::token::Signer;

pub(crate) const ORIGIN: &str = "http://localhost:8080";
pub(crate) const CONSOLE: &str = "http://console.localhost:8080";

/// A clock that tests move.
#[derive(Debug)]
pub(crate) struct Hand(AtomicI64);

impl Clock for Hand {
    fn now(&self) -> Millis {
        Millis(self.0.load(Ordering::SeqCst))
    }
}

/// A desk with a store of its own.
pub(crate) struct Desk {
    router: Router,
    pub(crate) app: App,
    clock: Arc<Hand>,
    _folder: tempfile::TempDir,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("not JSON: {}", self.text()))
    }

    /// Status and code of a refusal.
    pub(crate) fn refusal(&self) -> (u16, String) {
        (self.status.as_u16(), self.json()["error"].as_str().unwrap_or_default().to_owned())
    }
}

/// Somebody who calls.
#[derive(Clone, Debug)]
pub(crate) struct Client<'a> {
    desk: &'a Desk,
    cookie: Option<String>,
    token: Option<String>,
    origin: Option<&'static str>,
    host: &'static str,
}

impl std::fmt::Debug for Desk {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Desk")
    }
}

impl Desk {
    pub(crate) async fn start() -> Desk {
        Desk::start_with(Strength::InPage, None).await
    }

    pub(crate) async fn start_with(strength: Strength, provider: Option<Arc<dyn Provider>>) -> Desk {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(Hand(AtomicI64::new(1_796_053_376_000)));
        let database = Database::Sqlite(folder.path().to_owned());
        let store = Store::open(&database, Limits::default(), clock.now()).await.unwrap();
        let config = Config {
            data: folder.path().to_owned(),
            database: None,
            strength,
            public_url: ORIGIN.to_owned(),
            console_url: CONSOLE.to_owned(),
            trusted_proxies: Vec::new(),
            sandboxes: 100,
            requests_per_second: 100_000,
        };
        let app = App::new(Parts {
            provider: provider.unwrap_or_else(|| Arc::new(Ledger::new(store.clone()))),
            store,
            clock: clock.clone(),
            config,
            hosts: Hosts::new(ORIGIN, CONSOLE, 8080, true),
            signer: Signer::new(&[7; 32]),
        });
        let live = app.live().clone();
        app.store().listen(move |workspace, events| {
            for event in events {
                live.moved(workspace, event.refund.as_ref(), event.seq);
            }
        });
        Desk { router: server::http::router(app.clone()), app, clock, _folder: folder }
    }

    /// Lets time pass.
    pub(crate) fn pass(&self, seconds: i64) {
        self.clock.0.fetch_add(seconds * 1_000, Ordering::SeqCst);
    }

    pub(crate) fn anonymous(&self) -> Client<'_> {
        Client { desk: self, cookie: None, token: None, origin: None, host: "localhost:8080" }
    }

    /// A person who opened the desk in a browser of their own.
    pub(crate) async fn page(&self) -> Client<'_> {
        let opened = self.anonymous().get("/").await;
        let cookie = opened.headers.get(header::SET_COOKIE).expect("a first visit sets a cookie");
        let cookie = cookie.to_str().unwrap().split(';').next().unwrap().to_owned();
        Client { cookie: Some(cookie), origin: Some(ORIGIN), ..self.anonymous() }
    }
}

impl<'a> Client<'a> {
    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, None).await
    }

    pub(crate) async fn post(&self, path: &str, body: &str) -> Answer {
        self.send(Method::POST, path, Some(body)).await
    }

    /// The same caller without an `Origin`.
    pub(crate) fn without_origin(&self) -> Client<'a> {
        Client { origin: None, ..self.clone() }
    }

    pub(crate) fn sent_from(&self, origin: &'static str) -> Client<'a> {
        Client { origin: Some(origin), ..self.clone() }
    }

    pub(crate) fn at_host(&self, host: &'static str) -> Client<'a> {
        Client { host, ..self.clone() }
    }

    pub(crate) fn with_cookie(&self, cookie: &str) -> Client<'a> {
        Client { cookie: Some(cookie.to_owned()), ..self.clone() }
    }

    pub(crate) fn with_token(&self, token: &str) -> Client<'a> {
        Client { token: Some(token.to_owned()), ..self.clone() }
    }

    /// An agent over HTTP in this page's sandbox, about one ticket.
    pub(crate) async fn agent(&self, ticket: &str) -> Client<'a> {
        let made = self.post("/api/agents", &format!(r#"{{"ticket_id":"{ticket}"}}"#)).await;
        assert_eq!(made.status, StatusCode::CREATED, "{}", made.text());
        Client {
            cookie: None,
            token: Some(made.json()["token"].as_str().unwrap().to_owned()),
            origin: None,
            ..self.clone()
        }
    }

    /// As a browser opens a page.
    pub(crate) async fn visit(&self, path: &str) -> Answer {
        let request = self.request(Method::GET, path).header(header::ACCEPT, "text/html,*/*;q=0.8");
        self.answered(request.body(Body::empty()).unwrap()).await
    }

    pub(crate) async fn post_form(&self, path: &str, body: &str) -> Answer {
        let request = self
            .request(Method::POST, path)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(Body::from(body.to_owned()))
            .unwrap();
        self.answered(request).await
    }

    /// The events of a stream up to and with its first beat.
    pub(crate) async fn stream(&self, path: &str) -> Vec<(Option<i64>, Value)> {
        let request = self.request(Method::GET, path).body(Body::empty()).unwrap();
        let response = self.desk.router.clone().oneshot(request).await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        let mut body = response.into_body();
        let mut events = Vec::new();
        loop {
            let piece = body.frame().await.unwrap().unwrap().into_data().unwrap();
            for message in std::str::from_utf8(&piece).unwrap().split_terminator("\n\n") {
                let line = |name: &str| message.lines().find_map(|line| line.strip_prefix(name));
                let data: Value = serde_json::from_str(line("data: ").unwrap()).unwrap();
                events.push((line("id: ").map(|id| id.parse().unwrap()), data));
            }
            if events.last().is_some_and(|(_, data)| data["kind"] == "beat") {
                return events;
            }
        }
    }

    pub(crate) async fn send(&self, method: Method, path: &str, body: Option<&str>) -> Answer {
        let body = Body::from(body.unwrap_or_default().to_owned());
        self.answered(self.request(method, path).body(body).unwrap()).await
    }

    async fn answered(&self, request: Request<Body>) -> Answer {
        let response = self.desk.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes().to_vec();
        Answer { status: parts.status, headers: parts.headers, body }
    }

    fn request(&self, method: Method, path: &str) -> http::request::Builder {
        let mut request = Request::builder().method(method).uri(path).header(header::HOST, self.host);
        if let Some(cookie) = &self.cookie {
            request = request.header(header::COOKIE, cookie);
        }
        if let Some(token) = &self.token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        if let Some(origin) = self.origin {
            request = request.header(header::ORIGIN, origin);
        }
        request
    }
}
