//! Many tabs of one browser: six connections a host are all that browsers allow.

use serde_json::json;
use tests::chromium::{Chromium, WebMcp};
use tests::desk::Desk;

#[tokio::test]
async fn ten_tabs_are_all_live_and_any_of_them_can_approve() {
    let Some(chromium) = Chromium::shared(WebMcp::On).await else { return };
    let (desk, profile) = (Desk::demo(), chromium.profile().await);
    let mut pages = Vec::new();
    for _ in 0..10 {
        pages.push(profile.open(&desk.url("/t/T-101")).await);
    }
    let first = pages[0].holder(WebMcp::On).await;
    let triage = json!({"ticket_id": "T-101", "category": "refund_request"});
    first.holds_one("triage_ticket", true).await;
    first.call("triage_ticket", triage).await;
    // What happened in one tab is known in all of them.
    for page in &pages {
        page.holder(WebMcp::On).await.holds_one("issue_refund", true).await;
    }
    let call = first.start("issue_refund", json!({"ticket_id": "T-101", "amount": 89})).await;
    for page in &pages {
        page.find("button", "Approve").await;
    }
    let last = pages.last().unwrap();
    last.find("button", "Approve").await.click().await;
    assert_eq!(call.output().await["outcome"], json!("refunded"));
    for page in &pages {
        page.gone("button", "Approve").await;
        page.holder(WebMcp::On).await.holds_one("issue_refund", false).await;
        assert_eq!(page.complaints(), [""; 0]);
    }
}

#[tokio::test]
async fn closing_the_tab_that_listens_hands_over_to_another() {
    let Some(chromium) = Chromium::shared(WebMcp::On).await else { return };
    let (desk, profile) = (Desk::demo(), chromium.profile().await);
    let first = profile.open(&desk.url("/t/T-101")).await;
    first.find("list", "Tools the agent holds").await;
    let second = profile.open(&desk.url("/t/T-101")).await;
    let third = profile.open(&desk.url("/t/T-101")).await;
    let (agent, other) = (second.holder(WebMcp::On).await, third.holder(WebMcp::On).await);
    agent.holds_one("triage_ticket", true).await;
    first.close().await;
    agent.call("triage_ticket", json!({"ticket_id": "T-101", "category": "refund_request"})).await;
    other.holds_one("issue_refund", true).await;
    let call = other.start("issue_refund", json!({"ticket_id": "T-101", "amount": "12.50"})).await;
    second.find("button", "Approve").await.click().await;
    let answer = call.output().await;
    assert_eq!((&answer["outcome"], &answer["amount"]), (&json!("refunded"), &json!("12.50")));
}
