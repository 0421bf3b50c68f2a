//! From first sight to changed to approved again.

use serde_json::json;

use crate::support::Place;

#[test]
fn a_new_server_is_closed_until_a_person_has_looked_and_a_changed_tool_closes_again() {
    let place = Place::with(&[]);
    let log = place.path("log").display().to_string();
    place.configure(&json!({ "mcpServers": { "calc": {
        "command": crate::support::misbehaving(), "args": ["rug-pull", "--log", log] } } }));
    let mut host = place.host();

    assert!(host.tools().is_empty());
    let answer = host.call("calc__add", &json!({ "a": 1, "b": 2 }));
    assert_eq!(answer["isError"], true);
    assert_eq!(answer["structuredContent"]["status"], "QUARANTINED_SERVER_BLOCKED");
    assert_eq!(answer["structuredContent"]["serverName"], "calc");
    assert_eq!(answer["structuredContent"]["toolName"], "add");
    assert_eq!(place.status("calc", "add"), "pending");
    assert!(!place.text("log").contains("tools/call"));

    place.approve(&["calc"]);
    host.until_told("notifications/tools/list_changed");
    assert_eq!(host.tools(), ["calc__add"]);
    let answer = host.call("calc__add", &json!({ "a": 1, "b": 2 }));
    assert_eq!(answer["isError"], false, "{answer}");

    // The second call turns it.
    host.call("calc__add", &json!({ "a": 1, "b": 2 }));
    host.until_told("notifications/tools/list_changed");
    assert!(host.tools().is_empty());
    let calls = place.text("log").matches("tools/call").count();
    let answer = host.call("calc__add", &json!({ "a": 1, "b": 2 }));
    assert_eq!(answer["structuredContent"]["status"], "TOOL_CHANGED");
    assert_eq!(place.text("log").matches("tools/call").count(), calls);
    place.until_status("calc", "add", "changed");
    let diff = place.run(&["diff", "calc"]);
    assert_eq!(diff.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&diff.stdout).contains("id_rsa"));

    let hash = place.json(&["inspect", "calc", "--json"])["items"][0]["hash"].as_str().unwrap().to_owned();
    place.approve(&["calc", "add", "--hash", &hash, "--despite-findings"]);
    host.until_told("notifications/tools/list_changed");
    assert_eq!(host.tools(), ["calc__add"]);
}
