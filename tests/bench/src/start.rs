//! From starting the program to its first answer, and what it takes up while nothing happens.

use std::time::{Duration, Instant};

use serde_json::json;
use tests::desk::Desk;

use crate::bare::{Bare, resident};
use crate::figure::{Figure, median};

const ROUNDS: usize = 11;

pub(crate) fn run() {
    let mut desk = Desk::demo();
    // It was started before: the tables are there, as at every start but the first.
    desk.kill();
    let mut own = Vec::new();
    let mut reference = Vec::new();
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        desk.start();
        answered(desk.port());
        own.push(begun.elapsed());
        desk.kill();
        let begun = Instant::now();
        let bare = Bare::start(&json!({}));
        answered(bare.port);
        reference.push(begun.elapsed());
    }
    let (own, reference) = (median(own), median(reference));
    Figure {
        what: "start to first answer",
        ours: format!("{} ms", own.as_millis()),
        reference: format!("bare axum process: {} ms", reference.as_millis()),
        ratio: format!("{:.1} x", own.as_secs_f64() / reference.as_secs_f64()),
        budget: "at most 150 ms",
        met: own <= Duration::from_millis(150),
    }
    .print();
    desk.start();
    answered(desk.port());
    let bare = Bare::start(&json!({}));
    let (own, reference) = (resident(desk.process()), resident(bare.process()));
    Figure {
        what: "resident memory, idle",
        ours: format!("{:.1} MiB", own as f64 / 1024.0),
        reference: format!("bare axum process: {:.1} MiB", reference as f64 / 1024.0),
        ratio: format!("{:.1} x", own as f64 / reference as f64),
        budget: "at most 30 MiB",
        met: own <= 30 * 1024,
    }
    .print();
}

/// Waits until something answers on a port, asking again at once.
fn answered(port: u16) {
    use std::io::{Read, Write};
    loop {
        if let Ok(mut stream) = std::net::TcpStream::connect(("127.0.0.1", port)) {
            let asked =
                format!("GET /healthz HTTP/1.1\r\nhost: localhost:{port}\r\nconnection: close\r\n\r\n");
            let mut answer = String::new();
            if stream.write_all(asked.as_bytes()).is_ok()
                && stream.read_to_string(&mut answer).is_ok_and(|n| n > 0)
            {
                return;
            }
        }
    }
}
