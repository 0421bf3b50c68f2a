//! What goes wrong with one server stays with it.

use serde_json::json;

use crate::support::{Place, misbehaving, until};

/// A place with a good server and a bad one that a person approved while it behaved as `before`.
fn place(before: &str, bad: &str) -> Place {
    let place = Place::with(&[]);
    let program = place.path("bad-server");
    let write = |mode: &str| {
        let script = format!("#!/bin/sh\nexec '{}' {mode}\n", misbehaving());
        let new = place.path("bad-server.new");
        std::fs::write(&new, script).unwrap();
        std::fs::set_permissions(&new, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        std::fs::rename(new, &program).unwrap();
    };
    write(before);
    place.configure(&json!({
        "mcpServers": {
            "bad": { "command": program.display().to_string() },
            "good": { "command": misbehaving(), "args": ["plain"] },
        },
        "quarantine": { "limits": { "start_seconds": 3, "list_seconds": 3, "call_seconds": 2 } },
    }));
    // Two servers with the same tool look like a copy, which is a finding of its own.
    place.approve(&["bad", "--despite-findings"]);
    place.approve(&["good", "--despite-findings"]);
    write(bad);
    place
}

fn good_works(place: &Place) -> crate::support::Host {
    let mut host = place.host();
    assert!(host.tools().contains(&"good__add".to_owned()));
    assert_eq!(host.call("good__add", &json!({}))["isError"], false);
    host
}

fn trouble(place: &Place) -> String {
    place.json(&["status", "--json"])["servers"][0]["trouble"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_server_that_does_not_answer_or_does_not_start_is_named_and_the_others_work() {
    for mode in ["hang", "crash"] {
        let place = place("plain", mode);
        let mut host = good_works(&place);
        until("trouble", || !trouble(&place).is_empty());
        let answer = host.ask("tools/call", &json!({ "name": "bad__add", "arguments": {} }));
        assert_eq!(answer["error"]["code"], -32010, "{answer}");
    }
}

#[test]
fn a_call_that_is_not_answered_ends_and_the_server_hears_of_it() {
    let place = place("plain", "hang-on-call");
    let mut host = good_works(&place);
    let answer = host.ask("tools/call", &json!({ "name": "bad__add", "arguments": {} }));
    assert_eq!(answer["error"]["code"], -32001);
    assert_eq!(host.call("good__add", &json!({}))["isError"], false);
}

#[test]
fn a_crash_ends_the_open_call_at_once_and_the_server_is_started_again() {
    let place = place("plain", "crash-on-call");
    let mut host = good_works(&place);
    for _ in 0..2 {
        until_tool(&mut host, "bad__add");
        let answer = host.ask("tools/call", &json!({ "name": "bad__add", "arguments": {} }));
        assert_eq!(answer["error"]["code"], -32010);
    }
    assert_eq!(host.call("good__add", &json!({}))["isError"], false);
}

fn until_tool(host: &mut crate::support::Host, name: &str) {
    let deadline = std::time::Instant::now() + crate::support::PATIENCE;
    while !host.tools().contains(&name.to_owned()) {
        assert!(std::time::Instant::now() < deadline, "never came back: {name}");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}

#[test]
fn storms_half_messages_and_answers_to_nothing_do_not_reach_the_host() {
    for mode in ["flood", "garbage", "answers"] {
        let place = place("plain", mode);
        let mut host = good_works(&place);
        until_tool(&mut host, "bad__add");
        // After two thousand answers to nothing the server is let go; either way the call ends.
        let answer = host.ask("tools/call", &json!({ "name": "bad__add", "arguments": {} }));
        assert!(
            answer["result"]["isError"] == false || answer["error"]["code"] == -32010,
            "{mode}: {answer}"
        );
        assert_eq!(host.call("good__add", &json!({}))["isError"], false);
        assert!(host.raw.iter().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()));
        assert!(!host.raw.iter().any(|line| line.contains("9000")), "{mode}");
    }
}

#[test]
fn lists_and_definitions_beyond_the_limits_are_held() {
    let place = place("plain", "oversize");
    let mut host = good_works(&place);
    until("the large one is seen", || {
        place.json(&["inspect", "bad", "add", "--json"])["items"][0]["problem"] == "TOO_LARGE"
    });
    let tools = host.tools();
    assert!(tools.contains(&"bad__echo".to_owned()) && !tools.contains(&"bad__add".to_owned()), "{tools:?}");
    assert!(place.text("state.json").len() < 100_000);

    let place = self::place("plain", "many");
    let _host = good_works(&place);
    until("trouble", || trouble(&place).contains("more items than the limit"));
}

#[test]
fn a_server_that_changes_at_every_look_is_never_open_and_writes_little() {
    let place = place("plain", "restless");
    let mut host = good_works(&place);
    for _ in 0..5 {
        assert!(!host.tools().contains(&"bad__add".to_owned()));
    }
    assert_eq!(host.call("bad__add", &json!({}))["structuredContent"]["status"], "TOOL_CHANGED");
}

#[test]
fn nothing_is_left_running_when_the_host_goes() {
    let place = Place::with(&[]);
    let log = place.path("log").display().to_string();
    place.configure(&json!({ "mcpServers": { "s": { "command": misbehaving(), "args": ["hang-on-call", "--log", log] } } }));
    place.approve(&["s"]);
    let mut host = place.host();
    host.tools();
    let id = host.child.id().to_string();
    let mine = move |id: &str| {
        let output = std::process::Command::new("ps").args(["-o", "pid=", "--ppid", id]).output().unwrap();
        String::from_utf8_lossy(&output.stdout).split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    let servers = mine(&id);
    assert_eq!(servers.len(), 1);
    drop(host);
    until("the server is gone", || !std::path::Path::new(&format!("/proc/{}", servers[0])).exists());
}
