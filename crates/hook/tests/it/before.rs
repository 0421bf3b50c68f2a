//! References in a tool's input.

use serde_json::{Value, json};

use crate::extract::{machine, session_folder};
use crate::process::{Left, Machine, event};
use crate::stand_in::Mode;

/// A machine on which `$TC42_BODY` stands for the ticket of the event files.
fn sealed() -> Machine {
    let machine = machine(Mode::Clean);
    machine.rewrite(&event("post-mcp-blocks"));
    machine
}

fn call(machine: &Machine, tool: &str, input: &Value) -> Left {
    let mut event = event("pre-tool-use");
    (event["tool_name"], event["tool_input"]) = (json!(tool), input.clone());
    machine.glass("pre-tool-use", &event)
}

fn reply(machine: &Machine, input: &Value) -> Left {
    call(machine, "mcp__zendesk__reply", input)
}

fn decision(left: &Left) -> String {
    left.json()["hookSpecificOutput"]["permissionDecision"].as_str().unwrap().to_owned()
}

fn body_of_the_ticket() -> String {
    event("post-mcp-blocks")["tool_response"][0]["text"].as_str().unwrap().to_owned()
}

#[test]
fn a_reference_in_a_message_is_resolved_and_a_person_is_asked() {
    let machine = sealed();
    let input = json!({"ticket_id": 42, "body": "You wrote: $TC42_BODY. And ${TC42_BODY}", "public": true});
    let answer = reply(&machine, &input).json();
    let inside = &answer["hookSpecificOutput"];
    assert_eq!(
        (&inside["hookEventName"], &inside["permissionDecision"]),
        (&json!("PreToolUse"), &json!("ask"))
    );
    let text = body_of_the_ticket();
    // The whole input, not only what changed.
    assert_eq!(
        inside["updatedInput"],
        json!({"ticket_id": 42, "body": format!("You wrote: {text}. And {text}"), "public": true})
    );
    let reason = inside["permissionDecisionReason"].as_str().unwrap();
    assert!(reason.contains("$TC42_BODY in body") && !reason.contains("mug"), "{reason}");
}

