//! The server is killed at random moments of a held refund. Nothing is lost, nothing is paid twice, and the call that is
//! open in the page gets its answer.
//!
//! `QUARANTINE_CRASHES` sets how many times on each store; a few by default.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::json;
use tests::chromium::{Chromium, WebMcp};
use tests::deadline::until;
use tests::desk::postgres::Postgres;
use tests::desk::{Desk, Settings};
use tests::holder::Call;
use tests::page::Page;

#[tokio::test]
async fn killed_at_random_moments_on_sqlite() {
    let Some(chromium) = Chromium::shared(WebMcp::On).await else { return };
    crash(chromium, Settings::demo().start()).await;
}

#[tokio::test]
async fn killed_at_random_moments_on_postgresql() {
    let Some(chromium) = Chromium::shared(WebMcp::On).await else { return };
    let Some(postgres) = Postgres::shared().await else { return };
    crash(chromium, Settings::demo().database(postgres.database()).start()).await;
}

async fn crash(chromium: &Chromium, mut desk: Desk) {
    let times = std::env::var("QUARANTINE_CRASHES").ok().and_then(|times| times.parse().ok()).unwrap_or(6);
    let seed = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |now| now.subsec_nanos() | 1);
    eprintln!("seed {seed}");
    let mut random = Random(u64::from(seed));
    let profile = chromium.profile().await;
    let page = profile.open(&desk.url("/t/T-101")).await;
    for round in 0..times {
        let agent = page.holder(WebMcp::On).await;
        if round > 0 {
            page.load(page.eval(
                "fetch('/api/reset', {method: 'POST', body: '{}', headers: {'content-type': \
                                 'application/json'}}).then(() => { location.reload(); })",
            ))
            .await;
        }
        agent.holds_one("triage_ticket", true).await;
        agent.call("triage_ticket", json!({"ticket_id": "T-101", "category": "refund_request"})).await;
        agent.holds_one("issue_refund", true).await;
        let call = agent.start("issue_refund", json!({"ticket_id": "T-101", "amount": "89.00"})).await;
        page.find("button", "Approve").await;

        // Somewhere between before the press and after the payment.
        let moment = Duration::from_micros(random.below(60_000));
        let press = async {
            page.find("button", "Approve").await.click().await;
        };
        let kill = async {
            tokio::time::sleep(moment).await;
            desk.kill();
        };
        tokio::join!(press, kill);
        desk.start();
        let answer = decided(&page, &call).await;
        assert_eq!(answer["outcome"], json!("refunded"), "round {round}, killed after {moment:?}: {answer}");

        let ticket = agent.call("get_ticket", json!({"ticket_id": "T-101"})).await;
        assert_eq!(ticket["order"]["refunded"], json!("89.00"), "round {round}, killed after {moment:?}");
        let refunds = ticket["refunds"].as_array().expect("the refunds");
        let paid = refunds.iter().filter(|refund| refund["state"] == "paid").count();
        assert_eq!((paid, refunds.len()), (1, 1), "round {round}, killed after {moment:?}: {ticket}");
    }
}

/// The answer of the call; if the press was lost with the server, it is pressed again.
async fn decided(page: &Page, call: &Call<'_>) -> serde_json::Value {
    until("the call to end", || async {
        if let Some(answer) = call.now().await {
            assert_eq!(answer.status, "Completed", "{answer:?}");
            return Some(answer.output);
        }
        for button in page.all("button", "Approve").await {
            if !button.is("disabled") {
                // It may go while it is being pressed.
                let _ = button.try_click().await;
            }
        }
        None
    })
    .await
}

/// Numbers enough for moments.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}
