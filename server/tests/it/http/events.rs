//! The event stream: ids and states, from where one left off.

use serde_json::{Value, json};

use super::client::{Client, Desk};

/// The events of a stream up to its first beat.
async fn until_beat(client: &Client<'_>, after: &str) -> Vec<(Option<i64>, Value)> {
    client.stream(&format!("/api/events{after}")).await
}

#[tokio::test]
async fn a_stream_goes_on_after_the_event_that_is_known() {
    let desk = Desk::start().await;
    let page = desk.page().await;
    page.post("/api/tickets/T-101/triage", r#"{"category":"other"}"#).await;
    let seq = page.get("/api/policy?ticket=T-101").await.json()["seq"].as_i64().unwrap();
    page.post("/api/tickets/T-101/escalate", r#"{"reason":"A person should look."}"#).await;
    page.post("/api/tickets/T-102/triage", r#"{"category":"other"}"#).await;
    let events = until_beat(&page, &format!("?after={seq}")).await;
    let told: Vec<_> =
        events.iter().map(|(_, data)| (data["ticket"].clone(), data["state"].clone())).collect();
    assert_eq!(told[0], (json!("T-101"), json!("escalated")));
    assert_eq!(told[1], (json!("T-102"), json!("triaged")));
    assert!(events[0].0 < events[1].0);
    assert_eq!(events.last().unwrap().1["kind"], "beat");
}

#[tokio::test]
async fn an_agent_hears_of_its_own_ticket_only_and_never_a_word() {
    let desk = Desk::start().await;
    let page = desk.page().await;
    let agent = page.agent("T-101").await;
    page.post("/api/tickets/T-102/triage", r#"{"category":"other","summary":"planted"}"#).await;
    page.post("/api/tickets/T-101/triage", r#"{"category":"other","summary":"planted"}"#).await;
    let events = until_beat(&agent, "?after=0").await;
    let tickets: Vec<_> = events.iter().filter_map(|(_, data)| data["ticket"].as_str()).collect();
    assert_eq!(tickets, ["T-101"]);
    assert!(!events.iter().any(|(_, data)| data.to_string().contains("planted")));
}

#[tokio::test]
async fn a_cursor_that_is_not_known_gets_resync() {
    let desk = Desk::start().await;
    let page = desk.page().await;
    page.post("/api/reset", "").await;
    let events = until_beat(&page, "?after=99999").await;
    assert_eq!(events[0].1["kind"], "resync");
}

#[tokio::test]
async fn without_a_credential_there_is_no_stream() {
    let desk = Desk::start().await;
    assert_eq!(desk.anonymous().get("/api/events").await.refusal(), (403, "FORBIDDEN".to_owned()));
}
