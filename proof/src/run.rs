//! Runs cases through a door.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::case::{As, Case, Do, Step};
use crate::door::{Called, Door, Request, Trouble, Who};
use crate::expect::{self, Compared, Got};
use crate::report::{Checked, Line, Report, Verdict};
use crate::strangers;

/// Runs every case. `seen` is told of each as it ends.
pub async fn all<D: Door>(door: &D, cases: &[Case], mut seen: impl FnMut(&Checked)) -> Report {
    let mut report = Report::default();
    for case in cases {
        let checked = one(door, case).await;
        seen(&checked);
        report.checks.push(checked);
    }
    report
}

/// Runs one case on a fresh desk.
pub async fn one<D: Door>(door: &D, case: &Case) -> Checked {
    let mut checked = Checked {
        id: case.id.clone(),
        group: case.group.as_str(),
        ticket: case.ticket.clone(),
        why: case.why.clone(),
        verdict: Verdict::Passed,
        lines: Vec::new(),
        variants: 0,
    };
    if let Some(because) = door.cannot_approve().filter(|_| case.needs_approver()) {
        checked.verdict = Verdict::NotRun { because };
        return checked;
    }
    let mut session = Session { door, case, kept: BTreeMap::new(), told: Vec::new(), open: None };
    if let Err(Trouble(because)) = door.fresh().await {
        checked.verdict = Verdict::NotRun { because };
        return checked;
    }
    for step in &case.steps {
        match session.step(step).await {
            Ok((line, variants)) => {
                checked.variants += variants;
                let ok = line.ok;
                checked.lines.push(line);
                if !ok {
                    checked.verdict = Verdict::Failed;
                    break;
                }
            }
            Err(Trouble(because)) => {
                checked.verdict = Verdict::NotRun { because };
                break;
            }
        }
    }
    checked
}

/// A case on its way.
pub(crate) struct Session<'a, D: Door> {
    pub(crate) door: &'a D,
    case: &'a Case,
    kept: BTreeMap<String, String>,
    /// All that the agent's side received.
    pub(crate) told: Vec<String>,
    open: Option<D::Open>,
}

