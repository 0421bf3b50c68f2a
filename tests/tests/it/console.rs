//! The console: an approver on an origin of its own, in the same browser profile as the agent.

use serde_json::{Value, json};
use tests::chromium::{Chromium, Profile, WebMcp};
use tests::desk::{Desk, Settings};
use tests::page::Page;
use tests::site::Site;

/// A desk whose approvals are given on the console, and a tab where the approver has signed in.
async fn signed_in(profile: &Profile) -> (Desk, Page) {
    let desk = Settings::demo().flag("--strength", "console").start();
    let console = desk.console_page(profile).await;
    (desk, console)
}

async fn stage(desk: &Desk, profile: &Profile) -> Page {
    let page = profile.open(&desk.url("/t/T-101")).await;
    let agent = page.holder(WebMcp::On).await;
    agent.holds_one("triage_ticket", true).await;
    agent.call("triage_ticket", json!({"ticket_id": "T-101", "category": "refund_request"})).await;
    agent.holds_one("issue_refund", true).await;
    page
}

const ASK: &str = "issue_refund";

fn ask() -> Value {
    json!({"ticket_id": "T-101", "amount": 89})
}

#[tokio::test]
async fn an_approver_decides_on_the_console_and_the_call_on_the_desk_returns() {
    let Some(chromium) = Chromium::shared(WebMcp::On).await else { return };
    let profile = chromium.profile().await;
    let (desk, console) = signed_in(&profile).await;
    let page = stage(&desk, &profile).await;
    let agent = page.holder(WebMcp::On).await;
    agent.holds_one(ASK, true).await;
    let call = agent.start(ASK, ask()).await;
    console.find("button", "Approve").await;
    console.says("$89.00").await;
    // The desk's own page can't: it says where.
    assert_eq!(page.all("button", "Approve").await.len(), 0);
    assert_eq!(call.now().await, None);
    console.find("button", "Approve").await.click().await;
    let answer = call.output().await;
    assert_eq!(answer["outcome"], json!("refunded"), "{answer}");
    assert_eq!(console.complaints(), [""; 0]);
}

#[tokio::test]
async fn the_sign_in_link_works_once() {
    let desk = Settings::demo().flag("--strength", "console").start();
    let link = desk.sign_in_link();
    assert!(link.starts_with(&desk.console("/")), "{link}");
    let Some(chromium) = Chromium::shared(WebMcp::Off).await else { return };
    let (first, second) = (chromium.profile().await, chromium.profile().await);
    let cards = "fetch('/api/approvals').then(answer => answer.status)";
    // Opening it is not using it: a mail scanner does not sign anybody out.
    let (console, late) = (first.open(&link).await, second.open(&link).await);
    assert_eq!(console.eval(cards).await, json!(403));
    for page in [&console, &late] {
        page.load(async { page.find("button", "Sign in").await.click().await }).await;
    }
    assert_eq!(console.eval(cards).await, json!(200));
    assert_eq!(late.eval(cards).await, json!(403));
}

