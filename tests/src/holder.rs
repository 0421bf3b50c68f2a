//! An agent that holds a page's tools, whichever way it has them: from outside through the browser's WebMCP, or inside
//! the page through the widget's own fallback where the browser has none.

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};

use crate::chromium::WebMcp;
use crate::deadline::until;
use crate::page::Page;
use crate::webmcp::{Agent, Answer, Invocation};

/// An agent at one tab.
#[derive(Debug)]
pub struct Holder<'a> {
    page: &'a Page,
    outside: Option<Agent>,
}

/// A call that may still be open.
#[derive(Debug)]
pub enum Call<'a> {
    /// Made from outside.
    Outside(Invocation),
    /// Made in the page, under this number.
    Inside(&'a Page, u64),
}

// The page's agent keeps its calls where a test can look at them; the answers come as text or as values.
const INSIDE: &str = r#"
window.testCalls ??= new Map();
window.testContext ??= () => window.Quarantine.modelContext;
window.testCall ??= (number, name, input) => {
  const call = {settled: false, stop: new AbortController()};
  window.testCalls.set(number, call);
  const end = (status, output) => { call.settled = true; call.status = status; call.output = output; };
  (async () => {
    const tool = (await testContext().getTools()).find(tool => tool.name === name);
    if (!tool) throw new Error("there is no tool " + name);
    return testContext().executeTool(tool, input, {signal: call.stop.signal});
  })().then(
    text => { try { end("Completed", JSON.parse(text)); } catch { end("Completed", text); } },
    error => end(error.name === "AbortError" ? "Canceled" : "Error", String(error)));
};
"#;

static NEXT: AtomicU64 = AtomicU64::new(1);

impl Page {
    /// An agent at this tab, with or without WebMCP in the browser.
    pub async fn holder(&self, webmcp: WebMcp) -> Holder<'_> {
        let outside = match webmcp {
            WebMcp::On => Some(self.agent().await),
            WebMcp::Off => None,
        };
        Holder { page: self, outside }
    }
}

impl<'a> Holder<'a> {
    /// The tools it holds now, in the order of the alphabet.
    pub async fn tools(&self) -> Vec<String> {
        match &self.outside {
            Some(agent) => agent.tools(),
            None => {
                let names =
                    "window.Quarantine.modelContext.getTools().then(all => all.map(tool => tool.name))";
                let names = self.page.attempt(names).await.unwrap_or_default();
                let mut names: Vec<String> = serde_json::from_value(names).unwrap_or_default();
                names.sort();
                names
            }
        }
    }

    /// Waits until the tools are exactly these.
    pub async fn holds(&self, names: &[&str]) {
        if let Some(agent) = &self.outside {
            return agent.holds(names).await;
        }
        let mut wanted: Vec<&str> = names.to_vec();
        wanted.sort_unstable();
        until(&format!("the agent to hold {wanted:?}"), || async {
            (self.tools().await == wanted).then_some(())
        })
        .await;
    }

    /// Waits until there is a tool of this name, or none any more.
    pub async fn holds_one(&self, name: &str, there: bool) {
        let what = format!("{name} to be {}", if there { "there" } else { "gone" });
        until(&what, || async {
            let held = self.tools().await.iter().any(|held| held == name);
            (held == there).then_some(())
        })
        .await;
    }

    /// Calls a tool and does not wait.
    pub async fn start(&self, name: &str, input: Value) -> Call<'a> {
        match &self.outside {
            Some(agent) => Call::Outside(agent.invoke(name, input).await),
            None => {
                let number = NEXT.fetch_add(1, Ordering::Relaxed);
                self.page.eval(&format!("{INSIDE} testCall({number}, {}, {input}); 0", json!(name))).await;
                Call::Inside(self.page, number)
            }
        }
    }

    /// Calls a tool and gives what it returned; anything but a completed call is a panic.
    pub async fn call(&self, name: &str, input: Value) -> Value {
        let answer = self.start(name, input).await.answer().await;
        assert!(answer.status == "Completed", "{name}: {answer:?}");
        answer.output
    }
}

impl Call<'_> {
    /// The answer, if it has come.
    pub async fn now(&self) -> Option<Answer> {
        match self {
            Call::Outside(invocation) => invocation.now(),
            Call::Inside(page, number) => {
                let look = format!("({{...window.testCalls.get({number}), stop: null}})");
                let call = page.attempt(&look).await.unwrap_or_default();
                let text = |name: &str| call[name].as_str().unwrap_or_default().to_owned();
                (call["settled"] == true).then(|| match text("status").as_str() {
                    "Completed" => Answer {
                        status: text("status"),
                        output: call["output"].clone(),
                        error: String::new(),
                    },
                    _ => Answer { status: text("status"), output: Value::Null, error: text("output") },
                })
            }
        }
    }

    /// Waits for the answer.
    pub async fn answer(&self) -> Answer {
        match self {
            Call::Outside(invocation) => invocation.answer().await,
            Call::Inside(..) => until("the tool's answer", || self.now()).await,
        }
    }

    /// Waits for the answer of a completed call.
    pub async fn output(&self) -> Value {
        let answer = self.answer().await;
        assert!(answer.status == "Completed", "{answer:?}");
        answer.output
    }

    /// Gives up, as an agent whose person pressed stop.
    pub async fn cancel(&self) {
        match self {
            Call::Outside(invocation) => invocation.cancel().await,
            Call::Inside(page, number) => {
                page.eval(&format!("window.testCalls.get({number}).stop.abort(); 0")).await;
            }
        }
    }
}
