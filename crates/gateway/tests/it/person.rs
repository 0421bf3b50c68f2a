//! Who may open something: a person at a terminal or at the page, and no agent.

use serde_json::{Value, json};

use crate::support::{Host, Place, misbehaving};

fn place(settings: &Value) -> Place {
    let place = Place::with(&[]);
    place.configure(&json!({
        "mcpServers": { "s": { "command": misbehaving(), "args": ["plain"] } },
        "quarantine": settings,
    }));
    place
}

fn is_closed(place: &Place) -> bool {
    let status = place.json(&["status", "--json"]);
    let server = &status["servers"][0];
    server["standing"] == "quarantined" && server["approved"] == 0
}

#[test]
fn no_verb_that_opens_works_without_a_terminal() {
    let place = place(&json!({}));
    place.run(&["inspect", "s"]);
    place.run(&["block", "s", "add"]);
    for words in [
        &["approve", "s"][..],
        &["approve", "s", "echo", "--despite-findings"],
        &["live", "s"],
        &["unblock", "s", "add"],
        &["trust", "s", "auto"],
        &["trust", "--new", "auto"],
        &["passphrase"],
    ] {
        let output = place.run(words);
        assert_eq!(output.status.code(), Some(1), "{words:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("NEEDS_PERSON"), "{words:?}");
    }
    assert!(is_closed(&place));
    assert_eq!(place.status("s", "add"), "blocked");
}

#[test]
fn an_agent_can_put_in_quarantine_over_mcp_and_not_take_out() {
    let place = place(&json!({ "own_tools": true }));
    place.approve(&["s"]);
    let mut host = place.host();
    assert_eq!(host.tools(), ["s__add", "s__echo", "quarantine__status", "quarantine__quarantine"]);
    let answer = host.call("quarantine__quarantine", &json!({ "server": "s" }));
    assert_eq!(answer["isError"], false);
    assert_eq!(host.tools(), ["quarantine__status", "quarantine__quarantine"]);
    assert_eq!(host.call("s__add", &json!({}))["structuredContent"]["status"], "QUARANTINED_SERVER_BLOCKED");
    for name in ["live", "approve", "unblock", "unquarantine", "quarantine_server"] {
        let answer = host.ask(
            "tools/call",
            &json!({ "name": format!("quarantine__{name}"), "arguments": { "server": "s" } }),
        );
        assert!(answer["error"].is_object(), "{answer}");
    }
    for method in ["quarantine/live", "servers/approve", "gateway/approve"] {
        assert!(host.ask(method, &json!({ "server": "s" }))["error"].is_object());
    }
    assert_eq!(place.json(&["status", "--json"])["servers"][0]["standing"], "quarantined");
}

#[test]
fn an_agent_that_opens_a_terminal_of_its_own_can_type_the_code_and_the_documentation_says_so() {
    // This is what codes at a terminal do not hold against; `approve = "web"` is the setting that does.
    let place = place(&json!({}));
    place.approve(&["s"]);
    assert!(!is_closed(&place));
    let documentation = include_str!("../../../../docs/GATEWAY.md");
    assert!(documentation.contains("a program that opens a terminal of its own can type the code"));
}

#[test]
fn where_only_the_page_counts_no_terminal_opens_anything() {
    let place = place(&json!({ "approve": "web" }));
    place.run(&["inspect", "s"]);
    for words in [&["approve", "s"][..], &["live", "s"], &["trust", "s", "auto"], &["unblock", "s", "add"]] {
        let (said, code) = place.at_a_terminal(words);
        assert_eq!(code, 1, "{said}");
        assert!(said.contains("NEEDS_PAGE"), "{said}");
    }
    // Nor does taking the setting out of the file again.
    place.configure(&json!({ "mcpServers": { "s": { "command": misbehaving(), "args": ["plain"] } } }));
    let (said, code) = place.at_a_terminal(&["approve", "s"]);
    assert_eq!(code, 1, "{said}");
    assert!(is_closed(&place));
}

#[test]
fn a_wrong_code_changes_nothing() {
    let place = place(&json!({}));
    place.run(&["inspect", "s"]);
    let program = env!("CARGO_BIN_EXE_quarantine-gateway");
    let mut command = std::process::Command::new("script");
    command.args(["-qfec", &format!("echo NOTIT | '{program}' approve s"), "/dev/null"]);
    for (name, value) in place.command(&[]).get_envs() {
        if let Some(value) = value {
            command.env(name, value);
        }
    }
    // The pipe is not asked; the terminal's input ends without a word.
    let output = command.stdin(std::process::Stdio::null()).output().unwrap();
    assert_ne!(output.status.code(), Some(0));
    assert!(is_closed(&place));
}

#[test]
fn a_trust_mode_passes_what_it_says_once_a_person_has_confirmed_it() {
    let place = place(&json!({ "servers": { "s": { "trust": "scan" } } }));
    let (said, code) = place.at_a_terminal(&["trust", "s", "scan"]);
    assert_eq!(code, 0, "{said}");
    let mut host: Host = place.host();
    crate::support::until_listed(&mut host, &["s__add", "s__echo"]);
    // Once somebody has put it back, a clean scan does not bring it out again.
    assert_eq!(place.run(&["quarantine", "s"]).status.code(), Some(0));
    host.until_told("notifications/tools/list_changed");
    place.run(&["inspect", "s", "--look"]);
    assert!(host.tools().is_empty());
    assert_eq!(place.json(&["status", "--json"])["servers"][0]["standing"], "quarantined");
}