#[tokio::test]
async fn nothing_on_the_desks_origin_can_use_the_approvers_session() {
    let Some(chromium) = Chromium::shared(WebMcp::On).await else { return };
    let profile = chromium.profile().await;
    let (desk, console) = signed_in(&profile).await;
    let page = stage(&desk, &profile).await;
    let agent = page.holder(WebMcp::On).await;
    agent.holds_one(ASK, true).await;
    let call = agent.start(ASK, ask()).await;
    console.find("button", "Approve").await;
    let card =
        console.eval("fetch('/api/approvals').then(r => r.json()).then(all => all.approvals[0])").await;
    let (refund, digest) = (&card["refund_id"], &card["digest"]);
    // A nonce that was minted for the approver, as if it had leaked.
    let open = format!(
        "fetch('/api/approvals/' + {refund} + '/open', {{method: 'POST', body: JSON.stringify({{digest: {digest}}}), \
         headers: {{'content-type': 'application/json'}}}}).then(r => r.json()).then(opened => opened.nonce)"
    );
    let nonce = console.eval(&open).await;

    let origin = json!(desk.console(""));
    let script = format!(
        "(async () => {{
           const body = JSON.stringify({{nonce: {nonce}, digest: {digest}, approved: true}});
           const tries = [];
           const trying = async (name, attempt) => {{
             try {{ tries.push([name, await attempt()]); }} catch (error) {{ tries.push([name, 'refused']); }}
           }};
           const read = answer => answer.text().then(text => answer.status + text);
           for (const base of [{origin}, '']) {{
             await trying('list', () => fetch(base + '/api/approvals', {{credentials: 'include'}}).then(read));
             await trying('decide', () => fetch(base + '/api/refund/decide', {{method: 'POST', body,
               credentials: 'include', headers: {{'content-type': 'application/json'}}}}).then(read));
             await trying('no-cors', () => fetch(base + '/api/refund/decide', {{method: 'POST', body,
               credentials: 'include', mode: 'no-cors'}}).then(answer => answer.type));
             await trying('beacon', async () => navigator.sendBeacon(base + '/api/refund/decide', body));
           }}
           await trying('frame', () => new Promise((resolve, reject) => {{
             const frame = document.createElement('iframe');
             frame.onload = () => {{
               try {{ resolve(frame.contentDocument.body.innerText); }} catch {{ reject(); }}
             }};
             frame.onerror = reject;
             frame.src = {origin} + '/';
             document.body.append(frame);
           }}));
           await trying('form', () => new Promise((resolve, reject) => {{
             const form = document.createElement('form');
             const frame = document.createElement('iframe');
             frame.name = 'target';
             form.target = 'target';
             form.method = 'post';
             form.enctype = 'text/plain';
             form.action = {origin} + '/api/refund/decide';
             const field = document.createElement('input');
             [field.name, field.value] = [body.slice(0, -1) + ',\"note_internal\":\"', '\"}}'];
             form.append(field);
             document.body.append(frame, form);
             form.submit();
             resolve('sent');
           }}));
           await trying('pop-up', async () => {{
             const popup = window.open({origin} + '/');
             return popup && popup.document ? popup.document.body.innerText : 'out of reach';
           }});
           return tries;
         }})()"
    );
    let tries = page.eval(&script).await;
    for attempt in tries.as_array().expect("what was tried") {
        let got = attempt[1].as_str().unwrap_or_default();
        assert!(
            !got.contains("\"paid\"") && !got.contains("$89.00") && !got.contains("\"approvals\":[{"),
            "{tries}"
        );
    }
    let state =
        console.eval("fetch('/api/approvals').then(r => r.json()).then(all => all.approvals[0].state)").await;
    assert_eq!(state, json!("held"), "{tries}");
    assert_eq!(call.now().await, None);
    console.find("button", "Approve").await.click().await;
    assert_eq!(call.output().await["outcome"], json!("refunded"));
}

#[tokio::test]
async fn a_foreign_site_gets_nothing_from_the_console() {
    let Some(chromium) = Chromium::shared(WebMcp::On).await else { return };
    let profile = chromium.profile().await;
    let (desk, console) = signed_in(&profile).await;
    let site = Site::serve([("/", ("", "<title>elsewhere</title><p>a site</p>".to_owned()))]).await;
    let page = profile.open(&site.url("/")).await;
    let script = format!(
        "fetch({} + '/api/approvals', {{credentials: 'include'}}).then(r => r.text(), () => 'refused')",
        json!(desk.console(""))
    );
    assert_eq!(page.eval(&script).await, json!("refused"));
    let headers = desk.client().at("console.localhost").get("/").await;
    assert!(headers.header("content-security-policy").contains("frame-ancestors 'none'"));
    assert!(headers.header("permissions-policy").contains("tools=()"), "{headers:?}");
    assert_eq!(headers.header("cross-origin-opener-policy"), "same-origin");
    assert_eq!(
        console.eval("typeof window.Quarantine").await,
        json!("undefined"),
        "the console loads no widget"
    );
    let registers = "document.modelContext.registerTool({name: 'x', description: 'x', execute() {}})
        .then(() => 'registered', error => error.name)";
    assert_eq!(console.eval(registers).await, json!("NotAllowedError"));
}

#[tokio::test]
async fn the_queue_is_decided_by_keyboard() {
    let Some(chromium) = Chromium::shared(WebMcp::On).await else { return };
    let profile = chromium.profile().await;
    let (desk, console) = signed_in(&profile).await;
    let page = stage(&desk, &profile).await;
    let agent = page.holder(WebMcp::On).await;
    let call = agent.start(ASK, ask()).await;
    let button = console.find("button", "Reject").await;
    button.focus().await;
    console.press("Enter").await;
    assert_eq!(call.output().await["outcome"], json!("rejected"));
}
