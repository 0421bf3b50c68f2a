//! Every page, in both themes, has no violation that axe-core finds. The panel's shadow root is opened for it: axe
//! can't look into a closed one.

use serde_json::{Value, json};
use tests::chromium::{Chromium, WebMcp};
use tests::desk::{Desk, Settings, root};
use tests::page::Page;
use tests::programs;

fn axe() -> Option<String> {
    let source = std::fs::read_to_string(root().join("tests/node_modules/axe-core/axe.min.js")).ok();
    if source.is_none() {
        programs::missing("axe-core");
    }
    source
}

const OPEN_ROOTS: &str = "
    const attach = Element.prototype.attachShadow;
    Element.prototype.attachShadow = function (init) { return attach.call(this, {...init, mode: 'open'}); };";

async fn check(page: &Page, axe: &str, what: &str) {
    for theme in ["light", "dark"] {
        page.theme(theme).await;
        for (width, height) in [(1280, 900), (360, 740)] {
            page.size(width, height).await;
            page.eval(&format!("if (!window.axe) {{ {axe} }}; 0")).await;
            let tags = json!(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]);
            let run = format!("axe.run(document, {{runOnly: {{type: 'tag', values: {tags}}}}})
                .then(found => found.violations.map(one => ({{
                    rule: one.id, says: one.help,
                    where: one.nodes.slice(0, 5).map(node => [node.target.flat().join(' '), node.failureSummary])}})))");
            let found = page.eval(&run).await;
            assert_eq!(found, json!([]), "{what}, {theme}, {width} wide");
            let over = page
                .eval("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                .await;
            assert!(over.as_f64() <= Some(0.0), "{what}, {theme}: {over} px wider than {width}");
        }
    }
}

#[tokio::test]
async fn the_desks_pages() {
    let (Some(axe), Some(chromium)) = (axe(), Chromium::shared(WebMcp::Off).await) else { return };
    let (desk, profile) = (Desk::demo(), chromium.profile().await);
    let page = profile.tab().await;
    page.before_scripts(OPEN_ROOTS).await;
    for path in ["/", "/t/T-101", "/t/T-102", "/record", "/policy", "/docs", "/t/T-999"] {
        page.goto(&desk.url(path)).await;
        check(&page, &axe, path).await;
    }
}

#[tokio::test]
async fn the_panel_with_a_refund_that_is_held() {
    let (Some(axe), Some(chromium)) = (axe(), Chromium::shared(WebMcp::Off).await) else { return };
    let (desk, profile) = (Desk::demo(), chromium.profile().await);
    let page = profile.tab().await;
    page.before_scripts(OPEN_ROOTS).await;
    page.goto(&desk.url("/t/T-101")).await;
    let agent = page.holder(WebMcp::Off).await;
    agent.holds_one("triage_ticket", true).await;
    agent.call("triage_ticket", json!({"ticket_id": "T-101", "category": "refund_request"})).await;
    agent.holds_one("issue_refund", true).await;
    let input = json!({"ticket_id": "T-101", "amount": 89, "justification": "Wrong size was sent."});
    let call = agent.start("issue_refund", input).await;
    page.find("button", "Approve").await;
    check(&page, &axe, "a held refund").await;
    page.find("button", "Approve").await.click().await;
    call.output().await;
    page.gone("button", "Approve").await;
    check(&page, &axe, "a paid refund").await;
}

#[tokio::test]
async fn the_console_and_its_door() {
    let (Some(axe), Some(chromium)) = (axe(), Chromium::shared(WebMcp::Off).await) else { return };
    let desk = Settings::demo().flag("--strength", "console").start();
    let profile = chromium.profile().await;
    let console = profile.open(&desk.console("/")).await;
    check(&console, &axe, "the console's door").await;
    console.goto(&desk.sign_in_link()).await;
    check(&console, &axe, "a sign-in link").await;
    console.load(async { console.find("button", "Sign in").await.click().await }).await;
    check(&console, &axe, "an empty console").await;
    let person = desk.client().person("/").await;
    person.triage("T-101").await;
    let agent = person.agent_of("T-101").await;
    agent.post("/api/refund/stage", &json!({"ticket_id": "T-101", "amount": 89})).await.ok(201);
    console.find("button", "Approve").await;
    check(&console, &axe, "a console with one refund").await;
}

#[tokio::test]
async fn the_proof_page() {
    let (Some(axe), Some(chromium)) = (axe(), Chromium::shared(WebMcp::Off).await) else { return };
    let (desk, profile) = (Desk::demo(), chromium.profile().await);
    let page = profile.open(&desk.url("/proof.html")).await;
    let verdict: Value = page.wait_for("document.querySelector('main').dataset.proof").await;
    assert_eq!(verdict, json!("passed"), "{}", page.text().await);
    check(&page, &axe, "the proof").await;
}
