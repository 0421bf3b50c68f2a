//! The proof, in real browsers and over HTTP.

use serde_json::json;
use tests::chromium::{Chromium, WebMcp};
use tests::desk::{Desk, Settings};

async fn proven(webmcp: WebMcp) {
    let Some(chromium) = Chromium::shared(webmcp).await else { return };
    let (desk, profile) = (Desk::demo(), chromium.profile().await);
    let page = profile.open(&desk.url("/proof.html")).await;
    let verdict = page.wait_for("document.querySelector('main').dataset.proof").await;
    let text = page.text().await;
    assert_eq!(verdict, json!("passed"), "{text}");
    let totals = text.lines().find(|line| line.ends_with(" failed")).unwrap_or_default();
    let passed: u32 = totals.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or_default();
    assert!(passed > 20 && totals.ends_with("passed, 0 failed"), "{totals:?}");
    assert_eq!(page.complaints(), [""; 0]);
}

#[tokio::test]
async fn the_page_proves_itself_with_webmcp() {
    proven(WebMcp::On).await;
}

#[tokio::test]
async fn the_page_proves_itself_through_the_fallback() {
    proven(WebMcp::Off).await;
}

#[test]
fn the_command_proves_a_desk_over_http_and_says_what_it_could_not_run() {
    let desk = Settings::demo().flag("--strength", "console").start();
    let link = desk.sign_in_link();
    let without = desk.command(&["prove", "--url", &desk.url("")]).output().expect("the command runs");
    let text = String::from_utf8_lossy(&without.stdout).into_owned();
    assert_eq!(without.status.code(), Some(2), "{text}");
    assert!(text.contains("not run"), "{text}");
    let token = link.split('=').next_back().unwrap_or_default().to_owned();
    let with = desk.command(&["prove", "--url", &desk.url(""), "--approver", &token]).output();
    let with = with.expect("the command runs");
    assert_eq!(with.status.code(), Some(0), "{}", String::from_utf8_lossy(&with.stdout));
}
