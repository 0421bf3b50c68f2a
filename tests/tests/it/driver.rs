//! The browser driver, on a page of its own: what the other tests rely on.

use serde_json::json;
use tests::chromium::{Chromium, WebMcp};
use tests::desk::postgres::Postgres;
use tests::site::Site;

/// A page with one tool whose call waits for a press on a button in a closed shadow root.
const PAGE: &str = r#"<!doctype html><title>driver</title><main><h1>A page</h1><div id="host"></div></main>
<script>
const root = host.attachShadow({mode: "closed"});
const button = document.createElement("button");
button.textContent = "Approve";
root.append(button, " nobody has pressed");
let presses = [];
button.addEventListener("click", event => {
  presses.push(event.isTrusted);
  for (const answer of waiting.splice(0)) answer({pressed: true, trusted: event.isTrusted});
});
const waiting = [], cancelled = [];
let registration;
function offer() {
  registration = new AbortController();
  document.modelContext.registerTool({
    name: "wait", description: "Waits for a press.", annotations: {consequentialHint: true},
    inputSchema: {type: "object", properties: {n: {type: "number"}}},
    execute: (input, {signal}) => new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => { cancelled.push(input.n); reject(signal.reason); });
      if (input.n < 0) reject(new Error("n is negative"));
      waiting.push(resolve);
    }),
  }, {signal: registration.signal}).catch(() => {});
}
if (document.modelContext) offer();
</script>"#;

async fn site() -> Site {
    Site::serve([("/", ("", PAGE.to_owned()))]).await
}

#[tokio::test]
async fn a_call_stays_open_until_a_trusted_press_in_a_closed_shadow_root() {
    let Some(chromium) = Chromium::shared(WebMcp::On).await else { return };
    let (site, profile) = (site().await, chromium.profile().await);
    let page = profile.tab().await;
    let agent = page.agent().await;
    page.goto(&site.url("/")).await;
    agent.holds(&["wait"]).await;
    assert_eq!(agent.tool("wait").unwrap()["annotations"]["consequential"], json!(true));

    let call = agent.invoke("wait", json!({"n": 1})).await;
    page.wait_for("waiting.length === 1").await;
    assert_eq!(call.now(), None);
    page.push("Approve").await;
    let answer = call.answer().await;
    assert_eq!(
        (answer.status.as_str(), answer.output),
        ("Completed", json!({"pressed": true, "trusted": true}))
    );
}

#[tokio::test]
async fn the_list_of_tools_follows_the_page() {
    let Some(chromium) = Chromium::shared(WebMcp::On).await else { return };
    let (site, profile) = (site().await, chromium.profile().await);
    let page = profile.open(&site.url("/")).await;
    let agent = page.agent().await;
    agent.holds(&["wait"]).await;
    page.eval("registration.abort()").await;
    agent.holds(&[]).await;
    page.eval("offer()").await;
    agent.holds_one("wait", true).await;
    page.goto(&site.url("/elsewhere")).await;
    agent.holds_one("wait", false).await;
    assert!(agent.try_invoke("wait", json!({})).await.is_err());
}

#[tokio::test]
async fn a_cancelled_call_and_a_thrown_error_are_told_apart() {
    let Some(chromium) = Chromium::shared(WebMcp::On).await else { return };
    let (site, profile) = (site().await, chromium.profile().await);
    let page = profile.open(&site.url("/")).await;
    let agent = page.agent().await;
    let call = agent.invoke("wait", json!({"n": 7})).await;
    page.wait_for("waiting.length === 1").await;
    call.cancel().await;
    assert_eq!(call.answer().await.status, "Canceled");
    assert_eq!(page.eval("cancelled").await, json!([7]));

    let thrown = agent.invoke("wait", json!({"n": -1})).await.answer().await;
    assert_eq!(thrown.status, "Error");
    assert!(thrown.error.contains("n is negative"), "{thrown:?}");
}

#[tokio::test]
async fn the_keyboard_reaches_what_a_screen_reader_finds() {
    let Some(chromium) = Chromium::shared(WebMcp::On).await else { return };
    let (site, profile) = (site().await, chromium.profile().await);
    let page = profile.open(&site.url("/")).await;
    page.says("nobody has pressed").await;
    let button = page.find("button", "Approve").await;
    button.focus().await;
    assert!(page.find("button", "Approve").await.is("focused"));
    page.press("Enter").await;
    page.press("Space").await;
    page.wait_for("presses.length === 2").await;
    assert_eq!(page.eval("presses").await, json!([true, true]));
    assert_eq!(button.on("function () { return this.textContent; }").await, json!("Approve"));
}

#[tokio::test]
async fn complaints_and_cookies_stay_with_their_tab_and_profile() {
    let Some(chromium) = Chromium::shared(WebMcp::On).await else { return };
    let site = site().await;
    let (one, other) = (chromium.profile().await, chromium.profile().await);
    let (left, right) = (one.open(&site.url("/")).await, other.open(&site.url("/")).await);
    left.eval("document.cookie = 'seen=1'; setTimeout(() => { throw new Error('left') })").await;
    left.wait_for("document.cookie === 'seen=1'").await;
    assert_eq!(right.eval("document.cookie").await, json!(""));
    tests::deadline::until("the complaint", || async {
        left.complaints().iter().any(|line| line.contains("Error: left")).then_some(())
    })
    .await;
    assert!(right.complaints().iter().all(|line| !line.contains("Error: left")), "{:?}", right.complaints());
}

#[tokio::test]
async fn a_page_without_webmcp_has_no_model_context() {
    let Some(chromium) = Chromium::shared(WebMcp::Off).await else { return };
    let (site, profile) = (site().await, chromium.profile().await);
    let page = profile.open(&site.url("/")).await;
    assert_eq!(page.eval("typeof document.modelContext").await, json!("undefined"));
}

#[tokio::test]
async fn each_desk_on_postgresql_gets_a_database_of_its_own() {
    let Some(postgres) = Postgres::shared().await else { return };
    let (one, other) = (postgres.database(), postgres.database());
    assert!(one.starts_with("postgres://postgres@127.0.0.1:"));
    assert_ne!(one, other);
}
