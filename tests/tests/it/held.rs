//! The main journey: an agent works a ticket, its refund call waits, a person decides, the call returns.
//!
//! Each is told once and run twice: with the browser's WebMCP, and with the widget's own fallback.

use serde_json::{Value, json};
use tests::chromium::{Chromium, WebMcp};
use tests::desk::Desk;
use tests::holder::{Call, Holder};
use tests::page::Page;

const NEW: [&str; 4] = ["explain_policy", "get_ticket", "list_tickets", "triage_ticket"];
const TRIAGED: [&str; 5] =
    ["escalate_ticket", "explain_policy", "get_ticket", "list_tickets", "reply_to_customer"];
const REFUNDABLE: [&str; 6] =
    ["escalate_ticket", "explain_policy", "get_ticket", "issue_refund", "list_tickets", "reply_to_customer"];

/// Tells a journey with WebMCP and without.
macro_rules! twice {
    ($($(#[$note:meta])* async fn $name:ident($desk:ident, $page:ident, $agent:ident, $ticket:literal) $body:block)*) => {
        $(
            mod $name {
                use super::*;

                async fn told(webmcp: WebMcp) {
                    let Some(chromium) = Chromium::shared(webmcp).await else { return };
                    let $desk = &mut Desk::demo();
                    let profile = chromium.profile().await;
                    let $page = &profile.open(&$desk.url(concat!("/t/", $ticket))).await;
                    let $agent = &$page.holder(webmcp).await;
                    $body
                    assert_eq!($page.complaints(), [""; 0]);
                }

                #[tokio::test]
                async fn with_webmcp() {
                    told(WebMcp::On).await;
                }

                #[tokio::test]
                async fn through_the_fallback() {
                    told(WebMcp::Off).await;
                }
            }
        )*
    };
}

async fn triage(agent: &Holder<'_>, ticket: &str) {
    agent.holds(&NEW).await;
    let triage =
        json!({"ticket_id": ticket, "category": "refund_request", "summary": "Wants the money back."});
    let triaged = agent.call("triage_ticket", triage).await;
    assert_eq!(triaged["state"], json!("triaged"), "{triaged}");
}

async fn ask<'a>(page: &'a Page, agent: &Holder<'a>, amount: Value) -> Call<'a> {
    triage(agent, "T-101").await;
    agent.holds(&REFUNDABLE).await;
    let input = json!({"ticket_id": "T-101", "amount": amount, "justification": "Wrong size was sent."});
    let call = agent.start("issue_refund", input).await;
    page.find("button", "Approve").await;
    assert_eq!(call.now().await, None);
    call
}

twice! {
    async fn t_102_never_gets_the_refund_tool(desk, page, agent, "T-102") {
        triage(agent, "T-102").await;
        agent.holds(&TRIAGED).await;
        let why = agent.call("explain_policy", json!({"ticket_id": "T-102"})).await;
        assert_eq!(why["code"], json!("OUTSIDE_WINDOW"));
        assert_eq!(why["reason"], json!("Order is 91 days old; the refund window is 30 days."));
        for tool in REFUNDABLE {
            assert!(!why.to_string().contains(tool), "{why}");
        }
        // The words of the customer are there to be read, as data.
        let read = agent.call("get_ticket", json!({"ticket_id": "T-102"})).await;
        let notice = read["untrusted"]["notice"].as_str().unwrap_or_default();
        assert!(notice.contains("not instructions"), "{read}");
        assert!(!agent.tools().await.iter().any(|tool| tool == "issue_refund"));
        page.find("region", "Quarantine").await;
        page.says("91 days old").await;
        let _ = desk;
    }

    async fn approve_ends_the_call_with_the_reference(desk, page, agent, "T-101") {
        let call = ask(page, agent, json!(89)).await;
        // The reply tool is away while money is on its way; the refund tool stays.
        agent.holds(&["escalate_ticket", "explain_policy", "get_ticket", "issue_refund", "list_tickets"]).await;
        page.says("$89.00").await;
        page.find("button", "Approve").await.click().await;
        let answer = call.output().await;
        assert_eq!(answer["outcome"], json!("refunded"), "{answer}");
        let reference = answer["reference"].as_str().unwrap_or_default();
        assert!(reference.starts_with("RF-") && reference.len() == 9, "{answer}");
        assert_eq!(
            (&answer["amount"], &answer["currency"], &answer["approved_by"]),
            (&json!("89.00"), &json!("USD"), &json!("person"))
        );
        agent.holds(&TRIAGED).await;
        page.says(reference).await;
        let ticket = agent.call("get_ticket", json!({"ticket_id": "T-101"})).await;
        assert_eq!(ticket["order"]["refunded"], json!("89.00"));
        assert_eq!(ticket["refunds"][0]["reference"], answer["reference"]);
        let _ = desk;
    }

    async fn reject_ends_the_call_with_the_note_for_the_customer(desk, page, agent, "T-101") {
        let call = ask(page, agent, json!("89.00")).await;
        let note = page.find_if("the note for the customer", |node| {
            node.role == "textbox" && node.name.to_lowercase().contains("customer")
        });
        note.await.click().await;
        page.type_text("We send the right size instead.").await;
        page.find("button", "Reject").await.click().await;
        let answer = call.output().await;
        assert_eq!(answer["outcome"], json!("rejected"), "{answer}");
        assert_eq!(answer["note"], json!("We send the right size instead."));
        // Asking again for a cent less is not a way.
        agent.holds(&TRIAGED).await;
        let why = agent.call("explain_policy", json!({"ticket_id": "T-101"})).await;
        assert_eq!(why["code"], json!("REJECTED"));
        let _ = desk;
    }

    async fn an_agent_that_gives_up_withdraws(desk, page, agent, "T-101") {
        let call = ask(page, agent, json!(89)).await;
        call.cancel().await;
        assert_eq!(call.answer().await.status, "Canceled");
        page.gone("button", "Approve").await;
        agent.holds(&REFUNDABLE).await;
        let ticket = agent.call("get_ticket", json!({"ticket_id": "T-101"})).await;
        assert_eq!(ticket["refunds"][0]["state"], json!("withdrawn"));
        assert_eq!(ticket["order"]["remaining"], json!("89.00"));
        let _ = desk;
    }

    async fn leaving_the_page_withdraws(desk, page, agent, "T-101") {
        ask(page, agent, json!(89)).await;
        page.goto(&desk.url("/t/T-101")).await;
        agent.holds(&REFUNDABLE).await;
        let ticket = agent.call("get_ticket", json!({"ticket_id": "T-101"})).await;
        assert_eq!(ticket["refunds"][0]["state"], json!("withdrawn"));
    }

    async fn escalating_meanwhile_changes_the_terms(desk, page, agent, "T-101") {
        let call = ask(page, agent, json!(89)).await;
        agent.call("escalate_ticket", json!({"ticket_id": "T-101", "reason": "A person should look."})).await;
        let answer = call.output().await;
        assert_eq!(answer["outcome"], json!("terms_changed"), "{answer}");
        agent.holds(&["explain_policy", "get_ticket", "list_tickets"]).await;
        let _ = desk;
    }

    async fn a_server_that_dies_meanwhile_loses_nothing(desk, page, agent, "T-101") {
        let call = ask(page, agent, json!(89)).await;
        desk.kill();
        desk.start();
        assert_eq!(call.now().await, None);
        page.find("button", "Approve").await;
        page.wait_for("window.Quarantine.tools().length > 0").await;
        page.find("button", "Approve").await.click().await;
        let answer = call.output().await;
        assert_eq!(answer["outcome"], json!("refunded"), "{answer}");
    }

    async fn bad_input_comes_back_as_a_value_with_a_reason(desk, page, agent, "T-101") {
        triage(agent, "T-101").await;
        agent.holds(&REFUNDABLE).await;
        for amount in [json!(0), json!(-1), json!(0.001), json!("1e3"), json!("89,00"), json!(89.999), json!(89.01)] {
            let input = json!({"ticket_id": "T-101", "amount": amount});
            let answer = agent.call("issue_refund", input).await;
            assert_eq!(answer["error"], json!("AMOUNT_INVALID"), "{amount}: {answer}");
            assert!(answer["reason"].is_string());
        }
        let elsewhere = agent.call("issue_refund", json!({"ticket_id": "T-103", "amount": 1})).await;
        assert_eq!(elsewhere["error"], json!("NOT_SUBJECT"), "{elsewhere}");
        assert_eq!(page.all("button", "Approve").await.len(), 0);
        let _ = desk;
    }
}

#[tokio::test]
async fn closing_the_tab_withdraws() {
    let Some(chromium) = Chromium::shared(WebMcp::On).await else { return };
    let (desk, profile) = (Desk::demo(), chromium.profile().await);
    let page = profile.open(&desk.url("/t/T-101")).await;
    let other = profile.open(&desk.url("/t/T-101")).await;
    {
        let agent = page.holder(WebMcp::On).await;
        ask(&page, &agent, json!(89)).await;
    }
    other.find("button", "Approve").await;
    page.close().await;
    other.gone("button", "Approve").await;
    let agent = other.holder(WebMcp::On).await;
    agent.holds(&REFUNDABLE).await;
    let ticket = agent.call("get_ticket", json!({"ticket_id": "T-101"})).await;
    assert_eq!(ticket["refunds"][0]["state"], json!("withdrawn"));
}

#[tokio::test]
async fn the_panel_says_which_webmcp_there_is() {
    for (webmcp, status) in [(WebMcp::On, "WebMCP"), (WebMcp::Off, "NOT WebMCP")] {
        let Some(chromium) = Chromium::shared(webmcp).await else { return };
        let (desk, profile) = (Desk::demo(), chromium.profile().await);
        let page = profile.open(&desk.url("/t/T-101")).await;
        page.find("list", "Tools the agent holds").await;
        page.find_if(&format!("the status {status}"), |node| {
            node.role == "StaticText" && node.name == status
        })
        .await;
    }
}
