//! The HTTP contract, as somebody with curl meets it.

use serde_json::json;
use tests::desk::Desk;

#[tokio::test]
async fn both_lines_of_the_contract_answer_byte_for_byte() {
    let desk = Desk::demo();
    let curl = desk.client();
    let stage = curl.post_bytes("/api/refund/stage", br#"{"ticket_id":"T-102","amount":2400}"#).await;
    assert_eq!(stage.status, 409);
    assert_eq!(
        stage.text(),
        r#"{"error":"OUTSIDE_WINDOW","reason":"Order is 91 days old; the refund window is 30 days."}"#
    );
    let decide =
        curl.post_bytes("/api/refund/decide", br#"{"nonce":"i-guessed-this","approved":true}"#).await;
    assert_eq!(decide.status, 403);
    assert_eq!(
        decide.text(),
        r#"{"error":"BAD_NONCE","reason":"Approval must come from the in-page form."}"#
    );
}

#[tokio::test]
async fn an_anonymous_agent_works_in_the_demonstration_and_is_never_paid() {
    let desk = Desk::demo();
    let curl = desk.client();
    let listed = curl.get("/api/tickets").await.ok(200);
    let ids: Vec<&str> = listed["tickets"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|ticket| ticket["ticket_id"].as_str())
        .collect();
    assert_eq!(ids, ["T-101", "T-102", "T-103", "T-104", "T-105", "T-106", "T-107", "T-108"]);

    curl.post("/api/tickets/T-101/triage", &json!({"category": "refund_request"})).await.ok(200);
    let staged =
        curl.post("/api/refund/stage", &json!({"ticket_id": "T-101", "amount": "89.00"})).await.ok(201);
    assert_eq!((&staged["state"], &staged["asked"]), (&json!("held"), &json!("89.00")));
    let refund = staged["refund_id"].as_str().unwrap();

    // A visitor's page has a sandbox of its own: what was staged without a credential is not there.
    let person = curl.person("/").await;
    let cards = person.get("/api/approvals").await.ok(200);
    assert_eq!(cards["approvals"], json!([]));
    person
        .post(&format!("/api/approvals/{refund}/open"), &json!({"digest": "0".repeat(64)}))
        .await
        .refused(404, "NOT_FOUND");
    curl.post(&format!("/api/approvals/{refund}/open"), &json!({"digest": "0".repeat(64)}))
        .await
        .refused(403, "FORBIDDEN");

    let withdrawn = curl.post(&format!("/api/refund/{refund}/withdraw"), &json!({})).await.ok(200);
    assert_eq!(withdrawn["outcome"]["outcome"], json!("withdrawn"));
}

#[tokio::test]
async fn t_101_is_refundable_once_triaged_and_t_102_never() {
    let desk = Desk::demo();
    let person = desk.client().person("/").await;
    let tools = |permit: &serde_json::Value| {
        let mut tools: Vec<String> = serde_json::from_value(permit["tools"].clone()).unwrap();
        tools.sort();
        tools
    };
    for (ticket, code, after) in [("T-101", "ELIGIBLE", 6), ("T-102", "OUTSIDE_WINDOW", 5)] {
        let path = format!("/api/policy?ticket={ticket}");
        let before = person.get(&path).await.ok(200);
        assert_eq!(tools(&before), ["explain_policy", "get_ticket", "list_tickets", "triage_ticket"]);
        person
            .post(&format!("/api/tickets/{ticket}/triage"), &json!({"category": "refund_request"}))
            .await
            .ok(200);
        let permit = person.get(&path).await.ok(200);
        assert_eq!((permit["refund"]["code"].as_str(), tools(&permit).len()), (Some(code), after));
        assert_eq!(tools(&permit).contains(&"issue_refund".to_owned()), code == "ELIGIBLE");
    }
}

#[tokio::test]
async fn the_command_line_says_what_it_can_do_and_refuses_what_it_does_not_know() {
    let desk = Desk::demo();
    let help = desk.command(&["--help"]).output().unwrap();
    assert!(help.status.success());
    assert!(String::from_utf8_lossy(&help.stdout).contains("serve"));
    let wrong = desk.command(&["serve", "--no-such-flag"]).output().unwrap();
    assert_eq!(wrong.status.code(), Some(2));
}
