//! A refund from asking to paying, and each other way it can end.

use serde_json::{Value, json};

use super::client::{Client, Desk};

const TRIAGE: &str = r#"{"category":"refund_request"}"#;

async fn triaged<'a>(page: &Client<'a>, ticket: &str) -> Client<'a> {
    let agent = page.agent(ticket).await;
    let answer = agent.post(&format!("/api/tickets/{ticket}/triage"), TRIAGE).await;
    assert_eq!(answer.status.as_u16(), 200, "{}", answer.text());
    agent
}

async fn stage(agent: &Client<'_>, ticket: &str, amount: Value) -> Value {
    let body = json!({"ticket_id": ticket, "amount": amount, "justification": "Wrong size."});
    let answer = agent.post("/api/refund/stage", &body.to_string()).await;
    assert_eq!(answer.status.as_u16(), 201, "{}", answer.text());
    answer.json()
}

async fn card(page: &Client<'_>) -> Value {
    page.get("/api/approvals").await.json()["approvals"][0].clone()
}

async fn press(page: &Client<'_>, card: &Value, more: Value) -> super::client::Answer {
    let id = card["refund_id"].as_str().unwrap();
    let opened =
        page.post(&format!("/api/approvals/{id}/open"), &json!({"digest": card["digest"]}).to_string()).await;
    assert_eq!(opened.status.as_u16(), 200, "{}", opened.text());
    let mut body = json!({"nonce": opened.json()["nonce"], "approved": true, "digest": card["digest"]});
    for (key, value) in more.as_object().unwrap() {
        body[key] = value.clone();
    }
    page.post("/api/refund/decide", &body.to_string()).await
}

#[tokio::test]
async fn t_101_is_refunded_once_a_person_approves() {
    let desk = Desk::start().await;
    let page = desk.page().await;
    let agent = triaged(&page, "T-101").await;
    let permit = agent.get("/api/policy?ticket=T-101").await.json();
    assert_eq!(permit["tools"].as_array().unwrap().len(), 6);
    assert_eq!(
        (permit["refund"]["code"].as_str(), permit["refund"]["remaining"].as_str()),
        (Some("ELIGIBLE"), Some("89.00"))
    );

    let staged = stage(&agent, "T-101", json!(89)).await;
    let id = staged["refund_id"].as_str().unwrap().to_owned();
    assert_eq!(staged["state"], "held");

    let path = format!("/api/refund/{id}?wait=30");
    let (waited, decided) = tokio::join!(agent.get(&path), async {
        let card = card(&page).await;
        assert_eq!(card["amount"], "89.00");
        assert_eq!(card["untrusted"]["agent_words"], json!(["Wrong size."]));
        press(&page, &card, json!({})).await
    });
    assert_eq!(decided.status.as_u16(), 200, "{}", decided.text());
    let outcome = &waited.json()["outcome"];
    assert_eq!(outcome["outcome"], "refunded");
    let reference = outcome["reference"].as_str().unwrap();
    assert_eq!((reference.len(), &reference[..3]), (9, "RF-"));
    assert_eq!(outcome["approved_by"], "person");
    assert!(!outcome["tools"].as_array().unwrap().contains(&json!("issue_refund")));
}