#[test]
fn numbers_stay_as_they_were_written() {
    let machine = sealed();
    let text = r#"{"body":"$TC42_BODY","big":123456789012345678901234567890,"small":1.10,"odd":1E5}"#;
    let event = event("pre-tool-use").to_string().replace(r#"{"body":"Thank you.","ticket_id":42}"#, text);
    let left = machine.run(&["pre-tool-use", "--security-dir", "security"], event.as_bytes());
    assert!(
        left.out.contains(r#""big":123456789012345678901234567890,"small":1.10,"odd":1E5"#),
        "{}",
        left.out
    );
}

#[test]
fn what_decides_never_takes_a_strangers_words() {
    let machine = sealed();
    for argument in
        ["to", "path", "file_path", "command", "amount", "url", "ticket_id", "customerEmail", "cc"]
    {
        let left = reply(&machine, &json!({ argument: "$TC42_BODY", "body": "hello" }));
        assert_eq!(decision(&left), "deny", "{argument}");
        assert!(!left.out.contains("mug"), "{left:?}");
        let nested = json!({"options": [{ argument: ["x", {"body": "$TC42_BODY"}] }]});
        assert_eq!(decision(&reply(&machine, &nested)), "deny", "{argument}");
    }
    // The settings open one that says nothing; another one of that kind stays closed.
    assert_eq!(decision(&reply(&machine, &json!({"title": "$TC42_BODY"}))), "ask");
    assert_eq!(decision(&reply(&machine, &json!({"mood": "$TC42_BODY"}))), "deny");
    machine.write(
        "security/tool-registry.json",
        &json!({"pre_tool_use": {"mcp__zendesk__reply": {"quotes": ["to"]}}}).to_string(),
    );
    assert_eq!(decision(&reply(&machine, &json!({"to": "$TC42_BODY"}))), "deny");
}

#[test]
fn a_reference_goes_to_its_own_server_only() {
    let machine = sealed();
    assert_eq!(decision(&call(&machine, "mcp__other__send", &json!({"body": "$TC42_BODY"}))), "deny");
    let open = json!({"pre_tool_use": {"mcp__other__send": {"from": ["mcp__zendesk"]}}});
    machine.write("security/tool-registry.json", &open.to_string());
    assert_eq!(decision(&call(&machine, "mcp__other__send", &json!({"body": "$TC42_BODY"}))), "ask");
}

#[test]
fn one_odd_token_turns_nothing_off() {
    let machine = sealed();
    for odd in [
        "$",
        "5$",
        "$ 5",
        "$5.00",
        "C:\\Users\\dana",
        "100 $ or $100",
        "$HOME",
        "$(x)",
        "${",
        "$$",
        "€$\u{301}",
    ] {
        let answer = reply(&machine, &json!({"body": format!("{odd} $TC42_BODY {odd}"), "note": odd})).json();
        let inside = &answer["hookSpecificOutput"];
        assert_eq!(inside["permissionDecision"], "ask", "{odd}");
        assert_eq!(inside["updatedInput"]["body"], format!("{odd} {} {odd}", body_of_the_ticket()));
        assert_eq!(inside["updatedInput"]["note"], odd);
        reply(&machine, &json!({"body": odd})).assert_silent();
    }
}

#[test]
fn what_could_be_meant_as_a_reference_is_never_sent_as_it_is() {
    let machine = sealed();
    for unclear in [
        "$TC42_BODYs",
        "$NO_SUCH",
        "${TC42_BODY:default}",
        "${TC42_BODY",
        "$TC42_BODY_9",
        "$UNKNOWN_BODY",
        "$TC42_BODYé",
    ] {
        let left = reply(&machine, &json!({"body": format!("a {unclear} b")}));
        assert_eq!(decision(&left), "deny", "{unclear}");
    }
    // Names of members are no place for one.
    reply(&machine, &json!({"$TC42_BODY": "x"})).assert_silent();
}

#[test]
fn a_value_that_holds_a_reference_is_not_resolved_again() {
    let machine = machine(Mode::DollarValues);
    let mut ticket = event("post-mcp-blocks");
    ticket["tool_response"] = json!("A refund for A-4412");
    machine.rewrite(&ticket);
    let answer = reply(&machine, &json!({"body": "$TC42_BODY"})).json();
    assert_eq!(answer["hookSpecificOutput"]["updatedInput"]["body"], "$TC42_BODY ${TC42_BODY} $UNKNOWN_BODY");
}

#[test]
fn a_reference_never_changes_what_it_stands_for() {
    let machine = machine(Mode::Clean);
    let text = |words: &str| {
        let mut event = event("post-mcp-blocks");
        event["tool_response"] = json!(words);
        event
    };
    let name = |words: &str| machine.rewrite(&text(words))["references"]["body"].as_str().unwrap().to_owned();
    assert_eq!(name("first"), "$TC42_BODY");
    assert_eq!(name("second"), "$TC42_BODY_2");
    assert_eq!(name("first"), "$TC42_BODY");
    let answer = reply(&machine, &json!({"body": "$TC42_BODY and $TC42_BODY_2"})).json();
    assert_eq!(answer["hookSpecificOutput"]["updatedInput"]["body"], "first and second");
}

#[test]
fn a_session_knows_its_own_references_only() {
    let machine = sealed();
    let mut event = event("pre-tool-use");
    event["tool_input"] = json!({"body": "$TC42_BODY"});
    event["session_id"] = json!("another");
    assert_eq!(decision(&machine.glass("pre-tool-use", &event)), "deny");
}

#[test]
fn nothing_is_sent_where_the_store_or_the_event_can_not_be_read() {
    let machine = sealed();
    let folder = session_folder(&machine);
    for file in std::fs::read_dir(folder.join("values")).unwrap() {
        std::fs::write(file.unwrap().path(), "something else").unwrap();
    }
    assert_eq!(decision(&reply(&machine, &json!({"body": "$TC42_BODY"}))), "deny");
    std::fs::write(folder.join("index.json"), "{").unwrap();
    assert_eq!(decision(&reply(&machine, &json!({"body": "$TC42_BODY"}))), "deny");
    machine.write("security/tool-registry.json", "{");
    assert_eq!(decision(&reply(&machine, &json!({"body": "$TC42_BODY"}))), "deny");
    reply(&machine, &json!({"body": "thanks"})).assert_silent();
    for stdin in [&b""[..], b"{", b"[1]"] {
        let left = machine.run(&["pre-tool-use", "--security-dir", "security"], stdin);
        assert_eq!((left.code, decision(&left).as_str()), (0, "deny"));
    }
    let deep = format!("{}\"$TC42_BODY\"{}", "[".repeat(100), "]".repeat(100));
    let event = event("pre-tool-use").to_string().replace("\"Thank you.\"", &deep);
    let left = sealed().run(&["pre-tool-use", "--security-dir", "security"], event.as_bytes());
    assert_eq!(decision(&left), "deny");
}

#[test]
fn the_folder_of_sealed_values_is_not_read_by_the_way() {
    let machine = sealed();
    let values = session_folder(&machine).join("values");
    for (tool, input) in [
        ("Bash", json!({"command": format!("cat {}/*", values.display())})),
        ("Read", json!({"file_path": values.join("x")})),
        ("Bash", json!({"command": "cat ~/.local/state/quarantine/sessions/*/values/*"})),
    ] {
        assert_eq!(decision(&call(&machine, tool, &input)), "deny");
    }
    call(&machine, "Bash", &json!({"command": "cargo test"})).assert_silent();
}

#[test]
fn hidden_characters_are_counted_for_the_person_who_is_asked() {
    let machine = machine(Mode::Clean);
    let mut ticket = event("post-mcp-blocks");
    ticket["tool_response"] = json!("pay\u{200b}\u{202e} me");
    machine.rewrite(&ticket);
    let answer = reply(&machine, &json!({"body": "$TC42_BODY"})).json();
    let reason = answer["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap();
    assert!(reason.contains("8 characters, 2 of them not visible"), "{reason}");
}
