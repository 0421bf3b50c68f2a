//! Agents that nobody here wrote, run by Node and spoken to a line at a time.

use std::process::Stdio;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use crate::chromium::Chromium;
use crate::deadline::within;
use crate::desk::root;
use crate::programs;

/// A program that reads and writes JSON, one value a line.
#[derive(Debug)]
pub struct Speaker {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Speaker {
    fn node(script: &str, arguments: &[String], environment: &[(&str, &str)]) -> Option<Speaker> {
        let Some(node) = programs::node() else {
            programs::missing("Node with the packages of tests/package.json");
            return None;
        };
        let mut command = Command::new(node);
        command.arg(root().join("tests").join(script)).args(arguments).envs(environment.iter().copied());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
        let mut child = command.spawn().expect("node starts");
        let (input, output) = (child.stdin.take()?, child.stdout.take()?);
        Some(Speaker { child, input, output: BufReader::new(output).lines() })
    }

    /// Says one value.
    pub async fn tell(&mut self, value: &Value) {
        self.input.write_all(format!("{value}\n").as_bytes()).await.expect("the program listens");
    }

    /// The next value it says.
    pub async fn next(&mut self) -> Value {
        let line = within("the program's answer", self.output.next_line()).await;
        let line = line.ok().flatten().expect("the program goes on");
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("the program said {line:?}"))
    }

    /// Tells it that there is nothing more, and waits until it has ended.
    pub async fn end(mut self) {
        drop(self.input);
        let _ = within("the program to end", self.child.wait()).await;
    }
}

/// An agent that is told of tools and calls them.
#[derive(Debug)]
pub enum Foreign {
    /// Playwright's `page.webmcp`.
    Playwright(Speaker),
    /// `chrome-devtools-mcp`, with the page's number there and the last request's.
    DevTools(Speaker, u64, u64),
}

impl Foreign {
    /// Playwright at a page that is open in this browser.
    pub async fn playwright(chromium: &Chromium, page: &str) -> Option<Foreign> {
        let environment = [("WEBSOCKET", chromium.websocket()), ("PAGE", page)];
        Speaker::node("foreign/playwright.mjs", &[], &environment).map(Foreign::Playwright)
    }

    /// `chrome-devtools-mcp` at a page that is open in this browser.
    pub async fn devtools(chromium: &Chromium, page: &str) -> Option<Foreign> {
        let arguments = [
            "--categoryExperimentalWebmcp=true".to_owned(),
            "--no-usage-statistics".to_owned(),
            format!("--wsEndpoint={}", chromium.websocket()),
        ];
        let script = "node_modules/chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js";
        let speaker = Speaker::node(script, &arguments, &[])?;
        let mut agent = Foreign::DevTools(speaker, 0, 0);
        let hello = json!({
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "quarantine-tests", "version": "1"},
        });
        agent.request("initialize", hello).await;
        agent.speaker().tell(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        let pages = agent.mcp_call("list_pages", json!({})).await;
        let line =
            pages.lines().find(|line| line.contains(page)).unwrap_or_else(|| panic!("{page}: {pages}"));
        let number = line.split(':').next().and_then(|number| number.trim().parse().ok());
        if let Foreign::DevTools(_, held, _) = &mut agent {
            *held = number.unwrap_or_else(|| panic!("no number in {line:?}"));
        }
        Some(agent)
    }

    fn speaker(&mut self) -> &mut Speaker {
        match self {
            Foreign::Playwright(speaker) | Foreign::DevTools(speaker, ..) => speaker,
        }
    }

    async fn request(&mut self, method: &str, params: Value) -> Value {
        self.send(method, params).await;
        self.result().await
    }

    async fn send(&mut self, method: &str, params: Value) {
        if let Foreign::DevTools(speaker, _, last) = self {
            *last += 1;
            let request = json!({"jsonrpc": "2.0", "id": *last, "method": method, "params": params});
            speaker.tell(&request).await;
        }
    }

    async fn result(&mut self) -> Value {
        let Foreign::DevTools(speaker, _, last) = self else { return Value::Null };
        loop {
            let mut message = speaker.next().await;
            if message["id"] == *last {
                assert!(message.get("error").is_none(), "{message}");
                return message["result"].take();
            }
        }
    }

    async fn mcp_call(&mut self, tool: &str, arguments: Value) -> String {
        let answer = self.request("tools/call", json!({"name": tool, "arguments": arguments})).await;
        text(&answer)
    }

    /// What it says of the tools there are.
    pub async fn tools(&mut self) -> String {
        match self {
            Foreign::Playwright(speaker) => {
                speaker.tell(&json!({})).await;
                speaker.next().await.to_string()
            }
            Foreign::DevTools(_, page, _) => {
                let page = *page;
                self.mcp_call("list_webmcp_tools", json!({"pageId": page})).await
            }
        }
    }

    /// Calls a tool and does not wait.
    pub async fn start(&mut self, tool: &str, input: &Value) {
        match self {
            Foreign::Playwright(speaker) => speaker.tell(&json!({"tool": tool, "input": input})).await,
            Foreign::DevTools(_, page, _) => {
                let arguments = json!({"pageId": *page, "toolName": tool, "input": input.to_string()});
                let params = json!({"name": "execute_webmcp_tool", "arguments": arguments});
                self.send("tools/call", params).await;
            }
        }
    }

    /// What the call that was started returned.
    pub async fn answer(&mut self) -> Value {
        match self {
            Foreign::Playwright(speaker) => speaker.next().await,
            Foreign::DevTools(..) => {
                let said = text(&self.result().await);
                let json = said.find('{').and_then(|start| said.rfind('}').map(|end| &said[start..=end]));
                let answer: Value = json.and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default();
                assert_eq!(answer["status"], json!("Completed"), "{said}");
                answer["output"].clone()
            }
        }
    }

    /// Calls a tool and gives what it returned.
    pub async fn call(&mut self, tool: &str, input: &Value) -> Value {
        self.start(tool, input).await;
        self.answer().await
    }

    /// Ends it.
    pub async fn end(self) {
        match self {
            Foreign::Playwright(speaker) | Foreign::DevTools(speaker, ..) => speaker.end().await,
        }
    }
}

fn text(answer: &Value) -> String {
    answer["content"].as_array().into_iter().flatten().filter_map(|part| part["text"].as_str()).collect()
}