impl<D: Door> Session<'_, D> {
    async fn step(&mut self, step: &Step) -> Result<(Line, usize), Trouble> {
        let ticket = self.fill(step.ticket.as_deref().unwrap_or(&self.case.ticket));
        let mut variants = 0;
        let (did, got) = match step.act {
            Do::Tools => self.tools(&ticket).await?,
            Do::Call => self.call(step, &ticket).await?,
            Do::Settle => self.settle().await?,
            Do::Send => self.send(step, &ticket).await?,
            Do::Triage => self.triage(step, &ticket).await?,
            Do::Stage => self.stage(step, &ticket).await?,
            Do::Hold => {
                self.triage(step, &ticket).await?;
                let (did, got) = self.stage(step, &ticket).await?;
                let compared = held(&got);
                return Ok((line(did, compared), 0));
            }
            Do::Standing => {
                let path = self.fill("/api/refund/$refund");
                let got = self.ask(Request::get(Who::Agent(ticket), path)).await?;
                (String::from("asks how the refund stands"), got)
            }
            Do::Open => self.open_card().await?,
            Do::Decide => self.decide(step).await?,
            Do::Approve | Do::Reject => {
                let (did, opened) = self.open_card().await?;
                if opened.status != Some(200) {
                    return Ok((line(did, opened_only(&opened)), 0));
                }
                self.decide(step).await?
            }
            Do::Compose => self.compose(step).await?,
            Do::Forget => {
                self.told.clear();
                let done = Compared { expected: String::new(), got: String::new(), ok: true };
                return Ok((line(String::from("listens from here on"), done), 0));
            }
            Do::NeverTold => {
                let text = self.fill(step.text.as_deref().unwrap_or_default());
                return Ok((
                    line(String::from("looks through all the agent was told"), self.never(&text)),
                    0,
                ));
            }
            Do::Replay => {
                let (did, compared, tried) = strangers::replay(self).await?;
                return Ok((line(format!("{did} ({tried})"), compared), 0));
            }
            Do::Mutate | Do::MutateHeaders | Do::MutateTriage => {
                let (did, compared, tried) = strangers::mutate(self.door, step, &ticket).await?;
                variants += tried;
                return Ok((line(did, compared), variants));
            }
        };
        let compared = expect::compare(step, &got, |text| self.fill(text));
        for (name, path) in &step.keep {
            if let Some(text) = expect::at(&got.json, path).as_str() {
                self.kept.insert(name.clone(), text.to_owned());
            }
        }
        Ok((line(did, compared), variants))
    }

    /// The text with each `$name` replaced by what was kept under it.
    fn fill(&self, text: &str) -> String {
        let mut filled = text.to_owned();
        // Longer names first: `$digest_of_89` is not `$digest` and a rest.
        for (name, value) in self.kept.iter().rev() {
            filled = filled.replace(&format!("${name}"), value);
        }
        filled
    }

    fn keep(&mut self, name: &str, value: &Value) {
        if let Some(text) = value.as_str() {
            self.kept.insert(name.to_owned(), text.to_owned());
        }
    }

    fn kept(&self, name: &str) -> String {
        self.kept.get(name).cloned().unwrap_or_default()
    }

    fn hear(&mut self, who: &Who, text: &str) {
        // A nameless caller is an agent as well.
        if matches!(who, Who::Agent(_) | Who::Anonymous) {
            self.told.push(text.to_owned());
        }
    }

    /// The ticket of the agent whose case this is.
    pub(crate) fn ticket(&self) -> &str {
        &self.case.ticket
    }

    async fn ask(&mut self, request: Request) -> Result<Got, Trouble> {
        let who = request.who.clone();
        let answer = self.door.send(request).await?;
        self.hear(&who, &answer.body);
        let json = answer.json();
        Ok(Got { status: Some(answer.status), text: answer.body, json, open: false })
    }

    fn input(&self, step: &Step) -> Map<String, Value> {
        let fill = |value: &toml::Value| match expect::json(value) {
            Value::String(text) => Value::String(self.fill(&text)),
            value => value,
        };
        step.input.iter().map(|(name, value)| (name.clone(), fill(value))).collect()
    }

    async fn tools(&mut self, ticket: &str) -> Result<(String, Got), Trouble> {
        let names = self.door.tools(ticket).await?;
        let json = json!(names);
        let got = Got { text: json.to_string(), json, ..Got::default() };
        Ok((format!("lists the tools of {ticket}"), got))
    }

    async fn call(&mut self, step: &Step, ticket: &str) -> Result<(String, Got), Trouble> {
        let tool = step.tool.clone().unwrap_or_default();
        let mut input = self.input(step);
        let takes_ticket = tool != "list_tickets";
        if takes_ticket && !input.contains_key("ticket_id") {
            input.insert(String::from("ticket_id"), json!(ticket));
        }
        let did = format!("calls {tool}");
        let got = match self.door.call(ticket, &tool, Value::Object(input)).await? {
            Called::Answered(json) => Got { text: json.to_string(), json, ..Got::default() },
            Called::Open { refund, told, open } => {
                self.kept.insert(String::from("refund"), refund.clone());
                self.open = Some(open);
                self.told.push(told);
                let json = json!({"refund_id": refund});
                return Ok((did, Got { json, open: true, ..Got::default() }));
            }
        };
        self.told.push(got.text.clone());
        Ok((did, got))
    }

    async fn settle(&mut self) -> Result<(String, Got), Trouble> {
        let did = String::from("the open call returns");
        let Some(open) = self.open.take() else {
            return Ok((did, Got { text: String::from("no call is open"), ..Got::default() }));
        };
        let json = self.door.settle(open).await?;
        let got = Got { text: json.to_string(), json, ..Got::default() };
        self.told.push(got.text.clone());
        Ok((did, got))
    }

    async fn send(&mut self, step: &Step, ticket: &str) -> Result<(String, Got), Trouble> {
        let who = who(step.by, ticket);
        let mut request = match (&step.get, &step.post) {
            (Some(path), _) => Request::get(who, self.fill(path)),
            (None, path) => {
                let path = self.fill(path.as_deref().unwrap_or_default());
                let body = match &step.raw {
                    Some(raw) => raw.clone(),
                    None => Value::Object(self.input(step)).to_string(),
                };
                Request::post(who, path, body)
            }
        };
        request.headers = step.headers.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        let verb = if step.get.is_some() { "GET" } else { "POST" };
        let did = format!("{}: {verb} {}", speaker(step.by), request.path);
        let got = self.ask(request).await?;
        if got.json.get("refund_id").is_some() && verb == "POST" {
            self.keep("refund", expect::at(&got.json, "refund_id"));
        }
        Ok((did, got))
    }

    async fn triage(&mut self, step: &Step, ticket: &str) -> Result<(String, Got), Trouble> {
        let mut body = if step.act == Do::Triage { self.input(step) } else { Map::new() };
        body.entry("category").or_insert_with(|| json!("refund_request"));
        let path = format!("/api/tickets/{ticket}/triage");
        let request = Request::post(Who::Agent(ticket.to_owned()), path, Value::Object(body).to_string());
        let got = self.ask(request).await?;
        Ok((format!("sorts {ticket}"), got))
    }

    async fn stage(&mut self, step: &Step, ticket: &str) -> Result<(String, Got), Trouble> {
        let mut body = self.input(step);
        body.insert(String::from("ticket_id"), json!(ticket));
        let amount = step.amount.clone().unwrap_or_default();
        body.insert(String::from("amount"), json!(amount));
        let who = Who::Agent(ticket.to_owned());
        let got = self.ask(Request::post(who, "/api/refund/stage", Value::Object(body).to_string())).await?;
        self.keep("refund", expect::at(&got.json, "refund_id"));
        Ok((format!("{ticket} asks for {amount}"), got))
    }

    /// Opens the newest refund as its approver: the card, its digest, a nonce.
    async fn open_card(&mut self) -> Result<(String, Got), Trouble> {
        let did = String::from("the approver opens the refund");
        let refund = self.kept("refund");
        let cards = self.ask(Request::get(Who::Approver, "/api/approvals")).await?;
        let card = match expect::at(&cards.json, "approvals") {
            Value::Array(list) => {
                list.iter().find(|card| expect::at(card, "refund_id") == &Value::String(refund.clone()))
            }
            _ => None,
        };
        let Some(card) = card else {
            let text = String::from("the refund is not among those that wait for an approval");
            return Ok((did, Got { text, ..Got::default() }));
        };
        let digest = expect::at(card, "digest").clone();
        self.keep("digest", &digest);
        let path = format!("/api/approvals/{refund}/open");
        let mut got =
            self.ask(Request::post(Who::Approver, path, json!({"digest": digest}).to_string())).await?;
        self.keep("nonce", expect::at(&got.json, "nonce"));
        if let Value::Object(opened) = &mut got.json {
            opened.insert(String::from("digest"), digest);
        }
        Ok((did, got))
    }

    async fn decide(&mut self, step: &Step) -> Result<(String, Got), Trouble> {
        let mut body = self.input(step);
        let approved = match step.act {
            Do::Approve => true,
            Do::Reject => false,
            _ => body.get("approved").and_then(Value::as_bool).unwrap_or(false),
        };
        body.insert(String::from("approved"), json!(approved));
        for name in ["nonce", "digest"] {
            if !body.contains_key(name) {
                body.insert(String::from(name), json!(self.kept(name)));
            }
        }
        let path = "/api/refund/decide";
        let got = self.ask(Request::post(Who::Approver, path, Value::Object(body).to_string())).await?;
        Ok((String::from(if approved { "the approver says yes" } else { "the approver says no" }), got))
    }

    async fn compose(&mut self, step: &Step) -> Result<(String, Got), Trouble> {
        let body = Value::Object(self.input(step)).to_string();
        let got = self.ask(Request::post(Who::Page, "/api/tickets", body)).await?;
        self.keep("composed", expect::at(&got.json, "ticket_id"));
        Ok((String::from("a customer writes"), got))
    }

    fn never(&self, text: &str) -> Compared {
        let told = !text.is_empty() && self.told.iter().any(|one| one.contains(text));
        let bytes: usize = self.told.iter().map(String::len).sum();
        Compared {
            expected: format!("not one of the {bytes} bytes tells it"),
            got: String::from(if told || text.is_empty() { "it was told" } else { "it was not told" }),
            ok: !told && !text.is_empty(),
        }
    }
}

fn who(by: As, ticket: &str) -> Who {
    match by {
        As::Agent => Who::Agent(ticket.to_owned()),
        As::Page => Who::Page,
        As::Approver => Who::Approver,
        As::Anonymous => Who::Anonymous,
    }
}

fn speaker(by: As) -> &'static str {
    match by {
        As::Agent => "agent",
        As::Page => "person",
        As::Approver => "approver",
        As::Anonymous => "nobody",
    }
}

fn held(got: &Got) -> Compared {
    let state = expect::at(&got.json, "state").as_str().unwrap_or_default();
    Compared {
        expected: String::from("201; state: held"),
        got: format!("{}; state: {state} {}", got.status.unwrap_or_default(), got.text),
        ok: got.status == Some(201) && state == "held",
    }
}

fn opened_only(got: &Got) -> Compared {
    let status = got.status.map_or_else(String::new, |status| format!("{status} "));
    Compared { expected: String::from("200"), got: format!("{status}{}", got.text), ok: false }
}

fn line(did: String, compared: Compared) -> Line {
    Line { did, expected: compared.expected, got: compared.got, ok: compared.ok }
}
