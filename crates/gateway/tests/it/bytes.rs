//! What is carried is carried byte for byte, but for names and ids.

use serde_json::json;

use crate::support::{Host, Place, misbehaving};

fn place(mode: &str, notices: bool) -> Place {
    let place = Place::with(&[]);
    let log = place.path("log").display().to_string();
    place.configure(&json!({
        "mcpServers": { "s": { "command": misbehaving(), "args": [mode, "--log", log] } },
        "quarantine": { "notices": notices },
    }));
    place
}

fn part<'a>(line: &'a str, from: &str) -> &'a str {
    &line[line.find(from).unwrap() + from.len()..]
}

#[test]
fn params_and_result_are_equal_to_the_byte_with_notices_off() {
    let place = place("plain", false);
    place.approve(&["s"]);
    let mut host = place.host();
    host.tools();
    let params = r#"{ "arguments":{"z":1.0,"name":"s__echo","big":9007199254740993,"é":"é"},"name" : "s__echo", "future":[null ] }"#;
    host.send(&format!(r#"{{"method":"tools/call","params":{params},"id":"my id","jsonrpc":"2.0"}}"#));
    let line = loop {
        let line = host.line();
        if line.contains("\"id\"") {
            break line;
        }
    };
    let carried = place.text("log").lines().find(|line| line.contains("tools/call")).unwrap().to_owned();
    let theirs = part(&carried, "\"params\":");
    assert_eq!(&theirs[..theirs.len() - 1], params.replace("\"name\" : \"s__echo\"", "\"name\" : \"echo\""));
    let result = part(&line, "\"result\":");
    let arguments = r#"{"z":1.0,"name":"s__echo","big":9007199254740993,"é":"é"}"#;
    let text =
        serde_json::to_string(&serde_json::from_str::<serde_json::Value>(arguments).unwrap().to_string())
            .unwrap();
    assert_eq!(
        result,
        format!(
            r#"{{ "content" : [{{"type":"text","text":{text}}}], "structuredContent":{{"n":1.50,"big":9007199254740993}},"isError":false, "new":null }}}}"#
        )
    );
    assert!(line.contains(r#""id":"my id""#));
}

#[test]
fn the_notice_stands_before_the_result_of_a_server_that_is_not_trusted() {
    let place = place("plain", true);
    place.approve(&["s"]);
    let mut host = place.host();
    host.tools();
    let answer = host.call("s__echo", &json!({ "x": 1 }));
    assert!(answer["content"][0]["text"].as_str().unwrap().starts_with("[Quarantine]"));
    assert_eq!(answer["content"][1]["text"], "{\"x\":1}");
}

#[test]
fn a_listed_tool_is_what_the_server_wrote_but_for_its_name() {
    let place = place("plain", false);
    place.approve(&["s"]);
    let mut direct = Host::start({
        let mut command = std::process::Command::new(misbehaving());
        command.arg("plain");
        command
    });
    direct.hello(&json!({}));
    direct.begin("tools/list", &json!({}));
    let theirs = direct.line();
    let mut host = place.host();
    host.begin("tools/list", &json!({}));
    let ours = loop {
        let line = host.line();
        if line.contains("\"result\"") {
            break line;
        }
    };
    let tools = |line: &str| part(line, "\"tools\":").to_owned();
    assert_eq!(tools(&ours), tools(&theirs).replace("\"name\":\"", "\"name\":\"s__"));
}

#[test]
fn a_method_nobody_here_knows_passes_through_and_so_does_a_cancel_and_progress() {
    let place = place("plain", false);
    place.approve(&["s"]);
    let mut host = place.host();
    host.tools();
    let answer = host.ask("future/method", &json!({ "deep": { "x": [1] } }));
    assert_eq!(answer["result"]["echo"]["deep"]["x"][0], 1);

    let place = self::place("steps", false);
    place.approve(&["s"]);
    let mut host = place.host();
    host.tools();
    let params = json!({ "name": "s__add", "arguments": {}, "_meta": { "progressToken": "mine" } });
    let id = host.begin("tools/call", &params);
    for step in 1..=3 {
        let told = host.until_told("notifications/progress");
        assert_eq!(
            (&told["params"]["progress"], &told["params"]["progressToken"]),
            (&json!(step), &json!("mine"))
        );
    }
    let cancel =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } });
    host.send(&cancel.to_string());
    crate::support::until("the server hears of it", || {
        let log = place.text("log");
        let call: serde_json::Value =
            serde_json::from_str(log.lines().find(|line| line.contains("tools/call")).unwrap()).unwrap();
        log.lines().any(|line| {
            line.contains("notifications/cancelled") && line.contains(&format!(":{}", call["id"]))
        })
    });
    // Nothing is answered to what was cancelled.
    assert_eq!(host.ask("ping", &json!({}))["result"], json!({}));
    assert!(!host.told.iter().any(|message| message["id"] == id));
}

#[test]
fn a_server_may_ask_its_host_within_a_call_and_only_a_live_one() {
    let place = place("asks", false);
    place.approve(&["s"]);
    let mut host = Host::start(place.command(&["run"]));
    host.hello(&json!({ "roots": {} }));
    host.tools();
    let id = host.begin("tools/call", &json!({ "name": "s__add", "arguments": {} }));
    let asked = host.until_told("roots/list");
    host.send(
        &json!({ "jsonrpc": "2.0", "id": asked["id"], "result": { "roots": [{ "uri": "file:///x" }] } })
            .to_string(),
    );
    let answer = host.answer(id);
    assert!(answer["result"]["content"][0]["text"].as_str().unwrap().contains("file:///x"));

    // A host that has no roots is not asked for them.
    let mut other = place.host();
    other.tools();
    let answer = other.call("s__add", &json!({}));
    assert!(answer["content"][0]["text"].as_str().unwrap().contains("-32601"));
    assert!(other.told.iter().all(|message| message["method"] != "roots/list"));
}

#[test]
fn subscribing_reaches_the_server_and_its_updates_come_back() {
    let place = Place::with(&[]);
    let file = place.path("offer.json");
    crate::support::offer(&file, &json!({ "resources": [{ "uri": "demo://r", "name": "r" }] }));
    place.configure(&json!({ "mcpServers": { "s": { "command": misbehaving(),
        "args": ["plain", "--offer", file.display().to_string()] } } }));
    place.approve(&["s"]);
    let mut host = place.host();
    host.tools();
    assert_eq!(host.ask("resources/subscribe", &json!({ "uri": "demo://r" }))["result"], json!({}));
    let updated = host.until_told("notifications/resources/updated");
    assert_eq!(updated["params"]["uri"], "demo://r");
}

#[test]
fn nonsense_from_a_host_is_answered_and_breaks_nothing() {
    let place = place("plain", false);
    let mut host = Host::start(place.command(&["run"]));
    for (line, code) in [
        ("{", -32700),
        ("[]", -32600),
        ("{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"ping\"}", -32600),
        ("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/list\"}", -32602),
    ] {
        host.send(line);
        let answer: serde_json::Value = serde_json::from_str(&host.line()).unwrap();
        assert_eq!(answer["error"]["code"], code, "{line}");
    }
    host.hello(&json!({}));
    assert!(host.tools().is_empty());
}
