//! Over HTTP: MCP of both eras, REST for agents, and the review page, each with what it must refuse.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::support::{PATIENCE, Place, misbehaving, until};

/// A gateway over HTTP, with its page.
pub(crate) struct Served {
    pub(crate) child: Child,
    pub(crate) mcp: u16,
    pub(crate) page: u16,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn free() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

pub(crate) fn serve(place: &Place, more: &[&str]) -> Served {
    let (mcp, page) = (free(), free());
    let (listen, at) = (format!("127.0.0.1:{mcp}"), format!("127.0.0.1:{page}"));
    let mut command = place.command(&["run", "--listen", &listen, "--page", &at]);
    let mut child = command.args(more).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.contains("listening"), "{line}");
    Served { child, mcp, page }
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {} {}", self.status, self.body))
    }

    pub(crate) fn header(&self, name: &str) -> Option<String> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(": ")?;
            key.eq_ignore_ascii_case(name).then(|| value.to_owned())
        })
    }
}

/// One request, byte by byte; the connection is closed after it.
pub(crate) fn ask(port: u16, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut text =
        format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
    if !headers.iter().any(|(name, _)| *name == "Host") {
        text.push_str(&format!("Host: localhost:{port}\r\n"));
    }
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    stream.write_all(format!("{text}\r\n{body}").as_bytes()).unwrap();
    let mut all = Vec::new();
    stream.read_to_end(&mut all).unwrap();
    let all = String::from_utf8_lossy(&all).into_owned();
    let (head, body) = all.split_once("\r\n\r\n").unwrap();
    let status = head.split_whitespace().nth(1).unwrap().parse().unwrap();
    let body = if head.to_ascii_lowercase().contains("transfer-encoding: chunked") {
        unchunked(body)
    } else {
        body.to_owned()
    };
    Answer { status, head: head.to_owned(), body }
}

fn unchunked(mut text: &str) -> String {
    let mut out = String::new();
    while let Some((size, rest)) = text.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        if size == 0 {
            break;
        }
        out.push_str(&rest[..size]);
        text = &rest[size + 2..];
    }
    out
}

fn place() -> Place {
    let place = Place::with(&[]);
    let log = place.path("log").display().to_string();
    place.configure(
        &json!({ "mcpServers": { "s": { "command": misbehaving(), "args": ["plain", "--log", log] } } }),
    );
    place
}

const ACCEPT: (&str, &str) = ("Accept", "application/json, text/event-stream");

fn initialize(port: u16) -> String {
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "protocolVersion": "2025-11-25",
        "capabilities": {}, "clientInfo": { "name": "t", "version": "0" } } });
    let answer = ask(port, "POST", "/mcp", &[ACCEPT], &body.to_string());
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(answer.json()["result"]["protocolVersion"], "2025-11-25");
    answer.header("mcp-session-id").unwrap()
}

fn request(method: &str, params: &Value) -> String {
    json!({ "jsonrpc": "2.0", "id": 2, "method": method, "params": params }).to_string()
}

#[test]
fn a_host_with_a_session_lists_and_calls_and_may_end_it() {
    let place = place();
    place.approve(&["s"]);
    let served = serve(&place, &[]);
    let session = initialize(served.mcp);
    let headers = [ACCEPT, ("Mcp-Session-Id", session.as_str()), ("MCP-Protocol-Version", "2025-11-25")];
    let list = ask(served.mcp, "POST", "/mcp", &headers, &request("tools/list", &json!({}))).json();
    assert_eq!(list["result"]["tools"][0]["name"], "s__add");
    let call = request("tools/call", &json!({ "name": "s__echo", "arguments": { "x": 1 } }));
    let answer = ask(served.mcp, "POST", "/mcp", &headers, &call).json();
    assert_eq!(answer["result"]["content"][1]["text"], "{\"x\":1}");
    let told = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string();
    assert_eq!(ask(served.mcp, "POST", "/mcp", &headers, &told).status, 202);
    assert_eq!(ask(served.mcp, "DELETE", "/mcp", &headers, "").status, 204);
    assert_eq!(ask(served.mcp, "POST", "/mcp", &headers, &call).status, 404);
    assert_eq!(ask(served.mcp, "POST", "/mcp", &[ACCEPT], &call).status, 400);
}

