//! `cargo xtask screenshots`: the pictures in docs/screenshots, of a desk that was just started.

use std::path::PathBuf;

use serde_json::json;
use tests::chromium::{Chromium, Profile, WebMcp};
use tests::deadline::{LONG, LOOK};
use tests::desk::{Desk, Settings, root};
use tests::page::Page;

const WIDE: (u32, u32) = (1360, 860);
const PHONE: (u32, u32) = (360, 740);

#[tokio::main]
async fn main() {
    let Some(chromium) = Chromium::start(WebMcp::On).await else {
        eprintln!("Chromium is missing.");
        std::process::exit(2);
    };
    let desk = Desk::demo();
    the_attack(&chromium.profile().await, &desk).await;
    a_held_refund(&chromium.profile().await, &desk).await;
    the_console(&chromium.profile().await).await;
    the_proof(&chromium.profile().await, &desk).await;
}

async fn take(page: &Page, name: &str, theme: &str, (width, height): (u32, u32)) {
    page.show().await;
    page.theme(theme).await;
    page.size(width, height).await;
    let name = format!("{name}-{theme}.png");
    let picture = page.screenshot().await;
    let folder: PathBuf = root().join("docs/screenshots");
    std::fs::create_dir_all(&folder)
        .and_then(|()| std::fs::write(folder.join(&name), &picture))
        .expect("a place");
    println!("docs/screenshots/{name}: {} KiB", picture.len() / 1024);
}

/// T-102 after triage: the message that gives orders, and why no refund tool is there.
async fn the_attack(profile: &Profile, desk: &Desk) {
    let page = profile.tab().await;
    page.size(WIDE.0, WIDE.1).await;
    page.goto(&desk.url("/t/T-102")).await;
    let agent = page.holder(WebMcp::On).await;
    agent.holds_one("triage_ticket", true).await;
    agent.call("triage_ticket", json!({"ticket_id": "T-102", "category": "refund_request"})).await;
    agent.holds_one("escalate_ticket", true).await;
    for theme in ["light", "dark"] {
        take(&page, "desk", theme, WIDE).await;
    }
}

/// T-101 with an agent's call that waits.
async fn a_held_refund(profile: &Profile, desk: &Desk) {
    let page = profile.tab().await;
    page.size(WIDE.0, WIDE.1).await;
    page.goto(&desk.url("/t/T-101")).await;
    let agent = page.holder(WebMcp::On).await;
    agent.holds_one("triage_ticket", true).await;
    agent.call("triage_ticket", json!({"ticket_id": "T-101", "category": "refund_request"})).await;
    agent.holds_one("issue_refund", true).await;
    let words = "The customer was sent a size 9 instead of an 11 and wants the money back.";
    let input = json!({"ticket_id": "T-101", "amount": 89, "justification": words});
    let call = agent.start("issue_refund", input).await;
    armed(&page).await;
    for theme in ["light", "dark"] {
        take(&page, "held", theme, WIDE).await;
    }
    page.size(PHONE.0, PHONE.1).await;
    let approve = page.find("button", "Approve").await;
    approve.on("function () { this.scrollIntoView({block: 'end'}); }").await;
    take(&page, "phone", "light", PHONE).await;
    page.size(WIDE.0, WIDE.1).await;
    page.push("Approve").await;
    call.output().await;
    page.gone("button", "Approve").await;
    take(&page, "paid", "light", WIDE).await;
}

async fn the_console(profile: &Profile) {
    let desk = Settings::demo().flag("--strength", "console").start();
    let console = desk.console_page(profile).await;
    console.size(WIDE.0, WIDE.1).await;
    let person = desk.client().person("/").await;
    for (ticket, amount) in [("T-101", "89.00"), ("T-106", "24.99")] {
        person.triage(ticket).await;
        let words = "Within the window, and delivered.";
        let stage = json!({"ticket_id": ticket, "amount": amount, "justification": words});
        let agent = person.agent_of(ticket).await;
        let staged = agent.post("/api/refund/stage", &stage).await.ok(201);
        let wait = format!("/api/refund/{}?wait=60", staged["refund_id"].as_str().unwrap_or_default());
        tokio::spawn(async move { agent.attempt("GET", &wait, None).await });
    }
    console.reload().await;
    armed(&console).await;
    for theme in ["light", "dark"] {
        take(&console, "console", theme, WIDE).await;
    }
}

async fn the_proof(profile: &Profile, desk: &Desk) {
    let page = profile.tab().await;
    page.size(WIDE.0, WIDE.1).await;
    page.goto(&desk.url("/proof.html")).await;
    let finished = async {
        let mut ticks = tokio::time::interval(LOOK);
        loop {
            ticks.tick().await;
            if page
                .attempt("document.querySelector('main').dataset.proof")
                .await
                .is_ok_and(|it| it.is_string())
            {
                return;
            }
        }
    };
    tokio::time::timeout(LONG, finished).await.expect("the proof ends");
    take(&page, "proof", "light", WIDE).await;
}

/// Waits until the buttons take clicks and nothing is being drawn any more.
async fn armed(page: &Page) {
    for _ in 0..2 {
        page.find_if("buttons that take clicks", |node| node.name == "Approve" && !node.is("disabled")).await;
        page.eval("new Promise(drawn => setTimeout(drawn, 1500))").await;
    }
}
