//! `GET /api/policy` beside a bare axum handler that answers the same bytes.

use std::time::Duration;

use tests::desk::Settings;

use crate::bare::Bare;
use crate::figure::{Figure, median};
use crate::load::answers_per_second;
use crate::runtime;

const ROUNDS: usize = 7;
const CONNECTIONS: usize = 32;
const TIME: Duration = Duration::from_secs(2);

pub(crate) fn run() {
    let desk = Settings::demo().flag("--requests-per-second", "1000000").start();
    runtime().block_on(async {
        let person = desk.client().person("/").await;
        person.triage("T-101").await;
        let agent = person.agent_of("T-101").await;
        let permit = agent.get("/api/policy?ticket=T-101").await.ok(200);
        let bare = Bare::start(&permit);
        let request =
            |path: &str, more: &str| format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n{more}\r\n");
        let host = format!("GET /api/policy?ticket=T-101 HTTP/1.1\r\nhost: localhost:{}\r\n", desk.port());
        let ours = format!("{host}authorization: {}\r\n\r\n", agent.sent("authorization"));
        let theirs = request("/", "");
        let (mut own, mut reference) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            own.push(answers_per_second(desk.port(), &ours, CONNECTIONS, TIME).await);
            reference.push(answers_per_second(bare.port, &theirs, CONNECTIONS, TIME).await);
        }
        let ratio = median(own.iter().zip(&reference).map(|(own, reference)| own / reference).collect());
        Figure {
            what: "GET /api/policy, answers a second",
            ours: format!("{:.0}", median(own)),
            reference: format!("bare axum handler, same bytes: {:.0}", median(reference)),
            ratio: format!("{ratio:.2} x"),
            budget: "at least 0.7 x",
            met: ratio >= 0.7,
        }
        .print();
    });
}
