//! What the gateway adds to a tool call beside a direct connection in the same run, how long 100 servers with 2,000 tools
//! take to be listed, and how much memory that needs. `cargo bench -p gateway`.
#![expect(clippy::unwrap_used, reason = "a measurement that can't go on stops")]
#![expect(dead_code, reason = "the tests use more of it")]

#[path = "../tests/it/support.rs"]
mod support;

use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::{Host, Place, misbehaving, offer};

const CALLS: usize = 2000;

fn main() {
    calls();
    start();
}

fn calls() {
    let place = Place::with(&[("s", &["plain"])]);
    place.approve(&["s"]);
    let mut command = Command::new(misbehaving());
    command.arg("plain");
    let mut direct = Host::start(command);
    direct.hello(&json!({}));
    let mut through = place.host();
    while through.tools().is_empty() {}
    let arguments = json!({ "text": "x".repeat(200) });
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    // In turns, so that both meet the same machine.
    for round in 0..CALLS + 100 {
        let one = timed(|| direct.call("echo", &arguments));
        let other = timed(|| through.call("s__echo", &arguments));
        if round >= 100 {
            theirs.push(one);
            ours.push(other);
        }
    }
    let (direct, through) = (percentiles(theirs), percentiles(ours));
    println!("call, direct:           p50 {:?}  p99 {:?}", direct.0, direct.1);
    println!("call, through gateway:  p50 {:?}  p99 {:?}", through.0, through.1);
    println!(
        "added:                  p50 {:?}  p99 {:?}",
        through.0.saturating_sub(direct.0),
        through.1.saturating_sub(direct.1)
    );
}

fn timed(what: impl FnOnce() -> Value) -> Duration {
    let started = Instant::now();
    assert_eq!(what()["isError"], false);
    started.elapsed()
}

fn percentiles(mut all: Vec<Duration>) -> (Duration, Duration) {
    all.sort();
    (all[all.len() / 2], all[all.len() * 99 / 100])
}

fn start() {
    let place = Place::with(&[]);
    let mut servers = serde_json::Map::new();
    for number in 0..100 {
        let tools: Vec<Value> = (0..20)
            .map(|tool| {
                json!({ "name": format!("tool_{number}_{tool}"),
                        "description": format!("Does thing {tool} of server {number}. {}", "It is described at some length. ".repeat(8)),
                        "inputSchema": { "type": "object", "properties": {
                            "path": { "type": "string", "description": "Where to look for it." },
                            "count": { "type": "integer", "minimum": 1, "maximum": 100 } }, "required": ["path"] } })
            })
            .collect();
        let file = place.path(&format!("offer-{number}.json"));
        offer(&file, &json!({ "tools": tools }));
        servers.insert(
            format!("server{number:03}"),
            json!({ "command": misbehaving(), "args": ["plain", "--offer", file.display().to_string()] }),
        );
    }
    place.configure(&json!({ "mcpServers": servers }));
    for name in servers.keys() {
        place.approve(&[name, "--despite-findings"]);
    }
    // What the servers take by themselves, one after another as fast as they can be started.
    let started = Instant::now();
    let mut alone = Vec::new();
    for entry in servers.values() {
        let mut command = Command::new(misbehaving());
        command.args(entry["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap()));
        let mut host = Host::start(command);
        host.begin(
            "initialize",
            &json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {} }),
        );
        alone.push(host);
    }
    for host in &mut alone {
        host.answer(1);
        host.tools();
    }
    println!("100 servers, alone:     {:?}", started.elapsed());
    drop(alone);
    let started = Instant::now();
    let mut host = place.host();
    let mut count = 0;
    while count < 2000 {
        count = host.tools().len();
    }
    println!("100 servers, gateway:   {:?} until 2,000 tools are listed", started.elapsed());
    let status = std::fs::read_to_string(format!("/proc/{}/status", host.child.id())).unwrap_or_default();
    for line in status.lines().filter(|line| line.starts_with("VmRSS") || line.starts_with("VmHWM")) {
        println!("gateway alone:          {line}");
    }
}
