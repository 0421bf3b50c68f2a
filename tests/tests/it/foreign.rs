//! Two agents that nobody here wrote, Playwright's `page.webmcp` and `chrome-devtools-mcp`, each work a ticket: they see
//! the tools that exist, and their call for a refund waits for a person at the same page.

use serde_json::json;
use tests::chromium::{Chromium, WebMcp};
use tests::deadline::until;
use tests::desk::Desk;
use tests::foreign::Foreign;
use tests::page::Page;
use tests::programs;

/// The tools of a ticket in the agent's own words, as soon as it says this one is there.
async fn told_of(agent: &mut Foreign, tool: &str) -> String {
    let agent = tokio::sync::Mutex::new(agent);
    until(&format!("the agent to be told of {tool}"), || async {
        let told = agent.lock().await.tools().await;
        told.contains(tool).then_some(told)
    })
    .await
}

async fn browser(desk: &Desk) -> Option<(Chromium, Page)> {
    let Some(chromium) = Chromium::start(WebMcp::On).await else {
        programs::missing("Chromium");
        return None;
    };
    let page = chromium.own_profile().open(&desk.url("/t/T-101")).await;
    page.find("list", "Tools the agent holds").await;
    Some((chromium, page))
}

async fn works_a_ticket(mut agent: Foreign, page: &Page) {
    let told = told_of(&mut agent, "triage_ticket").await;
    assert!(told.contains("get_ticket") && !told.contains("issue_refund"), "{told}");
    let triage = json!({"ticket_id": "T-101", "category": "refund_request"});
    let triaged = agent.call("triage_ticket", &triage).await;
    assert_eq!(triaged["state"], json!("triaged"), "{triaged}");
    let told = told_of(&mut agent, "issue_refund").await;
    assert!(told.contains("reply_to_customer") && !told.contains("triage_ticket"), "{told}");

    agent.start("issue_refund", &json!({"ticket_id": "T-101", "amount": 89})).await;
    page.find("button", "Approve").await.click().await;
    let answer = agent.answer().await;
    assert_eq!((&answer["outcome"], &answer["amount"]), (&json!("refunded"), &json!("89.00")), "{answer}");
    let read = agent.call("get_ticket", &json!({"ticket_id": "T-101"})).await;
    assert_eq!(read["refunds"][0]["reference"], answer["reference"]);
    agent.end().await;
}

#[tokio::test]
async fn playwright() {
    let desk = Desk::demo();
    let Some((chromium, page)) = browser(&desk).await else { return };
    let Some(agent) = Foreign::playwright(&chromium, &desk.url("/t/T-101")).await else { return };
    works_a_ticket(agent, &page).await;
}

#[tokio::test]
async fn chrome_devtools_mcp() {
    let desk = Desk::demo();
    let Some((chromium, page)) = browser(&desk).await else { return };
    let Some(agent) = Foreign::devtools(&chromium, &desk.url("/t/T-101")).await else { return };
    works_a_ticket(agent, &page).await;
}
