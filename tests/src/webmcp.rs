//! WebMCP as an agent outside the page has it: the browser's `WebMCP` domain.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::watch;

use crate::cdp::{Event, Session, runtime};
use crate::deadline::within;
use crate::page::Page;

/// The tools a page has registered, as the browser tells them.
#[derive(Debug)]
pub struct Agent {
    session: Session,
    frame: String,
    seen: watch::Receiver<Seen>,
}

#[derive(Clone, Debug, Default)]
struct Seen {
    tools: BTreeMap<(String, String), Value>,
    answers: BTreeMap<String, Answer>,
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// `Completed`, `Canceled` or `Error`.
    pub status: String,
    /// What the tool returned; null unless completed.
    pub output: Value,
    /// What was thrown, in the browser's words.
    pub error: String,
}

/// A call that may still be open.
#[derive(Debug)]
pub struct Invocation {
    session: Session,
    /// The browser's name for it.
    pub id: String,
    seen: watch::Receiver<Seen>,
}

impl Page {
    /// Attaches an agent to this tab.
    pub async fn agent(&self) -> Agent {
        let (session, frame) = (self.session().clone(), self.target().to_owned());
        let (sender, seen) = watch::channel(Seen::default());
        let mut events = session.events();
        runtime().spawn(async move {
            while let Some(event) = events.recv().await {
                sender.send_if_modified(|seen| seen.take(&event));
            }
        });
        session.must("WebMCP.enable", json!({})).await;
        Agent { session, frame, seen }
    }
}

impl Seen {
    fn take(&mut self, event: &Arc<Event>) -> bool {
        let params = &event.params;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let tools = params["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
        let key = |tool: &Value| (text(&tool["frameId"]), text(&tool["name"]));
        match event.method.as_str() {
            "WebMCP.toolsAdded" => self.tools.extend(tools.iter().map(|tool| (key(tool), tool.clone()))),
            "WebMCP.toolsRemoved" => {
                for tool in tools {
                    self.tools.remove(&key(tool));
                }
            }
            "WebMCP.toolResponded" => {
                let answer = Answer {
                    status: text(&params["status"]),
                    output: params["output"].clone(),
                    error: format!(
                        "{}{}",
                        text(&params["errorText"]),
                        text(&params["exception"]["description"])
                    ),
                };
                self.answers.insert(text(&params["invocationId"]), answer);
            }
            // The browser says nothing of tools that went with their page.
            "Page.frameNavigated" => {
                let frame = text(&params["frame"]["id"]);
                self.tools.retain(|(of, _), _| *of != frame);
            }
            _ => return false,
        }
        true
    }
}

impl Agent {
    /// The names of the tools there are now, in the order of the alphabet.
    pub fn tools(&self) -> Vec<String> {
        self.seen.borrow().tools.keys().map(|(_, name)| name.clone()).collect()
    }

    /// One tool as the browser describes it.
    pub fn tool(&self, name: &str) -> Option<Value> {
        self.seen.borrow().tools.get(&(self.frame.clone(), name.to_owned())).cloned()
    }

    /// Waits until the tools are exactly these.
    pub async fn holds(&self, names: &[&str]) {
        let mut names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        names.sort();
        let mut seen = self.seen.clone();
        let same = |seen: &Seen| seen.tools.keys().map(|(_, name)| name).eq(names.iter());
        let waited = tokio::time::timeout(crate::deadline::DEADLINE, seen.wait_for(same)).await;
        assert!(matches!(waited, Ok(Ok(_))), "the agent should hold {names:?} and holds {:?}", self.tools());
    }

    /// Waits until there is a tool of this name, or none any more.
    pub async fn holds_one(&self, name: &str, there: bool) {
        let mut seen = self.seen.clone();
        let fits = |seen: &Seen| seen.tools.keys().any(|(_, held)| held == name) == there;
        let what = format!("{name} to be {}", if there { "there" } else { "gone" });
        within(&what, seen.wait_for(fits)).await.expect("the browser is still there");
    }

    /// Calls a tool and does not wait.
    pub async fn invoke(&self, name: &str, input: Value) -> Invocation {
        self.try_invoke(name, input).await.unwrap_or_else(|refused| panic!("{name}: {refused}"))
    }

    /// As [`Agent::invoke`]; the browser may say that there is no such tool.
    pub async fn try_invoke(&self, name: &str, input: Value) -> Result<Invocation, crate::cdp::Refused> {
        let params = json!({"frameId": self.frame, "toolName": name, "input": input});
        let made = self.session.call("WebMCP.invokeTool", params).await?;
        let id = made["invocationId"].as_str().unwrap_or_default().to_owned();
        Ok(Invocation { session: self.session.clone(), id, seen: self.seen.clone() })
    }

    /// Calls a tool and gives what it returned; anything but a completed call is a panic.
    pub async fn call(&self, name: &str, input: Value) -> Value {
        let answer = self.invoke(name, input).await.answer().await;
        assert!(answer.status == "Completed", "{name}: {answer:?}");
        answer.output
    }
}

impl Invocation {
    /// The answer, if it has come.
    pub fn now(&self) -> Option<Answer> {
        self.seen.borrow().answers.get(&self.id).cloned()
    }

    /// Waits for the answer.
    pub async fn answer(&self) -> Answer {
        let mut seen = self.seen.clone();
        let come = within("the tool's answer", seen.wait_for(|seen| seen.answers.contains_key(&self.id)));
        come.await.expect("the browser is still there").answers[&self.id].clone()
    }

    /// Gives up, as an agent whose person pressed stop.
    pub async fn cancel(&self) {
        self.session.must("WebMCP.cancelInvocation", json!({"invocationId": self.id})).await;
    }
}
