//! The proof's cases through the whole router, and the sandbox that the proof's page has.

use desk::Millis;
use http::{Method, StatusCode};
use policy::Strength;
use proof::door::{self, Request, Trouble};
use proof::over_http::{Credential, OverHttp, Transport};
use proof::report::Totals;
use proof::{case, run};
use serde_json::json;

use super::client::{Client, Desk};
use super::console::signed_in;

/// Few: each is several requests, and the server is the same for all.
const VARIANTS: usize = 20;

struct Router<'a> {
    page: Client<'a>,
    approver: Option<Client<'a>>,
    anonymous: Client<'a>,
}

impl Transport for Router<'_> {
    async fn carry(&self, credential: &Credential, request: &Request) -> Result<door::Answer, Trouble> {
        let client = match credential {
            Credential::Token(token) => self.anonymous.with_token(token),
            Credential::Page => self.page.clone(),
            Credential::Approver => self.approver.clone().unwrap(),
            Credential::None => self.anonymous.clone(),
        };
        let method: Method = request.method.as_str().parse().unwrap();
        let body = request.body.as_deref().unwrap_or_default();
        let answer = client.send_with(method, &request.path, &request.headers, body).await;
        Ok(door::Answer { status: answer.status.as_u16(), body: answer.text().to_owned() })
    }

    fn cannot_approve(&self) -> Option<String> {
        self.approver.is_none().then(|| "nobody approves".to_owned())
    }
}

async fn passes(page: Client<'_>, approver: Option<Client<'_>>, anonymous: Client<'_>) -> Totals {
    let cases = case::all().unwrap();
    let door = OverHttp::new(Router { page, approver, anonymous }, VARIANTS);
    let report = run::all(&door, &cases, |_| {}).await;
    let failed: Vec<_> = report.checks.iter().filter(|check| check.failed()).collect();
    assert!(failed.is_empty(), "{failed:#?}");
    let totals = report.totals();
    assert_eq!(totals.passed + totals.not_run, cases.len());
    totals
}

#[tokio::test]
async fn every_case_passes_where_a_person_at_the_page_approves() {
    let desk = Desk::start().await;
    let page = desk.page().await;
    let totals = passes(page.clone(), Some(page), desk.anonymous()).await;
    assert_eq!((totals.failed, totals.not_run), (0, 0));
}

#[tokio::test]
async fn every_case_passes_where_approvals_are_given_on_the_console() {
    let desk = Desk::start_with(Strength::Console, None).await;
    let (page, console) = (desk.page().await, signed_in(&desk).await);
    let totals = passes(page, Some(console), desk.anonymous()).await;
    assert_eq!((totals.failed, totals.not_run), (0, 0));
}

#[tokio::test]
async fn without_an_approver_the_others_pass_and_the_rest_is_not_run() {
    let desk = Desk::start_with(Strength::Console, None).await;
    let totals = passes(desk.page().await, None, desk.anonymous()).await;
    assert!(totals.passed > 20 && totals.not_run > 20, "{totals:?}");
}

#[tokio::test]
async fn an_order_stays_as_old_as_it_is_told_for_a_ticket_that_comes_a_week_later() {
    let desk = Desk::start().await;
    let page = desk.page().await;
    page.post("/api/reset", "{}").await;
    desk.pass(7 * 86_400);
    let message =
        json!({"subject": "Late", "customer": "Helena", "message": "Please.", "order_id": "A-4412"});
    let composed = page.post("/api/tickets", &message.to_string()).await.json();
    let ticket = composed["ticket_id"].as_str().unwrap();
    let permit = page.get(&format!("/api/policy?ticket={ticket}")).await.json();
    assert_eq!(permit["refund"]["reason"], "Order is 91 days old; the refund window is 30 days.");
    let read = page.get(&format!("/api/tickets/{ticket}")).await.json();
    let written = read["untrusted"]["messages"][0]["at"].as_str().unwrap();
    assert_eq!(written, server::clock::rfc3339(desk.app.now()));
    assert_ne!(desk.app.now(), Millis::default());
}

/// What the proof's page has, as a client of its own.
async fn proof_page<'a>(page: &Client<'a>, anonymous: &Client<'a>) -> Client<'a> {
    let made = page.post("/api/proof", "{}").await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text());
    anonymous.with_token(made.json()["page"].as_str().unwrap())
}

#[tokio::test]
async fn the_proof_has_a_sandbox_of_its_own() {
    let desk = Desk::start().await;
    let (page, anonymous) = (desk.page().await, desk.anonymous());
    let proof = proof_page(&page, &anonymous).await;
    let triage = r#"{"category":"other"}"#;
    assert_eq!(proof.post("/api/tickets/T-101/triage", triage).await.status, StatusCode::OK);
    assert_eq!(proof.get("/api/tickets/T-101").await.json()["state"], "triaged");
    assert_eq!(page.get("/api/tickets/T-101").await.json()["state"], "new");
    let totals = passes(proof.clone(), Some(proof), anonymous).await;
    assert_eq!((totals.failed, totals.not_run), (0, 0));
    assert_eq!(page.get("/api/tickets/T-101").await.json()["state"], "new");
}

#[tokio::test]
async fn only_a_person_at_a_page_gets_a_sandbox_for_the_proof() {
    let desk = Desk::start().await;
    let page = desk.page().await;
    let refused = Some((403, "FORBIDDEN".to_owned()));
    assert_eq!(Some(desk.anonymous().post("/api/proof", "{}").await.refusal()), refused);
    assert_eq!(Some(page.agent("T-101").await.post("/api/proof", "{}").await.refusal()), refused);
    let elsewhere = page.sent_from("http://evil.example").post("/api/proof", "{}").await.refusal();
    assert_eq!(elsewhere, (403, "CROSS_ORIGIN".to_owned()));
}

#[tokio::test]
async fn what_the_proofs_page_has_approves_nothing_where_the_console_does() {
    let desk = Desk::start_with(Strength::Console, None).await;
    let (page, anonymous) = (desk.page().await, desk.anonymous());
    let proof = proof_page(&page, &anonymous).await;
    assert_eq!(proof.get("/api/approvals").await.refusal(), (403, "NOT_STRONG_ENOUGH".to_owned()));
    let decide = r#"{"nonce":"i-guessed-this","approved":true}"#;
    assert_eq!(proof.post("/api/refund/decide", decide).await.status, StatusCode::FORBIDDEN);
    let at_console = proof.at_host(super::console::HOST);
    assert_eq!(at_console.get("/api/approvals").await.refusal(), (403, "FORBIDDEN".to_owned()));
}
