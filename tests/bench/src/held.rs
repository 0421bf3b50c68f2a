//! Thousands of refunds held on as many orders, each with a call that waits: how soon an approval reaches its call, and
//! what a waiting call takes up.

use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use tests::desk::people::Held;
use tests::desk::{Desk, Settings};
use tests::http::Client;
use tokio::sync::{Mutex, Semaphore};
use tokio::task::JoinHandle;

use crate::bare::resident;
use crate::figure::{Figure, percentile};
use crate::runtime;

/// `QUARANTINE_HELD` holds fewer.
const HELD: usize = 5_000;
const APPROVED: usize = 500;

struct Waiting {
    person: Client,
    held: Held,
    answered: JoinHandle<Instant>,
}

pub(crate) fn run() {
    let number = std::env::var("QUARANTINE_HELD").ok().and_then(|text| text.parse().ok()).unwrap_or(HELD);
    let desk = Settings::demo().flag("--requests-per-second", "1000000").start();
    runtime().block_on(measure(&desk, number));
}

async fn measure(desk: &Desk, number: usize) {
    let staged = stage(desk, number).await;
    let before = resident(desk.process());
    let connections = staged.len();
    let mut waiting = Vec::new();
    for (person, agent, held) in staged {
        let answered = tokio::spawn(wait(agent, held.refund.clone()));
        waiting.push(Waiting { person, held, answered });
    }
    settled(desk).await;
    let each = (resident(desk.process()).saturating_sub(before)) as f64 / connections as f64;

    let disk = disk(desk);
    let mut took = Vec::new();
    for one in waiting.drain(..APPROVED.min(connections)) {
        let nonce = one.person.nonce(&one.held).await;
        let pressed = Instant::now();
        let decided = one.person.decide(&nonce, true, &one.held.card["digest"]).await;
        assert_eq!(decided.status, 200, "{}", decided.text());
        let answered = one.answered.await.expect("the call returns");
        took.push(answered.saturating_duration_since(pressed));
    }
    for one in waiting {
        one.answered.abort();
    }
    let (half, most) = (percentile(&mut took, 0.5), percentile(&mut took, 0.99));
    let allowed = Duration::from_millis(25) + disk;
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    println!("{connections} refunds are held on {connections} orders and connections");
    Figure {
        what: "approve, until the agent's call returns, p99",
        ours: format!("{:.1} ms (p50 {:.1})", milliseconds(most), milliseconds(half)),
        reference: format!("4 KiB and fdatasync, p99: {:.1} ms", milliseconds(disk)),
        ratio: format!("{:.1} x", most.as_secs_f64() / disk.as_secs_f64()),
        budget: "at most 25 ms more than the disk",
        met: most <= allowed,
    }
    .print();
    Figure {
        what: "memory of a call that waits",
        ours: format!("{each:.1} KiB"),
        reference: "all of the process before they wait".to_owned(),
        ratio: format!("{:.0} KiB", before as f64),
        budget: "at most 20 KiB",
        met: each <= 20.0,
    }
    .print();
}

/// Each in a sandbox of its own, so that each is of an order of its own.
async fn stage(desk: &Desk, number: usize) -> Vec<(Client, Client, Held)> {
    let (staged, at_once) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Semaphore::new(16)));
    let mut tasks = Vec::new();
    for _ in 0..number {
        let (client, staged, at_once) = (desk.client(), Arc::clone(&staged), Arc::clone(&at_once));
        tasks.push(tokio::spawn(async move {
            let _turn = at_once.acquire().await.expect("a turn");
            let person = client.person("/").await;
            person.triage("T-101").await;
            let agent = person.agent_of("T-101").await;
            let stage = json!({"ticket_id": "T-101", "amount": "89.00"});
            let refund = agent.post("/api/refund/stage", &stage).await.ok(201)["refund_id"].clone();
            let refund = refund.as_str().unwrap_or_default().to_owned();
            let card = person.card(&refund).await;
            staged.lock().await.push((person, agent, Held { refund, card }));
        }));
    }
    for task in tasks {
        task.await.expect("a refund is staged");
    }
    std::mem::take(&mut *staged.lock().await)
}

/// The moment at which the call returned.
async fn wait(agent: Client, refund: String) -> Instant {
    loop {
        let answer = agent.get(&format!("/api/refund/{refund}?wait=60")).await;
        if answer.json()["outcome"].is_object() {
            return Instant::now();
        }
    }
}

/// Waits until the server's memory no longer grows: all connections have arrived.
async fn settled(desk: &Desk) {
    let mut last = 0;
    loop {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let now = resident(desk.process());
        if now <= last {
            return;
        }
        last = now;
    }
}

/// What one durable write of the same disk takes, at the slow end.
fn disk(desk: &Desk) -> Duration {
    let mut file = std::fs::File::create(desk.data().join("probe")).expect("a file beside the records");
    let block = [7; 4096];
    let mut took: Vec<Duration> = (0..300)
        .map(|_| {
            let begun = Instant::now();
            file.write_all(&block).and_then(|()| file.sync_data()).expect("the disk takes it");
            begun.elapsed()
        })
        .collect();
    percentile(&mut took, 0.99)
}