#[tokio::test]
async fn a_rejection_returns_the_note_and_takes_the_tool_away() {
    let desk = Desk::start().await;
    let page = desk.page().await;
    let agent = triaged(&page, "T-101").await;
    let staged = stage(&agent, "T-101", json!("89.00")).await;
    let card = card(&page).await;
    let more = json!({"approved": false, "note_to_customer": "Please send it back first.", "note_internal": "Third time."});
    assert_eq!(press(&page, &card, more).await.json()["state"], "rejected");

    let answer = agent.get(&format!("/api/refund/{}", staged["refund_id"].as_str().unwrap())).await;
    let outcome = &answer.json()["outcome"];
    assert_eq!(
        (outcome["outcome"].as_str(), outcome["note"].as_str()),
        (Some("rejected"), Some("Please send it back first."))
    );
    assert!(!answer.text().contains("Third time."));

    let cheaper = agent.post("/api/refund/stage", r#"{"ticket_id":"T-101","amount":88.99}"#).await;
    assert_eq!(cheaper.refusal(), (409, "REJECTED".to_owned()));
    let again = agent.post("/api/refund/stage", r#"{"ticket_id":"T-101","amount":89}"#).await.json();
    assert_eq!(
        (again["outcome"]["outcome"].as_str(), again["outcome"]["repeated"].as_bool()),
        (Some("rejected"), Some(true))
    );

    assert_eq!(page.post("/api/tickets/T-101/reopen", "{}").await.status.as_u16(), 200);
    stage(&agent, "T-101", json!(88.99)).await;
}

#[tokio::test]
async fn taking_it_back_ends_it_and_the_next_call_stages_anew() {
    let desk = Desk::start().await;
    let page = desk.page().await;
    let agent = triaged(&page, "T-101").await;
    let staged = stage(&agent, "T-101", json!(89)).await;
    let id = staged["refund_id"].as_str().unwrap();
    let taken = agent.post(&format!("/api/refund/{id}/withdraw"), "").await.json();
    assert_eq!(taken["outcome"]["outcome"], "withdrawn");
    let card = json!({"refund_id": id, "digest": "x"});
    let opened =
        page.post(&format!("/api/approvals/{id}/open"), &json!({"digest": card["digest"]}).to_string()).await;
    assert_eq!(opened.refusal().0, 409);
    assert_ne!(stage(&agent, "T-101", json!(89)).await["refund_id"], staged["refund_id"]);
}

#[tokio::test]
async fn an_equal_call_joins_and_the_last_one_withdraws() {
    let desk = Desk::start().await;
    let page = desk.page().await;
    let agent = triaged(&page, "T-101").await;
    let first = stage(&agent, "T-101", json!(89)).await;
    let joined = agent.post("/api/refund/stage", r#"{"ticket_id":"T-101","amount":"89.00"}"#).await;
    assert_eq!((joined.status.as_u16(), joined.json()["joined"].as_bool()), (200, Some(true)));
    let other = agent.post("/api/refund/stage", r#"{"ticket_id":"T-101","amount":10}"#).await;
    assert_eq!(other.refusal(), (409, "RESERVED_ELSEWHERE".to_owned()));
    let path = format!("/api/refund/{}/withdraw", first["refund_id"].as_str().unwrap());
    assert_eq!(agent.post(&path, "").await.json()["state"], "held");
    assert_eq!(agent.post(&path, "").await.json()["state"], "withdrawn");
}

#[tokio::test]
async fn escalating_ends_a_held_refund() {
    let desk = Desk::start().await;
    let page = desk.page().await;
    let agent = triaged(&page, "T-103").await;
    let staged = stage(&agent, "T-103", json!(149.5)).await;
    agent.post("/api/tickets/T-103/escalate", r#"{"reason":"A person should look."}"#).await;
    let answer = agent.get(&format!("/api/refund/{}", staged["refund_id"].as_str().unwrap())).await.json();
    assert_eq!(answer["outcome"]["outcome"], "terms_changed");
}

#[tokio::test]
async fn nobody_decides_for_an_hour() {
    let desk = Desk::start().await;
    let page = desk.page().await;
    let agent = triaged(&page, "T-106").await;
    let staged = stage(&agent, "T-106", json!("24.99")).await;
    desk.pass(3_601);
    desk.app.store().sweep(desk.app.now()).await.unwrap();
    let answer = agent.get(&format!("/api/refund/{}", staged["refund_id"].as_str().unwrap())).await.json();
    assert_eq!(answer["outcome"]["outcome"], "expired");
}

#[tokio::test]
async fn a_person_pays_less_and_the_agent_is_told_both() {
    let desk = Desk::start().await;
    let page = desk.page().await;
    let agent = triaged(&page, "T-101").await;
    let staged = stage(&agent, "T-101", json!(89)).await;
    let id = staged["refund_id"].as_str().unwrap();
    let before = card(&page).await;
    let lower = page.post(&format!("/api/approvals/{id}/amount"), r#"{"amount":"40.00"}"#).await.json();
    assert_ne!(lower["digest"], before["digest"]);
    let stale = page
        .post(&format!("/api/approvals/{id}/open"), &json!({"digest": before["digest"]}).to_string())
        .await;
    assert_eq!(stale.refusal(), (409, "TERMS_CHANGED".to_owned()));
    assert_eq!(stale.json()["changed"], json!(["amount"]));
    assert_eq!(press(&page, &lower, json!({})).await.json()["state"], "paid");
    let outcome = agent.get(&format!("/api/refund/{id}")).await.json()["outcome"].clone();
    assert_eq!((outcome["asked"].as_str(), outcome["amount"].as_str()), (Some("89.00"), Some("40.00")));
}

#[tokio::test]
async fn stopping_agents_takes_acting_tools_and_leaves_decisions() {
    let desk = Desk::start().await;
    let page = desk.page().await;
    let agent = triaged(&page, "T-101").await;
    stage(&agent, "T-101", json!(89)).await;
    page.post("/api/stop", "").await;
    let permit = agent.get("/api/policy?ticket=T-101").await.json();
    assert_eq!(permit["tools"], json!(["list_tickets", "get_ticket", "explain_policy"]));
    assert_eq!(permit["refund"]["code"], "STOPPED");
    let card = card(&page).await;
    assert_eq!(press(&page, &card, json!({})).await.json()["state"], "paid");
    page.post("/api/resume", "").await;
    let permit = agent.get("/api/policy?ticket=T-101").await.json();
    assert_eq!(permit["refund"]["code"], "ALREADY_REFUNDED");
}

#[tokio::test]
async fn explaining_names_no_tool() {
    let desk = Desk::start().await;
    let page = desk.page().await;
    let agent = triaged(&page, "T-102").await;
    let answer = agent.get("/api/policy/explain?ticket=T-102").await;
    assert_eq!(answer.json()["code"], "OUTSIDE_WINDOW");
    for tool in policy::Tool::ALL {
        assert!(!answer.text().contains(tool.name()));
    }
}

#[derive(Debug)]
struct Scripted(std::sync::Mutex<Vec<server::payments::Answer>>);

impl server::payments::Provider for Scripted {
    fn refund(&self, _: server::payments::Claimed) -> server::payments::Asked<'_, server::payments::Answer> {
        let answer = self.0.lock().unwrap().pop().unwrap();
        Box::pin(async move { answer })
    }

    fn find<'a>(&'a self, _: &'a desk::id::RefundId) -> server::payments::Asked<'a, server::payments::Found> {
        Box::pin(async { server::payments::Found::Never })
    }
}

async fn decided_by(answer: server::payments::Answer) -> Value {
    let provider = std::sync::Arc::new(Scripted(std::sync::Mutex::new(vec![answer])));
    let desk = Desk::start_with(policy::Strength::InPage, Some(provider)).await;
    let page = desk.page().await;
    let agent = triaged(&page, "T-101").await;
    let staged = stage(&agent, "T-101", json!(89)).await;
    let card = card(&page).await;
    press(&page, &card, json!({})).await;
    let path = format!("/api/refund/{}?wait=0", staged["refund_id"].as_str().unwrap());
    agent.get(&path).await.json()["outcome"].clone()
}

#[tokio::test]
async fn a_provider_that_refuses_is_told_as_failed_and_not_as_a_rejection() {
    let outcome = decided_by(server::payments::Answer::Refused).await;
    assert_eq!(
        (outcome["outcome"].as_str(), outcome["approved_by"].as_str()),
        (Some("failed"), Some("person"))
    );
}

#[tokio::test]
async fn a_lost_answer_is_told_as_processing() {
    let outcome = decided_by(server::payments::Answer::Lost).await;
    assert_eq!(outcome["outcome"], "processing");
    assert!(outcome["reason"].as_str().unwrap().contains("may have been paid"));
    assert!(outcome["tools"].as_array().unwrap().contains(&json!("issue_refund")));
}

#[tokio::test]
async fn a_bounded_wait_says_that_nothing_has_been_paid() {
    let desk = Desk::start().await;
    let page = desk.page().await;
    let agent = triaged(&page, "T-101").await;
    let staged = stage(&agent, "T-101", json!(89)).await;
    let path = format!("/api/refund/{}", staged["refund_id"].as_str().unwrap());
    assert_eq!(agent.get(&path).await.json()["outcome"], Value::Null);
    assert_eq!(agent.get(&format!("{path}?wait=0")).await.json()["outcome"]["outcome"], "held");
}
