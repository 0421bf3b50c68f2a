//! A desk over HTTP: tokens for agents, a fresh sandbox for each case. Who carries the bytes is a [`Transport`].

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::future::Future;

use serde_json::{Value, json};

use crate::door::{self, Answer, Called, Door, Method, Request, Trouble, Waits, Who};

/// What a request is sent with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Credential {
    /// An agent's token.
    Token(String),
    /// What the person at the page has.
    Page,
    /// What an approver has.
    Approver,
    /// Nothing.
    None,
}

/// Carries one request to a desk.
pub trait Transport {
    /// Sends it and brings the answer, whatever its status.
    fn carry(
        &self,
        credential: &Credential,
        request: &Request,
    ) -> impl Future<Output = Result<Answer, Trouble>>;

    /// Why nobody can approve; none if somebody can.
    fn cannot_approve(&self) -> Option<String>;
}

/// A desk over HTTP.
#[derive(Debug)]
pub struct OverHttp<T> {
    /// Carries its requests.
    pub transport: T,
    variants: usize,
    tokens: RefCell<BTreeMap<String, String>>,
}

impl<T: Transport> OverHttp<T> {
    /// A desk that is reached through this transport. `variants` texts of strangers are tried in each step of that
    /// kind.
    pub fn new(transport: T, variants: usize) -> OverHttp<T> {
        OverHttp { transport, variants, tokens: RefCell::default() }
    }

    /// A token for the agent of a ticket; the same one each time.
    ///
    /// # Errors
    /// If the desk does not give one.
    pub async fn token(&self, ticket: &str) -> Result<String, Trouble> {
        if let Some(token) = self.tokens.borrow().get(ticket) {
            return Ok(token.clone());
        }
        let request = Request::post(Who::Page, "/api/agents", json!({"ticket_id": ticket}).to_string());
        let answer = self.transport.carry(&Credential::Page, &request).await?;
        let token = answer.json().get("token").and_then(Value::as_str).map(str::to_owned);
        let token = token.ok_or_else(|| refused("a token for an agent", &answer))?;
        self.tokens.borrow_mut().insert(ticket.to_owned(), token.clone());
        Ok(token)
    }
}

fn refused(what: &str, answer: &Answer) -> Trouble {
    let code = answer.json().get("error").and_then(Value::as_str).unwrap_or("no code").to_owned();
    Trouble(format!("The desk did not give {what}: {} {code}.", answer.status))
}

impl<T: Transport> Door for OverHttp<T> {
    type Open = Waits;

    async fn fresh(&self) -> Result<(), Trouble> {
        let answer =
            self.transport.carry(&Credential::Page, &Request::post(Who::Page, "/api/reset", "{}")).await?;
        if answer.status == 200 { Ok(()) } else { Err(refused("a fresh sandbox", &answer)) }
    }

    fn cannot_approve(&self) -> Option<String> {
        self.transport.cannot_approve()
    }

    fn variants(&self) -> usize {
        self.variants
    }

    async fn send(&self, request: Request) -> Result<Answer, Trouble> {
        let credential = match &request.who {
            Who::Agent(ticket) => Credential::Token(self.token(ticket).await?),
            Who::Page => Credential::Page,
            Who::Approver => Credential::Approver,
            Who::Anonymous => Credential::None,
        };
        self.transport.carry(&credential, &request).await
    }

    async fn tools(&self, ticket: &str) -> Result<Vec<String>, Trouble> {
        let path = format!("/api/policy?ticket={ticket}");
        let answer = self.send(Request::get(Who::Agent(ticket.to_owned()), path)).await?;
        let tools = answer.json().get("tools").cloned().unwrap_or(Value::Null);
        serde_json::from_value(tools).map_err(|_| refused("a list of tools", &answer))
    }

    async fn call(&self, ticket: &str, tool: &str, input: Value) -> Result<Called<Waits>, Trouble> {
        door::call_by_route(self, ticket, tool, input).await
    }

    async fn settle(&self, open: Waits) -> Result<Value, Trouble> {
        door::settle_by_route(self, open).await
    }
}

impl Method {
    /// The word of it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Post => "POST",
        }
    }
}
