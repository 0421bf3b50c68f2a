//! Real servers from npm and PyPI, and clients of the official SDKs. `QUARANTINE_MCP_PEERS` names a folder with
//! `node_modules` made from `tests/peers/package.json` and a virtual environment `venv` from `tests/peers/requirements.txt`.

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{Place, until_listed};

fn peers() -> Option<PathBuf> {
    let folder = std::env::var_os("QUARANTINE_MCP_PEERS").map(PathBuf::from);
    let there = folder.filter(|folder| folder.join("node_modules").is_dir() && folder.join("venv").is_dir());
    if there.is_none() {
        println!("left out: QUARANTINE_MCP_PEERS names no folder with real MCP servers (see tests/peers)");
    }
    there
}

fn servers(peers: &std::path::Path, place: &Place) -> Value {
    let npm = |name: &str| peers.join("node_modules/.bin").join(name).display().to_string();
    let pypi = |name: &str| peers.join("venv/bin").join(name).display().to_string();
    let files = place.path("files");
    std::fs::create_dir(&files).unwrap();
    std::fs::write(files.join("a.txt"), "hello").unwrap();
    let made = Command::new("git").args(["init", "-q"]).arg(&files).status().unwrap();
    assert!(made.success());
    let files = files.display().to_string();
    json!({
        "everything": { "command": npm("mcp-server-everything") },
        "fs": { "command": npm("mcp-server-filesystem"), "args": [files] },
        "memory": { "command": npm("mcp-server-memory"), "env": { "MEMORY_FILE_PATH": place.path("memory").display().to_string() } },
        "context7": { "command": npm("context7-mcp") },
        "time": { "command": pypi("mcp-server-time"), "args": ["--local-timezone", "UTC"] },
        "fetch": { "command": pypi("mcp-server-fetch") },
        "git": { "command": pypi("mcp-server-git"), "args": ["--repository", files] },
    })
}

#[test]
fn seven_real_servers_are_reviewed_listed_and_called() {
    let Some(peers) = peers() else { return };
    let place = Place::with(&[]);
    let servers = servers(&peers, &place);
    place.configure(&json!({ "mcpServers": servers }));
    for name in servers.as_object().unwrap().keys() {
        place.approve(&[name, "--despite-findings"]);
    }
    let mut host = place.host();
    let tools = host.tools();
    for name in servers.as_object().unwrap().keys() {
        assert!(tools.iter().any(|tool| tool.starts_with(&format!("{name}__"))), "{name}: {tools:?}");
    }
    let files = place.path("files").display().to_string();
    for (tool, arguments, expected) in [
        ("everything__echo", json!({ "message": "hi" }), "hi"),
        ("fs__list_directory", json!({ "path": files }), "a.txt"),
        ("memory__read_graph", json!({}), "entities"),
        ("time__get_current_time", json!({ "timezone": "UTC" }), "UTC"),
        ("git__git_status", json!({ "repo_path": files }), "a.txt"),
    ] {
        let answer = host.call(tool, &arguments);
        assert!(answer["content"].to_string().contains(expected), "{tool}: {answer}");
    }
    drop(host);

    let client = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/peers/client.mjs");
    let output = Command::new("node")
        .args([client, &peers.display().to_string(), env!("CARGO_BIN_EXE_quarantine-gateway")])
        .env("QUARANTINE_CONFIG", place.config())
        .env("QUARANTINE_STATE", place.path("state.json"))
        .output()
        .unwrap();
    let said: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    assert_eq!(said["tools"].as_array().unwrap().len(), tools.len());
    assert_eq!(
        (&said["sum"], &said["updated"], &said["cancelled"]),
        (&json!("The sum of 2 and 3 is 5."), &json!(true), &json!(true))
    );

    let output = Command::new(peers.join("node_modules/.bin/mcp-inspector"))
        .args(["--cli", env!("CARGO_BIN_EXE_quarantine-gateway"), "run", "--method", "tools/list"])
        .env("QUARANTINE_CONFIG", place.config())
        .env("QUARANTINE_STATE", place.path("state.json"))
        .output()
        .unwrap();
    let listed: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    assert_eq!(
        listed["tools"].as_array().map(Vec::len),
        Some(tools.len()),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn a_host_of_the_newer_revision_speaks_to_servers_of_both() {
    let Some(peers) = peers() else { return };
    let place = Place::with(&[]);
    let all = servers(&peers, &place);
    place.configure(&json!({ "mcpServers": { "time": all["time"], "memory": all["memory"] } }));
    place.approve(&["time", "--despite-findings"]);
    place.approve(&["memory", "--despite-findings"]);
    let mut older = place.host();
    until_listed(&mut older, &older_names(&place));
    drop(older);
    let script = "import asyncio, os, sys\n\
        from mcp.client.client import Client\n\
        from mcp.client.stdio import StdioServerParameters, stdio_client\n\
        async def main():\n\
        \x20   target = stdio_client(StdioServerParameters(command=sys.argv[1], args=['run'], env=dict(os.environ)))\n\
        \x20   async with Client(target) as client:\n\
        \x20       print(client.protocol_version)\n\
        \x20       print(len((await client.list_tools()).tools))\n\
        \x20       print((await client.call_tool('time__get_current_time', {'timezone': 'UTC'})).content[-1].text)\n\
        \x20       print((await client.call_tool('memory__read_graph', {})).content[-1].text)\n\
        asyncio.run(main())\n";
    let output = Command::new(peers.join("venv/bin/python"))
        .args(["-c", script, env!("CARGO_BIN_EXE_quarantine-gateway")])
        .env("QUARANTINE_CONFIG", place.config())
        .env("QUARANTINE_STATE", place.path("state.json"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.starts_with("2026-07-28\n11\n"), "{said} {}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("UTC") && said.contains("entities"), "{said}");
}

fn older_names(place: &Place) -> Vec<&'static str> {
    let shown = place.json(&["inspect", "memory", "--json"]);
    let count = shown["items"].as_array().unwrap().len();
    assert!(count >= 9);
    vec![
        "memory__add_observations",
        "memory__create_entities",
        "memory__create_relations",
        "memory__delete_entities",
        "memory__delete_observations",
        "memory__delete_relations",
        "memory__open_nodes",
        "memory__read_graph",
        "memory__search_nodes",
        "time__convert_time",
        "time__get_current_time",
    ]
}
