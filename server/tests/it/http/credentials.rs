//! What each credential may do, and what it may not.

use serde_json::{Value, json};

use super::client::{CONSOLE, Desk};

#[tokio::test]
async fn an_agent_works_on_its_own_ticket_only() {
    let desk = Desk::start().await;
    let page = desk.page().await;
    let agent = page.agent("T-101").await;
    for path in ["/api/tickets/T-102", "/api/policy?ticket=T-102", "/api/policy/explain?ticket=T-102"] {
        let refused = agent.get(path).await;
        assert_eq!(refused.refusal(), (403, "NOT_SUBJECT".to_owned()), "{path}");
        assert_eq!(refused.json()["address"], "/t/T-102");
    }
    let stage = agent.post("/api/refund/stage", r#"{"ticket_id":"T-102","amount":1}"#).await;
    assert_eq!(stage.refusal(), (403, "NOT_SUBJECT".to_owned()));
    let triage = agent.post("/api/tickets/T-102/triage", r#"{"category":"other"}"#).await;
    assert_eq!(triage.refusal(), (403, "NOT_SUBJECT".to_owned()));
    assert_eq!(agent.get("/api/tickets").await.status.as_u16(), 200);
}

/// Every route of the document, tried with an agent token: none of them gives a nonce, decides, or manages the sandbox.
#[tokio::test]
async fn an_agent_token_does_nothing_that_people_do() {
    let desk = Desk::start().await;
    let page = desk.page().await;
    let agent = page.agent("T-101").await;
    agent.post("/api/tickets/T-101/triage", r#"{"category":"other"}"#).await;
    let staged = agent.post("/api/refund/stage", r#"{"ticket_id":"T-101","amount":89}"#).await.json();
    let refund = staged["refund_id"].as_str().unwrap();
    let digest = page.get("/api/approvals").await.json()["approvals"][0]["digest"].clone();

    let document = desk.anonymous().get("/openapi.json").await.json();
    let mut people = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        let is_refund = path.contains("refund") || path.contains("approvals");
        let address = path.replace("{id}", if is_refund { refund } else { "T-101" });
        for method in methods.as_object().unwrap().keys().filter(|key| *key != "parameters") {
            if address == "/api/events" {
                continue;
            }
            let body = json!({
                "digest": digest, "nonce": "x", "approved": true, "ticket_id": "T-101", "amount": "1.00",
                "subject": "s", "customer": "c", "message": "m", "category": "other", "reason": "r",
            });
            let fields = fields(&document, path, method);
            let body: Value = body
                .as_object()
                .unwrap()
                .iter()
                .filter(|(key, _)| fields.contains(key))
                .map(|(k, v)| (k.clone(), v.clone()))
                .collect();
            let method = http::Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            let answer = agent.send(method.clone(), &address, Some(&body.to_string())).await;
            assert!(!answer.text().contains("nonce\":"), "{method} {path}: {}", answer.text());
            if answer.status.as_u16() == 403 {
                people.push(format!("{method} {path}"));
            }
        }
    }
    people.sort();
    insta::assert_debug_snapshot!(people, @r#"
    [
        "GET /api/approvals",
        "GET /api/record",
        "POST /api/agents",
        "POST /api/approvals/{id}/amount",
        "POST /api/approvals/{id}/open",
        "POST /api/refund/decide",
        "POST /api/reset",
        "POST /api/resume",
        "POST /api/stop",
        "POST /api/tickets",
        "POST /api/tickets/{id}/reopen",
        "POST /api/tickets/{id}/resolve",
    ]
    "#);
    let standing = page.get(&format!("/api/refund/{refund}")).await.json();
    assert_ne!(standing["state"], "paid");
}

fn fields(document: &Value, path: &str, method: &str) -> Vec<String> {
    let body =
        &document["paths"][path][method]["requestBody"]["content"]["application/json"]["schema"]["$ref"];
    let name = body.as_str().and_then(|text| text.rsplit('/').next()).unwrap_or_default();
    let properties = document["components"]["schemas"][name]["properties"].as_object();
    properties.map(|properties| properties.keys().cloned().collect()).unwrap_or_default()
}

#[tokio::test]
async fn nothing_staged_without_a_credential_is_ever_paid() {
    let desk = Desk::start().await;
    let anonymous = desk.anonymous();
    anonymous.post("/api/tickets/T-101/triage", r#"{"category":"other"}"#).await;
    let staged = anonymous.post("/api/refund/stage", r#"{"ticket_id":"T-101","amount":89}"#).await;
    assert_eq!(staged.status.as_u16(), 201, "{}", staged.text());
    let id = staged.json()["refund_id"].as_str().unwrap().to_owned();
    assert_eq!(anonymous.get("/api/approvals").await.refusal(), (403, "FORBIDDEN".to_owned()));
    let page = desk.page().await;
    assert_eq!(page.get("/api/approvals").await.json()["approvals"], json!([]));
    let opened = page.post(&format!("/api/approvals/{id}/open"), r#"{"digest":"x"}"#).await;
    assert_eq!(opened.refusal(), (404, "NOT_FOUND".to_owned()));
}

#[tokio::test]
async fn one_sandbox_does_not_see_another() {
    let desk = Desk::start().await;
    let (one, two) = (desk.page().await, desk.page().await);
    let agent = one.agent("T-101").await;
    agent.post("/api/tickets/T-101/triage", r#"{"category":"other"}"#).await;
    let staged = agent.post("/api/refund/stage", r#"{"ticket_id":"T-101","amount":89}"#).await.json();
    let id = staged["refund_id"].as_str().unwrap();
    assert_eq!(two.get("/api/policy?ticket=T-101").await.json()["state"], "new");
    assert_eq!(two.get(&format!("/api/refund/{id}")).await.refusal(), (404, "NOT_FOUND".to_owned()));
    let other = two.agent("T-101").await;
    assert_eq!(other.post(&format!("/api/refund/{id}/withdraw"), "").await.refusal().0, 404);
    two.post("/api/reset", "").await;
    assert_eq!(agent.get(&format!("/api/refund/{id}")).await.json()["state"], "held");
}

#[tokio::test]
async fn a_changing_request_with_a_cookie_comes_from_our_own_page() {
    let desk = Desk::start().await;
    let page = desk.page().await;
    for other in ["http://evil.example", CONSOLE, "null"] {
        let refused = page.sent_from(other).post("/api/reset", "").await;
        assert_eq!(refused.refusal(), (403, "CROSS_ORIGIN".to_owned()), "{other}");
    }
    assert_eq!(page.without_origin().post("/api/reset", "").await.refusal().1, "CROSS_ORIGIN");
    assert_eq!(page.post("/api/reset", "").await.status.as_u16(), 200);
}

#[tokio::test]
async fn a_host_name_that_is_not_ours_reaches_nothing() {
    let desk = Desk::start().await;
    let refused = desk.anonymous().at_host("evil.example").get("/api/tickets").await;
    assert_eq!(refused.refusal(), (421, "UNKNOWN_HOST".to_owned()));
}

#[tokio::test]
async fn a_made_up_cookie_or_token_is_nobody() {
    let desk = Desk::start().await;
    let token = desk.anonymous().with_token("qa_x.y").get("/api/tickets").await;
    assert_eq!(token.refusal(), (401, "BAD_TOKEN".to_owned()));
    let cookie = desk.anonymous().with_cookie("quarantine=made-up").post("/api/reset", "").await;
    assert_eq!(cookie.refusal(), (403, "FORBIDDEN".to_owned()));
    let page = desk.page().await;
    let agent = page.agent("T-101").await;
    desk.pass(86_401);
    assert_eq!(agent.get("/api/tickets").await.refusal(), (401, "BAD_TOKEN".to_owned()));
}

#[tokio::test]
async fn a_person_does_not_stage_and_a_page_decides_only_in_page() {
    let desk = Desk::start_with(policy::Strength::Console, None).await;
    let page = desk.page().await;
    let refused = page.get("/api/approvals").await;
    assert_eq!(refused.refusal(), (403, "NOT_STRONG_ENOUGH".to_owned()));
    let staged = page.post("/api/refund/stage", r#"{"ticket_id":"T-101","amount":1}"#).await;
    assert_eq!(staged.refusal(), (403, "FORBIDDEN".to_owned()));
}
