//! The console: an origin of its own, a cookie of its own.

use http::header;
use policy::Strength;
use serde_json::json;

use super::client::{CONSOLE, Client, Desk, ORIGIN};

pub(super) const HOST: &str = "console.localhost:8080";

pub(super) async fn code(desk: &Desk) -> String {
    let now = desk.app.now();
    let link = server::http::console::sign_in_link(desk.app.store(), desk.app.config(), now).await.unwrap();
    link.split_once("code=").unwrap().1.to_owned()
}

pub(super) async fn signed_in(desk: &Desk) -> Client<'_> {
    let console = desk.anonymous().at_host(HOST).sent_from(CONSOLE);
    let answer = console.post_form("/sign-in", &format!("code={}", code(desk).await)).await;
    assert_eq!(answer.status.as_u16(), 303, "{}", answer.text());
    let cookie = answer.headers.get(header::SET_COOKIE).unwrap().to_str().unwrap().to_owned();
    assert!(cookie.starts_with("__Host-quarantine_console="), "{cookie}");
    for guard in ["HttpOnly", "SameSite=Strict", "Secure", "Path=/"] {
        assert!(cookie.contains(guard), "{cookie}");
    }
    console.with_cookie(cookie.split(';').next().unwrap())
}

/// A refund of T-101 that waits; answers its id.
pub(super) async fn held(page: &Client<'_>) -> String {
    let agent = page.agent("T-101").await;
    agent.post("/api/tickets/T-101/triage", r#"{"category":"refund_request"}"#).await;
    let staged = agent.post("/api/refund/stage", r#"{"ticket_id":"T-101","amount":89}"#).await.json();
    staged["refund_id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn an_approver_pays_what_waits_in_any_sandbox() {
    let desk = Desk::start_with(Strength::Console, None).await;
    let (one, two) = (desk.page().await, desk.page().await);
    let ids = [held(&one).await, held(&two).await];
    let console = signed_in(&desk).await;
    let cards = console.get("/api/approvals").await.json();
    let seen: Vec<_> =
        cards["approvals"].as_array().unwrap().iter().map(|card| card["refund_id"].clone()).collect();
    assert_eq!(seen, [json!(ids[0]), json!(ids[1])]);
    let digest = &cards["approvals"][0]["digest"];
    let open = format!("/api/approvals/{}/open", ids[0]);
    let opened = console.post(&open, &json!({"digest": digest}).to_string()).await.json();
    let decide = json!({"nonce": opened["nonce"], "approved": true, "digest": digest});
    let decided = console.post("/api/refund/decide", &decide.to_string()).await;
    assert_eq!(decided.json()["state"], "paid", "{}", decided.text());
}

#[tokio::test]
async fn a_press_without_script_pays_too() {
    let desk = Desk::start_with(Strength::Console, None).await;
    let page = desk.page().await;
    let id = held(&page).await;
    let console = signed_in(&desk).await;
    let card = console.get("/api/approvals").await.json()["approvals"][0].clone();
    let form = format!(
        "approved=yes&digest={}&note_to_customer=Done&note_internal=",
        card["digest"].as_str().unwrap()
    );
    let answer = console.post_form(&format!("/approvals/{id}/decide"), &form).await;
    assert_eq!(answer.status.as_u16(), 303, "{}", answer.text());
    assert_eq!(page.get(&format!("/api/refund/{id}")).await.json()["state"], "paid");
}

#[tokio::test]
async fn nothing_of_the_desks_origin_uses_the_consoles_session() {
    let desk = Desk::start_with(Strength::Console, None).await;
    let page = desk.page().await;
    let id = held(&page).await;
    let console = signed_in(&desk).await;
    let card = console.get("/api/approvals").await.json()["approvals"][0].clone();
    let open = format!("/api/approvals/{id}/open");
    let body = json!({"digest": card["digest"]}).to_string();
    for stranger in [console.sent_from(ORIGIN), console.sent_from("null"), console.without_origin()] {
        assert_eq!(stranger.post(&open, &body).await.refusal(), (403, "CROSS_ORIGIN".to_owned()));
        let form = format!("approved=yes&digest={}", card["digest"].as_str().unwrap());
        let pressed = stranger.post_form(&format!("/approvals/{id}/decide"), &form).await;
        assert_eq!(pressed.status.as_u16(), 403, "{}", pressed.text());
    }
    let at_desk = console.at_host("localhost:8080").sent_from(ORIGIN);
    assert_eq!(at_desk.post(&open, &body).await.status.as_u16(), 403);
    assert_eq!(page.post(&open, &body).await.refusal(), (403, "NOT_STRONG_ENOUGH".to_owned()));
    assert_eq!(page.get(&format!("/api/refund/{id}")).await.json()["state"], "held");
}

#[tokio::test]
async fn a_link_signs_in_once() {
    let desk = Desk::start_with(Strength::Console, None).await;
    let code = code(&desk).await;
    let console = desk.anonymous().at_host(HOST).sent_from(CONSOLE);
    let form = format!("code={code}");
    assert!(console.post_form("/sign-in", &form).await.headers.contains_key(header::SET_COOKIE));
    assert!(!console.post_form("/sign-in", &form).await.headers.contains_key(header::SET_COOKIE));
    assert!(!console.post_form("/sign-in", "code=guessed").await.headers.contains_key(header::SET_COOKIE));
}

#[tokio::test]
async fn a_session_ends_when_it_is_signed_out_and_after_twelve_hours() {
    let desk = Desk::start_with(Strength::Console, None).await;
    let (one, two) = (signed_in(&desk).await, signed_in(&desk).await);
    one.post_form("/sign-out", "").await;
    assert_eq!(one.get("/api/approvals").await.refusal(), (403, "FORBIDDEN".to_owned()));
    assert_eq!(two.get("/api/approvals").await.status.as_u16(), 200);
    desk.pass(12 * 3_600 + 1);
    assert_eq!(two.get("/api/approvals").await.refusal(), (403, "FORBIDDEN".to_owned()));
}

#[tokio::test]
async fn the_console_is_never_framed_and_shows_no_tool() {
    let desk = Desk::start_with(Strength::Console, None).await;
    let console = signed_in(&desk).await;
    let answer = console.get("/").await;
    assert_eq!(answer.status.as_u16(), 200);
    assert_eq!(answer.headers.get("permissions-policy").unwrap(), "tools=()");
    assert_eq!(answer.headers.get("x-frame-options").unwrap(), "DENY");
    assert!(!answer.text().contains("quarantine.js"));
}
