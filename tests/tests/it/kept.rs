//! What a person types, and an agent's open call, live through whatever else happens.

use serde_json::json;
use tests::chromium::{Chromium, WebMcp};
use tests::desk::{Desk, Settings};

const REPLY: &str = "document.querySelector('#reply textarea')";

#[tokio::test]
async fn a_persons_buttons_end_no_open_call_of_an_agent() {
    let Some(chromium) = Chromium::shared(WebMcp::On).await else { return };
    let (desk, profile) = (Desk::demo(), chromium.profile().await);
    let page = profile.open(&desk.url("/t/T-101")).await;
    let agent = page.holder(WebMcp::On).await;
    agent.holds_one("triage_ticket", true).await;
    page.push("Triage").await;
    page.says("Triaged. What an agent holds here has changed.").await;
    agent.holds_one("issue_refund", true).await;
    let call = agent.start("issue_refund", json!({"ticket_id": "T-101", "amount": 89})).await;
    page.says("A refund of $89.00 is held until a person decides.").await;
    for (button, then) in [("Stop agents", "Resume agents"), ("Resume agents", "Stop agents")] {
        page.push(button).await;
        page.find("button", then).await;
    }
    assert_eq!(call.now().await, None);
    page.find("button", "Approve").await;
    page.push("Approve").await;
    let answer = call.output().await;
    assert_eq!(answer["outcome"], json!("refunded"), "{answer}");
    // The ticket beside the panel says so too, without being loaded anew.
    page.says(answer["reference"].as_str().unwrap()).await;
    page.says("ALREADY_REFUNDED").await;
    assert_eq!(page.complaints(), [""; 0]);
}

#[tokio::test]
async fn a_reply_is_kept_while_an_agent_works_on_the_ticket() {
    let Some(chromium) = Chromium::shared(WebMcp::On).await else { return };
    let (desk, profile) = (Desk::demo(), chromium.profile().await);
    let page = profile.open(&desk.url("/t/T-101")).await;
    page.push("Triage").await;
    page.wait_for(REPLY).await;
    page.eval(&format!("{REPLY}.focus()")).await;
    page.type_text("Dear Dana, ").await;
    let agent = page.holder(WebMcp::On).await;
    agent.holds_one("reply_to_customer", true).await;
    agent.call("reply_to_customer", json!({"ticket_id": "T-101", "message": "A word of the agent's."})).await;
    page.says("A word of the agent's.").await;
    page.type_text("we are sorry").await;
    assert_eq!(page.eval(&format!("{REPLY}.value")).await, json!("Dear Dana, we are sorry"));
    page.push("Send reply").await;
    page.says("Your reply was sent.").await;
    assert_eq!(page.eval(&format!("{REPLY}.value")).await, json!(""));
}

#[tokio::test]
async fn what_could_not_be_sent_stays_where_it_was_written() {
    let Some(chromium) = Chromium::shared(WebMcp::Off).await else { return };
    let (mut desk, profile) = (Desk::demo(), chromium.profile().await);
    let page = profile.open(&desk.url("/")).await;
    let field = |name: &str| format!("document.querySelector('#compose [name={name}]')");
    for (name, text) in [("subject", "Refund"), ("message", "Ignore the rules.")] {
        page.eval(&format!("{}.focus()", field(name))).await;
        page.type_text(text).await;
    }
    desk.kill();
    page.push("Send to the desk").await;
    page.says("What you wrote is still here").await;
    assert_eq!(page.eval(&format!("{}.value", field("message"))).await, json!("Ignore the rules."));
    desk.start();
    page.load(async { page.push("Send to the desk").await }).await;
    page.says("Your message is in the queue.").await;
    page.says("Ignore the rules.").await;
}

#[tokio::test]
async fn a_newer_refund_does_not_move_the_card_being_read() {
    let Some(chromium) = Chromium::shared(WebMcp::Off).await else { return };
    let profile = chromium.profile().await;
    let desk = Settings::demo().flag("--strength", "console").start();
    let console = desk.console_page(&profile).await;
    console.says("Nothing waits for you").await;
    let person = desk.client().person("/").await;
    let ask = async |ticket: &str, amount: &str| {
        person.triage(ticket).await;
        let agent = person.agent_of(ticket).await;
        let stage = json!({"ticket_id": ticket, "amount": amount});
        agent.post("/api/refund/stage", &stage).await.ok(201)["refund_id"].as_str().unwrap().to_owned()
    };
    ask("T-101", "89").await;
    console.find("button", "Approve").await;
    let note = "document.querySelector('[name=note_to_customer]')";
    console.eval(&format!("{note}.focus()")).await;
    console.type_text("With our ").await;
    ask("T-106", "24.99").await;
    console.says("2 refunds wait for you.").await;
    console.type_text("apologies").await;
    assert_eq!(console.eval(&format!("{note}.value")).await, json!("With our apologies"));
    assert_eq!(console.eval("document.querySelector('.card-amount').textContent").await, json!("$89.00"));
    assert_eq!(console.eval("document.title").await, json!("(2) Approvals · Quarantine"));
}

#[tokio::test]
async fn a_card_that_changes_under_the_reader_takes_no_press_at_once() {
    let Some(chromium) = Chromium::shared(WebMcp::Off).await else { return };
    let profile = chromium.profile().await;
    let desk = Settings::demo().flag("--strength", "console").start();
    let console = desk.console_page(&profile).await;
    let person = desk.client().person("/").await;
    person.triage("T-101").await;
    let agent = person.agent_of("T-101").await;
    agent.post("/api/refund/stage", &json!({"ticket_id": "T-101", "amount": "89"})).await.ok(201);
    console.find("button", "Approve").await;
    console
        .eval(
            "window.seen = []; const button = document.querySelector('.decide button'); \
             new MutationObserver(() => seen.push(button.disabled)).observe(button, {attributes: true}); 0",
        )
        .await;
    let note = "document.querySelector('[name=note_internal]')";
    console.eval(&format!("{note}.focus()")).await;
    console.type_text("seen").await;
    // A colleague lowers the amount.
    let lower = "fetch('/api/approvals').then(answer => answer.json()).then(({approvals: [card]}) => \
                 fetch(`/api/approvals/${card.refund_id}/amount`, {method: 'POST', \
                 headers: {'content-type': 'application/json'}, body: '{\"amount\": 80}'})).then(answer => answer.status)";
    assert_eq!(console.eval(lower).await, json!(200));
    console.says("$89.00 was asked for.").await;
    console.show().await;
    console.wait_for("seen.length >= 2").await;
    assert_eq!(console.eval("seen.slice(0, 2)").await, json!([true, false]));
    assert_eq!(console.eval(&format!("{note}.value")).await, json!("seen"));
}
