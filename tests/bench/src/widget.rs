//! What a page loads for the widget, and how soon its tools are there, beside plain JavaScript that does the same.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use tests::chromium::{Chromium, WebMcp};
use tests::desk::Desk;
use tests::page::Page;
use tests::site::Site;

use crate::figure::{Figure, median};
use crate::runtime;

const ROUNDS: usize = 25;
const TOOLS: u32 = 4;

/// Deferred scripts start when the document has been read.
const WATCH: &str = "
    document.addEventListener('readystatechange', () => { if (document.readyState === 'interactive')
        window.begun = performance.now(); });
    if (document.modelContext) {
        const register = document.modelContext.registerTool.bind(document.modelContext);
        window.registered = [];
        document.modelContext.registerTool = (...all) => {
            const done = register(...all);
            done.then(() => registered.push(performance.now()), () => {});
            return done;
        };
    }";

pub(crate) fn run() {
    runtime().block_on(async {
        let Some(chromium) = Chromium::start(WebMcp::On).await else {
            println!("Chromium is missing: the widget is not measured.");
            return;
        };
        let desk = Desk::demo();
        size(&chromium, &desk).await;
        time(&chromium, &desk).await;
    });
}

async fn size(chromium: &Chromium, desk: &Desk) {
    let profile = chromium.profile().await;
    let page = profile.open(&desk.url("/t/T-101")).await;
    page.find("list", "Tools the agent holds").await;
    let loaded = page.eval("performance.getEntriesByType('resource').map(one => one.name)").await;
    let mut total = 0;
    for address in loaded.as_array().into_iter().flatten().filter_map(Value::as_str) {
        let path = address.strip_prefix(&desk.url("")).unwrap_or_default();
        let file = path.split('?').next().unwrap_or_default();
        if file.contains("quarantine") && (file.ends_with(".js") || file.ends_with(".wasm")) {
            total += gzipped(&desk.client().get(path).await.body);
        }
    }
    let kib = total as f64 / 1024.0;
    Figure {
        what: "/quarantine.js with its wasm, gzipped",
        ours: format!("{kib:.1} KiB"),
        reference: "the budget".to_owned(),
        ratio: format!("{:.2} x", kib / 40.0),
        budget: "at most 40 KiB",
        met: total > 10_000 && kib <= 40.0,
    }
    .print();
}

fn gzipped(bytes: &[u8]) -> usize {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).map_or(0, |packed| packed.len())
}

async fn time(chromium: &Chromium, desk: &Desk) {
    // The same work by hand: ask for the permit, then register the tools it names.
    let tools = include_str!("plain.js");
    let permit =
        json!({"tools": ["list_tickets", "get_ticket", "explain_policy", "triage_ticket"]}).to_string();
    let plain = Site::serve([
        ("/", ("", "<!doctype html><title>plain</title><script src='/plain.js' defer></script>".to_owned())),
        ("/plain.js", ("", tools.to_owned())),
        ("/api/policy", ("", permit)),
    ])
    .await;
    let (mut own, mut reference) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        own.push(until_registered(chromium, &desk.url("/t/T-101")).await);
        reference.push(until_registered(chromium, &plain.url("/")).await);
    }
    let (own, reference) = (median(own), median(reference));
    Figure {
        what: "script start until tools are registered",
        ours: format!("{own:.0} ms"),
        reference: format!("plain JavaScript doing the same: {reference:.0} ms"),
        ratio: format!("{:.1} x", own / reference),
        budget: "at most 60 ms, at most 2.5 x",
        met: own <= 60.0 && own / reference <= 2.5,
    }
    .print();
}

async fn until_registered(chromium: &Chromium, url: &str) -> f64 {
    let profile = chromium.profile().await;
    let page: Page = profile.tab().await;
    page.before_scripts(WATCH).await;
    page.goto(url).await;
    page.wait_for(&format!("registered.length >= {TOOLS}")).await;
    let took = page.eval(&format!("registered[{}] - begun", TOOLS - 1)).await;
    page.close().await;
    took.as_f64().unwrap_or(f64::INFINITY)
}
