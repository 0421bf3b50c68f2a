//! The desk as this page reaches it. Requests go out with the credentials of a sandbox of its own; tools are those that
//! are registered in the page's model context, and calls go through it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use js_sys::futures::spawn_local;
use proof::Door;
use proof::door::{Answer, Called, Method, Request, Trouble, Who, no_such_tool};
use proof::over_http::{Credential, OverHttp, Transport};
use serde_json::{Map, Value, json};

use crate::browser;

/// How long the page's tool list may take to follow the desk, and a held call to be answered: 200 looks.
const LOOKS: u32 = 200;

/// Milliseconds between two looks.
const PAUSE: u32 = 50;

/// How often a request that came too soon is sent again.
const TRIES: u32 = 10;

/// Requests of this page.
#[derive(Debug)]
pub(crate) struct Fetch {
    /// What the person at the page of this sandbox has.
    page: String,
    cannot_approve: Option<String>,
}

impl Fetch {
    /// Asks for a sandbox.
    async fn open() -> Result<Fetch, Trouble> {
        let headers = r#"{"content-type":"application/json"}"#;
        let (answer, _) = browser::ask("POST", "/api/proof", headers, "{}", true).await?;
        let page = answer.json().get("page").and_then(Value::as_str).map(str::to_owned);
        let page = page.ok_or_else(|| {
            Trouble(format!("The desk gave no sandbox for the proof: it answered {}.", answer.status))
        })?;
        let mut fetch = Fetch { page, cannot_approve: None };
        let cards =
            fetch.carry(&Credential::Approver, &Request::get(Who::Approver, "/api/approvals")).await?;
        if cards.status != 200 {
            fetch.cannot_approve = Some(String::from(
                "this desk's approvals are given on its console; quarantine prove can go there",
            ));
        }
        Ok(fetch)
    }
}

impl Transport for Fetch {
    async fn carry(&self, credential: &Credential, request: &Request) -> Result<Answer, Trouble> {
        let mut headers: Map<_, _> =
            request.headers.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        let token = match credential {
            Credential::Token(token) => Some(token),
            Credential::Page | Credential::Approver => Some(&self.page),
            Credential::None => None,
        };
        if let Some(token) = token {
            headers.insert(String::from("authorization"), json!(format!("Bearer {token}")));
        }
        if request.method == Method::Post {
            headers.insert(String::from("content-type"), json!("application/json"));
        }
        let headers = Value::Object(headers).to_string();
        let body = request.body.as_deref().unwrap_or_default();
        for _ in 0..TRIES {
            let (answer, wait) =
                browser::ask(request.method.as_str(), &request.path, &headers, body, false).await?;
            if answer.status != 429 {
                return Ok(answer);
            }
            browser::wait(wait.clamp(1, 10) * 1_000).await;
        }
        Err(Trouble(String::from("The desk says that too many requests come from here.")))
    }

    fn cannot_approve(&self) -> Option<String> {
        self.cannot_approve.clone()
    }
}

/// The desk, through this page.
#[derive(Debug)]
pub(crate) struct Browser {
    http: OverHttp<Fetch>,
    subject: RefCell<String>,
    opened: Cell<bool>,
}

/// What a call of a tool has come to; none while it is open.
type Slot = Rc<RefCell<Option<Value>>>;

impl Browser {
    /// Asks for a sandbox and waits for the widget.
    pub(crate) async fn open(variants: usize) -> Result<Browser, Trouble> {
        browser::ready().await?;
        let http = OverHttp::new(Fetch::open().await?, variants);
        Ok(Browser { http, subject: RefCell::default(), opened: Cell::default() })
    }

    /// Which model context the page has.
    pub(crate) fn mode(&self) -> String {
        browser::mode()
    }

    /// Makes the widget be about a ticket, as opening its page does.
    async fn focus(&self, ticket: &str) -> Result<(), Trouble> {
        if *self.subject.borrow() == ticket {
            return browser::refresh().await;
        }
        let token = self.http.token(ticket).await?;
        ticket.clone_into(&mut self.subject.borrow_mut());
        browser::focus(ticket, &token).await
    }

    /// The refund of a ticket that is held, if there is one.
    async fn own(&self, ticket: &str) -> Result<Option<String>, Trouble> {
        let path = format!("/api/policy?ticket={ticket}");
        let permit = self.http.send(Request::get(Who::Agent(ticket.to_owned()), path)).await?.json();
        Ok(permit.pointer("/own/refund_id").and_then(Value::as_str).map(str::to_owned))
    }
}

impl Door for Browser {
    type Open = Slot;

    async fn fresh(&self) -> Result<(), Trouble> {
        self.http.fresh().await?;
        self.subject.borrow_mut().clear();
        if self.opened.replace(false) {
            browser::look();
        }
        Ok(())
    }

    fn cannot_approve(&self) -> Option<String> {
        self.http.cannot_approve()
    }

    fn variants(&self) -> usize {
        self.http.variants()
    }

    async fn send(&self, request: Request) -> Result<Answer, Trouble> {
        self.http.send(request).await
    }

    async fn tools(&self, ticket: &str) -> Result<Vec<String>, Trouble> {
        self.focus(ticket).await?;
        let sorted = |mut names: Vec<String>| {
            names.sort();
            names
        };
        let mut held = Vec::new();
        for _ in 0..LOOKS {
            held = sorted(browser::held().await?);
            if held == sorted(self.http.tools(ticket).await?) {
                break;
            }
            browser::wait(PAUSE).await;
            browser::refresh().await?;
        }
        Ok(held)
    }

    async fn call(&self, ticket: &str, tool: &str, input: Value) -> Result<Called<Slot>, Trouble> {
        if !self.tools(ticket).await?.iter().any(|held| held == tool) {
            return Ok(Called::Answered(no_such_tool()));
        }
        let slot = Slot::default();
        let (filled, name, given) = (slot.clone(), tool.to_owned(), input.to_string());
        spawn_local(async move {
            let answer = match browser::execute(&name, &given).await {
                Ok(text) => serde_json::from_str(&text).unwrap_or(Value::String(text)),
                Err(Trouble(why)) => json!({"error": "CALL_THREW", "reason": why}),
            };
            filled.replace(Some(answer));
        });
        for _ in 0..LOOKS {
            browser::wait(PAUSE / 5).await;
            if let Some(answer) = slot.take() {
                return Ok(Called::Answered(answer));
            }
            if tool == "issue_refund"
                && let Some(refund) = self.own(ticket).await?
            {
                self.opened.set(true);
                return Ok(Called::Open { refund, told: String::new(), open: slot });
            }
        }
        Err(Trouble(String::from("A tool neither answered nor held anything.")))
    }

    async fn settle(&self, open: Slot) -> Result<Value, Trouble> {
        for _ in 0..LOOKS {
            browser::look();
            browser::wait(PAUSE).await;
            if let Some(answer) = open.take() {
                return Ok(answer);
            }
        }
        Ok(json!({"error": "STILL_OPEN"}))
    }
}