fn modern(method: &str, mut params: Value) -> String {
    params["_meta"] = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "t", "version": "0" },
        "io.modelcontextprotocol/clientCapabilities": {} });
    request(method, &params)
}

#[test]
fn a_host_of_the_newer_revision_needs_no_session_and_its_headers_must_agree() {
    let place = place();
    place.approve(&["s"]);
    let served = serve(&place, &[]);
    let post = |method: &str, name: Option<&str>, body: &str| {
        let mut headers = vec![ACCEPT, ("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", method)];
        headers.extend(name.map(|name| ("Mcp-Name", name)));
        ask(served.mcp, "POST", "/mcp", &headers, body)
    };
    let discover = post("server/discover", None, &modern("server/discover", json!({}))).json();
    assert!(discover["result"]["supportedVersions"].as_array().unwrap().contains(&json!("2026-07-28")));
    let list = post("tools/list", None, &modern("tools/list", json!({}))).json();
    assert_eq!((&list["result"]["resultType"], &list["result"]["ttlMs"]), (&json!("complete"), &json!(0)));
    let body = modern("tools/call", json!({ "name": "s__echo", "arguments": {} }));
    let answer = post("tools/call", Some("s__echo"), &body).json();
    assert_eq!(answer["result"]["resultType"], "complete");
    assert_eq!(answer["result"]["isError"], false);
    for (method, name) in
        [("tools/call", Some("s__add")), ("tools/list", Some("s__echo")), ("tools/call", None)]
    {
        let answer = post(method, name, &body);
        assert_eq!(
            (answer.status, &answer.json()["error"]["code"]),
            (400, &json!(-32020)),
            "{method} {name:?}"
        );
    }
    let old = body.replace("2026-07-28", "2031-01-01");
    let headers = [
        ACCEPT,
        ("MCP-Protocol-Version", "2031-01-01"),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "s__echo"),
    ];
    let answer = ask(served.mcp, "POST", "/mcp", &headers, &old);
    assert_eq!((answer.status, &answer.json()["error"]["code"]), (400, &json!(-32022)));
    let unknown = post("no/such", None, &modern("no/such", json!({})));
    // There is one server; what the gateway does not know passes through, and it does not know it either.
    assert_eq!((unknown.status, &unknown.json()["error"]["code"]), (404, &json!(-32601)));
}

