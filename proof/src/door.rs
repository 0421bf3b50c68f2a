//! What a case is run through.

use std::future::Future;

use serde_json::Value;

/// Who sends a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Who {
    /// An agent's session about this ticket.
    Agent(String),
    /// The person at the desk's page.
    Page,
    /// A person who may approve.
    Approver,
    /// A caller without any credential.
    Anonymous,
}

/// `GET` or `POST`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Reads.
    Get,
    /// Changes.
    Post,
}

/// One request of the HTTP contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Whose credential goes with it.
    pub who: Who,
    /// What it does.
    pub method: Method,
    /// Path and query.
    pub path: String,
    /// More headers, beside the credential's.
    pub headers: Vec<(String, String)>,
    /// The JSON text of a `POST`.
    pub body: Option<String>,
}

impl Request {
    /// A `GET`.
    pub fn get(who: Who, path: impl Into<String>) -> Request {
        Request { who, method: Method::Get, path: path.into(), headers: Vec::new(), body: None }
    }

    /// A `POST` of a JSON text.
    pub fn post(who: Who, path: impl Into<String>, body: impl Into<String>) -> Request {
        Request { who, method: Method::Post, path: path.into(), headers: Vec::new(), body: Some(body.into()) }
    }
}

/// What came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The body as it came.
    pub body: String,
}

impl Answer {
    /// The body as JSON; null if it is none.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or(Value::Null)
    }
}

/// The desk gave no answer to judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble(
    /// One sentence for a person.
    pub String,
);

/// What calling a tool comes to.
#[derive(Clone, Debug, PartialEq)]
pub enum Called<Open> {
    /// Its answer.
    Answered(Value),
    /// The call is open: a refund is held.
    Open {
        /// The refund.
        refund: String,
        /// All that the caller's side has received so far.
        told: String,
        /// To be handed to [`Door::settle`].
        open: Open,
    },
}

/// A desk that cases can be run through.
pub trait Door {
    /// A tool call that has not been answered yet.
    type Open;

    /// Starts anew: the eight tickets as they are told. Tickets and refunds from before are gone.
    fn fresh(&self) -> impl Future<Output = Result<(), Trouble>>;

    /// Why nobody can approve through this door; none if somebody can.
    fn cannot_approve(&self) -> Option<String>;

    /// How many texts of strangers a step of that kind tries.
    fn variants(&self) -> usize;

    /// Sends a request as somebody.
    fn send(&self, request: Request) -> impl Future<Output = Result<Answer, Trouble>>;

    /// The names of the tools that the agent of this ticket holds now.
    fn tools(&self, ticket: &str) -> impl Future<Output = Result<Vec<String>, Trouble>>;

    /// Calls a tool as the agent of this ticket. One that it does not hold answers `NO_SUCH_TOOL`.
    fn call(
        &self,
        ticket: &str,
        tool: &str,
        input: Value,
    ) -> impl Future<Output = Result<Called<Self::Open>, Trouble>>;

    /// Waits for the answer of an open call.
    fn settle(&self, open: Self::Open) -> impl Future<Output = Result<Value, Trouble>>;
}

/// A refund that a program without a browser waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waits {
    /// The ticket of the session.
    pub ticket: String,
    /// The refund.
    pub refund: String,
}

/// What a call of a tool that is not there answers.
pub fn no_such_tool() -> Value {
    serde_json::json!({"error": "NO_SUCH_TOOL", "reason": "This session holds no tool of that name."})
}

/// Calls a tool by the route behind it: how a door without a tool list of its own does it.
///
/// # Errors
/// The door's own.
pub async fn call_by_route<D: Door>(
    door: &D,
    ticket: &str,
    tool: &str,
    input: Value,
) -> Result<Called<Waits>, Trouble> {
    if !door.tools(ticket).await?.iter().any(|held| held == tool) {
        return Ok(Called::Answered(no_such_tool()));
    }
    let Some(known) = wire::catalogue::tools().into_iter().find(|known| known.name == tool) else {
        return Ok(Called::Answered(no_such_tool()));
    };
    let path = fill(known.endpoint.url, &input);
    let who = Who::Agent(ticket.to_owned());
    let answer = match known.endpoint.method {
        "GET" => door.send(Request::get(who, path)).await?,
        _ => door.send(Request::post(who, path, input.to_string())).await?,
    };
    let json = answer.json();
    let refund = json.get("refund_id").and_then(Value::as_str);
    match (known.hold, refund) {
        (Some(_), Some(refund)) if answer.status < 300 => match json.get("outcome") {
            Some(outcome) if !outcome.is_null() => Ok(Called::Answered(outcome.clone())),
            _ => {
                let refund = refund.to_owned();
                let open = Waits { ticket: ticket.to_owned(), refund: refund.clone() };
                Ok(Called::Open { refund, told: answer.body, open })
            }
        },
        _ => Ok(Called::Answered(json)),
    }
}

/// Asks for the outcome of a refund by its route.
///
/// # Errors
/// The door's own, and if there is no outcome after ten seconds.
pub async fn settle_by_route<D: Door>(door: &D, open: Waits) -> Result<Value, Trouble> {
    let path = format!("/api/refund/{}?wait=10", open.refund);
    let answer = door.send(Request::get(Who::Agent(open.ticket), path)).await?;
    Ok(answer.json().get("outcome").cloned().unwrap_or(Value::Null))
}

/// An address with each `{name}` filled in from the input.
fn fill(address: &str, input: &Value) -> String {
    let mut filled = String::new();
    let mut rest = address;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let Some((name, left)) = after.split_once('}') else { break };
        filled.push_str(input.get(name).and_then(Value::as_str).unwrap_or_default());
        rest = left;
    }
    filled.push_str(rest);
    filled
}
