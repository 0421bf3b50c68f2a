//! A desk where a person sends replies: the reply form is the tool, an agent fills it, a person reads it and sends it.

use serde_json::{Value, json};
use tests::chromium::{Chromium, WebMcp};
use tests::desk::{Desk, Settings};
use tests::holder::Holder;
use tests::page::Page;

const REPLY: &str = "reply_to_customer";

fn desk() -> Desk {
    Settings::demo().flag("--replies", "person").start()
}

async fn triaged(page: &Page, agent: &Holder<'_>) {
    agent.holds_one("triage_ticket", true).await;
    agent.call("triage_ticket", json!({"ticket_id": "T-101", "category": "shipping"})).await;
    agent.holds_one(REPLY, true).await;
    page.find("button", "Send reply").await;
}

async fn written(page: &Page) -> Value {
    page.find("textbox", "To the customer").await.on("function () { return this.value; }").await
}

async fn sent(page: &Page) -> Vec<(String, String)> {
    let ticket = page.eval("fetch('/api/tickets/T-101').then(answer => answer.json())").await;
    let messages = ticket["untrusted"]["messages"].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    messages.iter().skip(1).map(|message| (text(&message["from"]), text(&message["text"]))).collect()
}

async fn a_person_reads_changes_and_sends(webmcp: WebMcp) {
    let Some(chromium) = Chromium::shared(webmcp).await else { return };
    let desk = desk();
    let profile = chromium.profile().await;
    let page = &profile.open(&desk.url("/t/T-101")).await;
    let agent = &page.holder(webmcp).await;
    triaged(page, agent).await;

    // The person is elsewhere, and stays there.
    page.find("link", "Record").await.focus().await;
    let call = agent.start(REPLY, json!({"message": "Your money is on its way"})).await;
    page.says("An agent wrote this. Read it, change it, then send it.").await;
    assert_eq!(written(page).await, "Your money is on its way");
    assert_eq!(page.eval("document.activeElement.textContent").await, "Record");

    // A redraw of the page leaves the open call alone.
    page.eval(
        "fetch('/api/tickets/T-102/triage', {method: 'POST', headers: {'content-type': 'application/json'}, \
         body: '{\"category\": \"other\"}'}).then(answer => answer.status)",
    )
    .await;
    page.wait_for("document.querySelector('a.row[href=\"/t/T-102\"]').textContent.includes('Triaged')").await;
    assert_eq!(call.now().await, None);

    // Nobody has read it yet, so the first press does not send.
    page.find("button", "Send reply").await.click().await;
    page.says("Read what the agent wrote, then press again.").await;
    assert_eq!(sent(page).await, []);

    // A person's own act in the form arms it.
    page.find("textbox", "To the customer").await.click().await;
    // The click lands behind the text.
    page.type_text(", once it is approved.").await;
    page.push("Send reply").await;
    let answer = call.output().await;
    assert_eq!((&answer["outcome"], &answer["edited"]), (&json!("sent"), &json!(true)), "{answer}");
    let text = "Your money is on its way, once it is approved.";
    assert_eq!(sent(page).await, [("person".to_owned(), text.to_owned())]);
    page.says("Sent.").await;
    assert_eq!(page.complaints(), [""; 0]);
}

async fn a_script_sends_nothing(webmcp: WebMcp) {
    let Some(chromium) = Chromium::shared(webmcp).await else { return };
    let desk = desk();
    let profile = chromium.profile().await;
    let page = &profile.open(&desk.url("/t/T-101")).await;
    let agent = &page.holder(webmcp).await;
    triaged(page, agent).await;
    for script in ["button.click()", "form.requestSubmit()", "form.requestSubmit(button)"] {
        let call = agent.start(REPLY, json!({"message": "Paid."})).await;
        page.says("An agent wrote this").await;
        page.eval(&format!(
            "(() => {{ const form = document.querySelector('#reply form'), button = form.querySelector('button');
               form.elements.message.dispatchEvent(new KeyboardEvent('keydown', {{key: 'a', bubbles: true}}));
               {script}; }})()"
        ))
        .await;
        let answer = call.output().await;
        assert_eq!(answer["error"], "NOT_SENT", "{script}: {answer}");
    }
    assert_eq!(sent(page).await, []);
}

async fn a_later_fill_shows_what_it_replaced(webmcp: WebMcp) {
    let Some(chromium) = Chromium::shared(webmcp).await else { return };
    let desk = desk();
    let profile = chromium.profile().await;
    let page = &profile.open(&desk.url("/t/T-101")).await;
    let agent = &page.holder(webmcp).await;
    triaged(page, agent).await;
    page.find("textbox", "To the customer").await.click().await;
    page.type_text("Half a sentence of mine").await;
    let call = agent.start(REPLY, json!({"message": "The agent's text"})).await;
    page.says("An agent wrote this over: \u{201c}Half a sentence of mine\u{201d}.").await;
    page.find("button", "Put it back").await.click().await;
    assert_eq!(written(page).await, "Half a sentence of mine");
    call.cancel().await;
    page.says("The agent waits no longer.").await;
    assert_eq!(written(page).await, "Half a sentence of mine");
}

/// Tells a journey with WebMCP and without.
macro_rules! twice {
    ($($name:ident)*) => {
        $(
            mod $name {
                #[tokio::test]
                async fn with_webmcp() {
                    super::$name(super::WebMcp::On).await;
                }

                #[tokio::test]
                async fn through_the_fallback() {
                    super::$name(super::WebMcp::Off).await;
                }
            }
        )*
    };
}

twice! {
    a_person_reads_changes_and_sends
    a_script_sends_nothing
    a_later_fill_shows_what_it_replaced
}

#[tokio::test]
async fn an_agent_that_speaks_http_is_told_that_a_person_sends() {
    let desk = desk();
    let person = desk.client().person("/t/T-101").await;
    person.triage("T-101").await;
    let agent = person.agent_of("T-101").await;
    agent.post("/api/tickets/T-101/reply", &json!({"message": "Hello"})).await.refused(409, "NOT_AVAILABLE");
    person.post("/api/tickets/T-101/reply", &json!({"message": "Hello"})).await.ok(200);
}
