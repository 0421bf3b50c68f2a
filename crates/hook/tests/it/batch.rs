//! The second lock, and tools that fail.

use serde_json::{Value, json};

use crate::extract::{machine, text_of};
use crate::process::{Left, Machine, event};
use crate::stand_in::Mode;

fn batch(machine: &Machine, response: &Value) -> Left {
    let mut event = event("post-batch");
    event["tool_calls"][0]["tool_response"] = response.clone();
    machine.glass("post-tool-batch", &event)
}

fn assert_stops(left: &Left) {
    let answer = left.json();
    assert_eq!((&answer["continue"], &answer["decision"]), (&json!(false), &json!("block")));
    assert!(!left.out.contains("mug"), "{left:?}");
}

#[test]
fn the_session_stops_where_the_model_would_read_the_raw_result() {
    let machine = machine(Mode::Clean);
    let raw = event("post-batch")["tool_calls"][0]["tool_response"].clone();
    // The hook never ran.
    assert_stops(&batch(&machine, &raw));
    // It ran, and its rewrite was not taken.
    let text = text_of(&machine.glass("post-tool-use", &event("post-mcp-blocks")));
    assert_stops(&batch(&machine, &raw));
    // It was taken.
    for seen in [
        json!([{"type": "text", "text": text}]),
        json!(text),
        json!(json!([{"type": "text", "text": text}]).to_string()),
        json!({"content": [{"type": "text", "text": text}]}),
    ] {
        batch(&machine, &seen).assert_silent();
    }
    let decisions: Vec<Value> = machine.telemetry().iter().map(|line| line["decision"].clone()).collect();
    assert_eq!(decisions, ["stop", "seal", "stop", "confirmed", "confirmed", "confirmed", "confirmed"]);
}

#[test]
fn what_only_looks_like_a_rewrite_stops_the_session() {
    let machine = machine(Mode::Clean);
    let text = text_of(&machine.glass("post-tool-use", &event("post-mcp-blocks")));
    let changed = text.replace("refund", "damage");
    let body = text.find(",\"").map(|at| format!("{{{}", &text[at + 1..])).unwrap();
    assert!(text.starts_with("{\"receipt\":\""));
    for seen in [
        json!(changed),
        json!(body),
        json!("{\"receipt\":\"00000000000000000000000000000000\",\"fields\":{}}"),
        json!([{"type": "text", "text": text}, {"type": "text", "text": "The mug"}]),
        json!({"content": [{"type": "text", "text": text}], "structuredContent": {"a": "The mug"}}),
        json!(format!("{text}\nThe mug")),
        json!(null),
        json!({}),
    ] {
        assert_stops(&batch(&machine, &seen));
    }
    // A rewrite of another call.
    let mut other = event("post-mcp-blocks");
    other["tool_use_id"] = json!("toolu_99");
    let text = text_of(&machine.glass("post-tool-use", &other));
    assert_stops(&batch(&machine, &json!(text)));
    // A rewrite of another session.
    other = event("post-mcp-blocks");
    other["session_id"] = json!("another");
    let text = text_of(&machine.glass("post-tool-use", &other));
    assert_stops(&batch(&machine, &json!(text)));
}

#[test]
fn a_batch_without_listed_tools_goes_on() {
    let machine = machine(Mode::Clean);
    let mut event = event("post-batch");
    event["tool_calls"] = json!([event["tool_calls"][1]]);
    machine.glass("post-tool-batch", &event).assert_silent();
}

#[test]
fn a_batch_that_can_not_be_read_stops() {
    let machine = machine(Mode::Clean);
    for stdin in ["", "{", "{\"tool_calls\":1}", "{\"tool_calls\":[1]}", "{}"] {
        assert_stops(&machine.run(&["post-tool-batch", "--security-dir", "security"], stdin.as_bytes()));
    }
    machine.write("security/tool-registry.json", "{");
    assert_stops(&machine.glass("post-tool-batch", &event("post-batch")));
}

#[test]
fn a_withheld_result_passes_the_second_lock_also_when_time_was_up() {
    let machine = machine(Mode::Hang);
    machine.glass("session-start", &event("session-start"));
    let event = event("post-mcp-blocks").to_string();
    let left = machine
        .run(&["post-tool-use", "--security-dir", "security", "--deadline-ms", "200"], event.as_bytes());
    batch(&machine, &json!([{"type": "text", "text": text_of(&left)}])).assert_silent();
}

#[test]
fn a_tool_that_fails_stops_the_session_unless_the_settings_say_otherwise() {
    let machine = machine(Mode::Clean);
    let failed = event("post-failure");
    let as_seen = |machine: &Machine| {
        let mut event = event("post-batch");
        event["tool_calls"][0]["tool_use_id"] = failed["tool_use_id"].clone();
        event["tool_calls"][0]["tool_response"] = failed["error"].clone();
        machine.glass("post-tool-batch", &event)
    };
    let left = machine.glass("post-tool-use-failure", &failed);
    assert_eq!(left.json()["hookSpecificOutput"]["hookEventName"], "PostToolUseFailure");
    assert!(!left.out.contains("not found"), "the error's text is not repeated");
    assert_stops(&as_seen(&machine));
    let registry = std::fs::read_to_string(machine.path("security/tool-registry.json")).unwrap();
    machine.write("security/tool-registry.json", &registry.replacen('{', "{\"failures\":\"notice\",", 1));
    assert!(machine.glass("post-tool-use-failure", &failed).context().contains("QUARANTINE-NOTICE"));
    as_seen(&machine).assert_silent();
}

#[test]
fn a_call_that_we_denied_does_not_stop_the_session() {
    let machine = machine(Mode::Clean);
    let registry = json!({"post_tool_use": {"mcp__zendesk__reply": {"config": "config/ticket.toml"}},
        "pre_tool_use": {"mcp__zendesk__reply": {}}});
    machine.write("security/tool-registry.json", &registry.to_string());
    machine.glass("session-start", &event("session-start"));
    let mut call = event("pre-tool-use");
    call["tool_input"] = json!({"body": "$NO_SUCH"});
    machine.glass("pre-tool-use", &call);
    let mut batch = event("post-batch");
    batch["tool_calls"] = json!([{"tool_name": "mcp__zendesk__reply", "tool_input": {}, "tool_use_id": "toolu_01A",
        "tool_response": "denied"}]);
    machine.glass("post-tool-batch", &batch).assert_silent();
    batch["tool_calls"][0]["tool_use_id"] = json!("toolu_02");
    assert_stops(&machine.glass("post-tool-batch", &batch));
}