#[test]
fn other_hosts_other_origins_and_a_missing_token_are_refused() {
    let place = place();
    let served = serve(&place, &["--token", "a-token-of-some-length"]);
    let token = ("Authorization", "Bearer a-token-of-some-length");
    let body = request("ping", &json!({}));
    let status = |headers: &[(&str, &str)]| ask(served.mcp, "POST", "/mcp", headers, &body).status;
    assert_eq!(status(&[token]), 400);
    assert_eq!(status(&[]), 401);
    assert_eq!(status(&[("Authorization", "Bearer wrong")]), 401);
    assert_eq!(status(&[token, ("Host", "evil.example")]), 403);
    assert_eq!(status(&[token, ("Origin", "https://evil.example")]), 403);
    for path in ["/api/servers", "/api/events"] {
        assert_eq!(ask(served.mcp, "GET", path, &[], "").status, 401);
        assert_eq!(ask(served.mcp, "GET", path, &[token, ("Host", "evil.example")], "").status, 403);
    }
    // Other machines only with a token.
    let output = place.run(&["run", "--listen", "0.0.0.0:0"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn an_agent_may_look_block_and_put_in_quarantine_over_rest_and_open_nothing() {
    let place = place();
    place.approve(&["s"]);
    let served = serve(&place, &[]);
    until("the state", || {
        ask(served.mcp, "GET", "/api/servers", &[], "").json()["servers"][0]["standing"] == "live"
    });
    let server = ask(served.mcp, "GET", "/api/servers/s", &[], "").json();
    let (item, hash) = (&server["items"][0]["item"], &server["items"][0]["hash"]);
    let body =
        json!({ "items": [{ "item": item, "hash": hash }], "launch": server["launch_hash"], "mode": "auto" });
    let post = |verb: &str, body: &Value| {
        ask(served.mcp, "POST", &format!("/api/servers/s/{verb}"), &[], &body.to_string())
    };
    assert_eq!(post("block", &json!({ "items": [{ "item": item }] })).json()["count"], 1);
    assert_eq!(post("quarantine", &json!({})).status, 200);
    for verb in ["unblock", "approve", "live", "trust"] {
        let answer = post(verb, &body);
        assert_eq!((answer.status, &answer.json()["error"]), (403, &json!("NEEDS_PERSON")), "{verb}");
    }
    assert_eq!(post("unquarantine", &body).status, 404);
    assert_eq!(post("quarantine", &json!({ "enabled": false })).status, 422);
    // The page is another origin; its name does not help here, nor does a cookie that was made up.
    let headers = [("Host", "gateway.localhost:1"), ("Cookie", "__Host-quarantine_gateway=x")];
    assert_eq!(ask(served.mcp, "POST", "/api/servers/s/live", &headers, &body.to_string()).status, 403);
    let status = place.json(&["status", "--json"]);
    assert_eq!(status["servers"][0]["standing"], "quarantined");
    let changes = ask(served.mcp, "GET", "/api/servers/s", &[], "").json();
    assert_eq!(changes["items"][0]["status"], "blocked");
}

/// Sets the passphrase, as a person at a terminal.
pub(crate) fn set_passphrase(place: &Place, passphrase: &str) {
    let program = env!("CARGO_BIN_EXE_quarantine-gateway");
    let mut command = std::process::Command::new("script");
    command.args(["-qfec", &format!("'{program}' passphrase"), "/dev/null"]);
    for (name, value) in place.command(&[]).get_envs() {
        if let Some(value) = value {
            command.env(name, value);
        }
    }
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut out = child.stdout.take().unwrap();
    let mut shown = String::new();
    let mut byte = [0];
    let mut asked = 0;
    while out.read(&mut byte).unwrap_or(0) > 0 {
        shown.push(char::from(byte[0]));
        if shown.ends_with(": ") {
            asked += 1;
            assert!(asked <= 2, "{shown}");
            writeln!(stdin, "{passphrase}").unwrap();
        }
    }
    assert!(child.wait().unwrap().success(), "{shown}");
    assert!(!shown.contains(passphrase), "it was shown");
}

#[test]
fn who_signs_in_on_the_page_decides_there_and_nobody_else() {
    let place = place();
    place.configure(&json!({ "mcpServers": { "s": { "command": misbehaving(), "args": ["plain"] } },
                             "quarantine": { "approve": "web" } }));
    set_passphrase(&place, "correct horse battery");
    let served = serve(&place, &[]);
    let host = format!("gateway.localhost:{}", served.page);
    let origin = format!("http://{host}");
    let named = [("Host", host.as_str()), ("Origin", origin.as_str())];
    let form = |path: &str, more: &[(&str, &str)], body: &str| {
        let mut headers = named.to_vec();
        headers.push(("Content-Type", "application/x-www-form-urlencoded"));
        headers.extend_from_slice(more);
        ask(served.page, "POST", path, &headers, body)
    };
    until("a look", || place.json(&["status", "--json"])["servers"][0]["pending"] == 2);
    // Nobody is signed in: the page shows the way to the door, decisions are refused.
    assert_eq!(ask(served.page, "GET", "/", &named, "").header("location").as_deref(), Some("/sign-in"));
    assert_eq!(ask(served.page, "GET", "/api/servers", &named, "").status, 403);
    let launch = place.json(&["status", "--json"])["servers"][0]["launch_hash"].as_str().unwrap().to_owned();
    let live = format!("verb=live&launch={launch}");
    assert_eq!(form("/servers/s/decide", &[], &live).status, 403);
    assert_eq!(form("/sign-in", &[], "passphrase=wrong").status, 403);
    let signed = form("/sign-in", &[], "passphrase=correct+horse+battery");
    assert_eq!(signed.status, 303, "{}", signed.body);
    let cookie = signed.header("set-cookie").unwrap();
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict") && cookie.starts_with("__Host-")
    );
    let cookie = ("Cookie", cookie.split(';').next().unwrap().to_owned());
    let cookie = (cookie.0, cookie.1.as_str());

    // With the cookie, but from another origin, from none, or at another name: refused.
    let body = live.as_str();
    let kind = ("Content-Type", "application/x-www-form-urlencoded");
    for headers in [
        vec![("Host", host.as_str()), ("Origin", "http://localhost:1"), kind, cookie],
        vec![("Host", host.as_str()), kind, cookie],
        vec![("Origin", origin.as_str()), kind, cookie],
    ] {
        assert_eq!(ask(served.page, "POST", "/servers/s/decide", &headers, body).status, 403, "{headers:?}");
    }
    let page = ask(served.page, "GET", "/servers/s", &[named[0], cookie], "");
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe-inline"));
    assert!(page.body.contains("Adds two numbers.") && !page.body.contains("<script>"));

    // What is approved is what the page showed.
    let picks: Vec<String> = page
        .body
        .split("name=\"all\" value=\"")
        .skip(1)
        .map(|rest| format!("&all={}", rest.split('"').next().unwrap().replace(':', "%3A").replace(' ', "+")))
        .collect();
    assert_eq!(picks.len(), 2);
    let stale = picks.concat().replace("sha256%3A", "sha256%3A0");
    let answer = form("/servers/s/decide", &[cookie], &format!("verb=approve-all&launch={launch}{stale}"));
    assert_eq!(answer.status, 409, "{}", answer.body);
    let answer =
        form("/servers/s/decide", &[cookie], &format!("verb=approve-all&launch={launch}{}", picks.concat()));
    assert_eq!(answer.status, 303, "{}", answer.body);
    until("live", || place.json(&["status", "--json"])["servers"][0]["approved"] == 2);
    assert_eq!(form("/sign-out", &[cookie], "").status, 303);
    assert_eq!(form("/servers/s/decide", &[cookie], &live).status, 403);
}

#[test]
fn events_come_as_they_happen() {
    let place = place();
    let served = serve(&place, &[]);
    let mut stream = TcpStream::connect(("127.0.0.1", served.mcp)).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    write!(stream, "GET /api/events?after=0 HTTP/1.1\r\nHost: localhost:{}\r\n\r\n", served.mcp).unwrap();
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let mut next = |kind: &str| {
        let found =
            lines.find(|line| line.starts_with("data: ") && line.contains(&format!("\"kind\":\"{kind}\"")));
        serde_json::from_str::<Value>(found.unwrap().strip_prefix("data: ").unwrap()).unwrap()
    };
    assert_eq!(next("server_new")["server"], "s");
    assert_eq!(next("item_new")["item"], "tool:add");
    place.run(&["block", "s", "add"]);
    assert_eq!(next("blocked")["by"], "command");
    place.approve(&["s"]);
    assert_eq!(next("approved")["item"], "tool:echo");
    assert_eq!(next("live")["by"], "terminal");
}

#[test]
fn a_gateway_is_a_server_of_another_gateway_over_http() {
    let inner = place();
    inner.approve(&["s"]);
    let served = serve(&inner, &["--token", "a-token-of-some-length"]);
    let outer = Place::with(&[]);
    outer.configure(&json!({
        "mcpServers": { "far": { "url": format!("http://127.0.0.1:{}/mcp", served.mcp),
                                 "headers": { "Authorization": "Bearer a-token-of-some-length" } } },
        "quarantine": { "notices": false },
    }));
    outer.approve(&["far"]);
    let mut host = outer.host();
    assert_eq!(host.tools(), ["far__s__add", "far__s__echo"]);
    assert_eq!(host.call("far__s__echo", &json!({ "x": 2 }))["content"][1]["text"], "{\"x\":2}");
    // A change behind the second gateway closes the tool here too.
    inner.run(&["block", "s", "add"]);
    host.until_told("notifications/tools/list_changed");
    assert_eq!(host.tools(), ["far__s__echo"]);
}
