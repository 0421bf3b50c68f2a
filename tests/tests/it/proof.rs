//! The proof, in real browsers and over HTTP.

use serde_json::Value;
use tests::chromium::{Chromium, Profile, WebMcp};
use tests::deadline::{LONG, LOOK};
use tests::desk::{Desk, Settings};
use tests::page::Page;

use crate::accessible::{axe, check};

/// A tab with the proof, once it has run.
async fn proven(desk: &Desk, webmcp: WebMcp) -> Option<(Profile, Page)> {
    let profile = Chromium::shared(webmcp).await?.profile().await;
    let page = profile.open(&desk.url("/proof.html")).await;
    let mut ticks = tokio::time::interval(LOOK);
    let finished = async {
        loop {
            ticks.tick().await;
            if let Ok(Value::String(verdict)) =
                page.attempt("document.querySelector('main').dataset.proof").await
            {
                return verdict;
            }
        }
    };
    let verdict = tokio::time::timeout(LONG, finished).await.expect("the proof ends");
    let text = page.text().await;
    assert_eq!(verdict, "passed", "{text}");
    let totals = text.lines().find(|line| line.ends_with(" failed")).unwrap_or_default();
    let passed: u32 = totals.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or_default();
    assert!(passed > 20 && totals.ends_with("passed, 0 failed"), "{totals:?}");
    // Of each refusal that the proof provokes the browser complains by itself.
    let own = |line: &String| !line.contains("Failed to load resource");
    assert_eq!(page.complaints().into_iter().filter(own).collect::<Vec<_>>(), [""; 0]);
    Some((profile, page))
}

#[tokio::test]
async fn the_page_proves_itself_with_webmcp() {
    proven(&Desk::demo(), WebMcp::On).await;
}

#[tokio::test]
async fn the_page_proves_itself_through_the_fallback() {
    let desk = Desk::demo();
    let Some((_profile, page)) = proven(&desk, WebMcp::Off).await else { return };
    let Some(axe) = axe() else { return };
    check(&page, &axe, "the proof").await;
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
