//! A gateway of a test's own: its files, its commands, and a host that speaks to it.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long anything may take before a test gives up.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// The gateway's files in a folder that goes with the test.
pub(crate) struct Place {
    pub(crate) folder: tempfile::TempDir,
}

impl Place {
    /// A configuration with these servers: name and arguments of the misbehaving server.
    pub(crate) fn with(servers: &[(&str, &[&str])]) -> Place {
        let place = Place { folder: tempfile::tempdir().unwrap() };
        let entries: serde_json::Map<String, Value> = servers
            .iter()
            .map(|(name, args)| ((*name).to_owned(), json!({ "command": misbehaving(), "args": args })))
            .collect();
        place.configure(&json!({ "mcpServers": entries }));
        place
    }

    /// Writes the configuration.
    pub(crate) fn configure(&self, config: &Value) {
        std::fs::write(self.config(), config.to_string()).unwrap();
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn config(&self) -> PathBuf {
        self.path("mcp.json")
    }

    pub(crate) fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    /// A command of the gateway's, not started.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quarantine-gateway"));
        command
            .args(words)
            .env("QUARANTINE_CONFIG", self.config())
            .env("QUARANTINE_STATE", self.path("state.json"))
            .env("HOME", self.folder.path())
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("XDG_STATE_HOME");
        command
    }

    /// Runs a command without a terminal.
    pub(crate) fn run(&self, words: &[&str]) -> Output {
        let mut command = Command::new("setsid");
        command.arg("--wait").arg(env!("CARGO_BIN_EXE_quarantine-gateway")).args(words);
        for (name, value) in self.command(&[]).get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command.stdin(Stdio::null()).output().unwrap()
    }

    /// Runs a command that prints JSON.
    pub(crate) fn json(&self, words: &[&str]) -> Value {
        let output = self.run(words);
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{words:?}: {}", String::from_utf8_lossy(&output.stderr)))
    }

    /// Runs a command at a terminal of its own, as a person does: reads the code and types it.
    pub(crate) fn at_a_terminal(&self, words: &[&str]) -> (String, i32) {
        let program = env!("CARGO_BIN_EXE_quarantine-gateway");
        let line: Vec<String> =
            std::iter::once(program).chain(words.iter().copied()).map(|word| format!("'{word}'")).collect();
        let mut command = Command::new("script");
        command.args(["-qfec", &line.join(" "), "/dev/null"]);
        for (name, value) in self.command(&[]).get_envs() {
            if let Some(value) = value {
                command.env(name, value);
            }
        }
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut shown = String::new();
        let mut typed = false;
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        while out.read_line(&mut line).unwrap_or(0) > 0 {
            shown.push_str(&line);
            // The text of servers is shown before it, and may say anything.
            let code = line.strip_prefix("Type ").and_then(|rest| rest.split_once(" to say yes"));
            if let (false, Some((code, _))) = (typed, code) {
                writeln!(stdin, "{code}").unwrap();
                typed = true;
            }
            line.clear();
        }
        let status = child.wait().unwrap();
        (shown, status.code().unwrap_or(-1))
    }

    /// Approves everything a server offers, as a person at a terminal.
    pub(crate) fn approve(&self, words: &[&str]) {
        let words: Vec<&str> = std::iter::once("approve").chain(words.iter().copied()).collect();
        let (shown, code) = self.at_a_terminal(&words);
        assert_eq!(code, 0, "{shown}");
    }

    /// A host at `quarantine-gateway run`, which has said hello.
    pub(crate) fn host(&self) -> Host {
        let mut host = Host::start(self.command(&["run"]));
        host.hello(&json!({}));
        host
    }

    /// The status a server's item has.
    pub(crate) fn status(&self, server: &str, item: &str) -> String {
        let output = self.run(&["inspect", server, item, "--json"]);
        let shown: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        shown["items"][0]["status"].as_str().unwrap_or_default().to_owned()
    }

    /// Waits until an item has this status.
    pub(crate) fn until_status(&self, server: &str, item: &str, status: &str) {
        until(&format!("{server} {item} {status}"), || self.status(server, item) == status);
    }
}

/// The program of the misbehaving server.
pub(crate) fn misbehaving() -> String {
    env!("CARGO_BIN_EXE_misbehaving-mcp-server").to_owned()
}

/// Asks again until it is so.
pub(crate) fn until(what: &str, so: impl Fn() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !so() {
        assert!(Instant::now() < deadline, "never came: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A host: a process on the other side, its lines, what it said that was no answer.
pub(crate) struct Host {
    pub(crate) child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
    next: u64,
    pub(crate) told: Vec<Value>,
    pub(crate) raw: Vec<String>,
}

impl Host {
    pub(crate) fn start(mut command: Command) -> Host {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (sender, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in stdout.lines() {
                let Ok(line) = line else { break };
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let stdin = child.stdin.take().unwrap();
        Host { child, stdin, lines, next: 0, told: Vec::new(), raw: Vec::new() }
    }

    pub(crate) fn hello(&mut self, capabilities: &Value) -> Value {
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": capabilities,
                             "clientInfo": { "name": "test", "version": "0" } });
        let answer = self.ask("initialize", &params);
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string());
        answer
    }

    pub(crate) fn send(&mut self, line: &str) {
        self.stdin.write_all(line.as_bytes()).unwrap();
        self.stdin.write_all(b"\n").unwrap();
        self.stdin.flush().unwrap();
    }

    /// The next line.
    pub(crate) fn line(&mut self) -> String {
        let line = self.lines.recv_timeout(PATIENCE).expect("a line");
        self.raw.push(line.clone());
        line
    }

    pub(crate) fn begin(&mut self, method: &str, params: &Value) -> u64 {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string());
        id
    }

    /// Waits for the answer to a request; everything else that is said meanwhile is kept.
    pub(crate) fn answer(&mut self, id: u64) -> Value {
        loop {
            let line = self.line();
            let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("no JSON: {line}"));
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
            self.told.push(message);
        }
    }

    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Value {
        let id = self.begin(method, params);
        self.answer(id)
    }

    /// Waits until something with this method has been said.
    pub(crate) fn until_told(&mut self, method: &str) -> Value {
        loop {
            if let Some(at) = self.told.iter().position(|message| message["method"] == method) {
                return self.told.remove(at);
            }
            let line = self.line();
            self.told.push(serde_json::from_str(&line).unwrap());
        }
    }

    /// The names of the tools that are listed.
    pub(crate) fn tools(&mut self) -> Vec<String> {
        let answer = self.ask("tools/list", &json!({}));
        let tools = answer["result"]["tools"].as_array().cloned().unwrap_or_default();
        tools.iter().map(|tool| tool["name"].as_str().unwrap_or_default().to_owned()).collect()
    }

    pub(crate) fn call(&mut self, name: &str, arguments: &Value) -> Value {
        self.ask("tools/call", &json!({ "name": name, "arguments": arguments }))["result"].clone()
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a tool's offer looks like in a file for the plain server.
pub(crate) fn offer(path: &Path, offered: &Value) {
    let temporary = path.with_extension("new");
    std::fs::write(&temporary, offered.to_string()).unwrap();
    std::fs::rename(&temporary, path).unwrap();
}

/// Lists again until exactly these tools are there.
pub(crate) fn until_listed(host: &mut Host, names: &[&str]) {
    let deadline = Instant::now() + PATIENCE;
    while host.tools() != names {
        assert!(Instant::now() < deadline, "never listed: {names:?}, but {:?}", host.tools());
        std::thread::sleep(Duration::from_millis(30));
    }
}
