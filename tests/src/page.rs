//! One tab.

use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::cdp::{Event, Session, runtime};
use crate::deadline::{until, within};

/// One tab of a browser.
#[derive(Debug)]
pub struct Page {
    session: Session,
    browser: Session,
    target: String,
    console: Arc<Mutex<Vec<String>>>,
}

impl Page {
    /// Attaches to a tab that is there.
    pub async fn attach(browser: &Session, target: String) -> Page {
        let attached =
            browser.must("Target.attachToTarget", json!({"targetId": target, "flatten": true})).await;
        let session = browser.cdp().session(attached["sessionId"].as_str().unwrap_or_default());
        let console = Arc::new(Mutex::new(Vec::new()));
        let (mut events, lines) = (session.events(), Arc::clone(&console));
        runtime().spawn(async move {
            while let Some(event) = events.recv().await {
                if let Some(line) = complaint(&event) {
                    lines.lock().unwrap_or_else(PoisonError::into_inner).push(line);
                }
            }
        });
        for domain in ["Page.enable", "Runtime.enable", "Log.enable", "DOM.enable", "Network.enable"] {
            session.must(domain, json!({})).await;
        }
        Page { session, browser: browser.clone(), target, console }
    }

    /// For commands that have no name here.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The tab's name in the browser; that of its main frame too.
    pub fn target(&self) -> &str {
        &self.target
    }

    /// Opens an address in this tab and waits until it has loaded.
    pub async fn goto(&self, url: &str) {
        let loaded = self.load(self.session.must("Page.navigate", json!({"url": url}))).await;
        if let Some(error) = loaded["errorText"].as_str() {
            panic!("{url} did not open: {error}");
        }
    }

    /// Loads the page again.
    pub async fn reload(&self) {
        self.load(self.session.must("Page.reload", json!({}))).await;
    }

    /// Does what leads to another page, and waits until that one has loaded.
    pub async fn load<T>(&self, leading: impl Future<Output = T>) -> T {
        let mut events = self.session.events();
        let result = leading.await;
        within("the page to load", async {
            while let Some(event) = events.recv().await {
                if event.method == "Page.loadEventFired" {
                    break;
                }
            }
        })
        .await;
        result
    }

    /// Brings this tab to the front, as a person who turns to it. A page that nobody sees may do less.
    pub async fn show(&self) {
        self.session.must("Page.bringToFront", json!({})).await;
    }

    /// The value of an expression in the page; a promise is waited for. What is thrown is a panic.
    pub async fn eval(&self, expression: &str) -> Value {
        match self.attempt(expression).await {
            Ok(value) => value,
            Err(thrown) => panic!("{expression}: {thrown}"),
        }
    }

    /// As [`Page::eval`]; what is thrown, and a page that went away meanwhile, is an error.
    pub async fn attempt(&self, expression: &str) -> Result<Value, String> {
        let params = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let mut answer =
            self.session.call("Runtime.evaluate", params).await.map_err(|refused| refused.to_string())?;
        if let Some(thrown) = answer.get("exceptionDetails") {
            let text = thrown["exception"]["description"].as_str().or(thrown["text"].as_str());
            return Err(text.unwrap_or("something was thrown").to_owned());
        }
        Ok(answer["result"]["value"].take())
    }

    /// Waits until an expression is truthy, over reloads if need be, and gives its value.
    pub async fn wait_for(&self, expression: &str) -> Value {
        until(expression, || async { self.attempt(expression).await.ok().filter(truthy) }).await
    }

    /// Runs a script in every document of this tab before its own scripts.
    pub async fn before_scripts(&self, script: &str) {
        self.session.must("Page.addScriptToEvaluateOnNewDocument", json!({"source": script})).await;
    }

    /// `light` or `dark`.
    pub async fn theme(&self, theme: &str) {
        let features = json!([{"name": "prefers-color-scheme", "value": theme}]);
        self.session.must("Emulation.setEmulatedMedia", json!({"features": features})).await;
    }

    /// The size of what is seen, in CSS pixels.
    pub async fn size(&self, width: u32, height: u32) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500});
        self.session.must("Emulation.setDeviceMetricsOverride", size).await;
    }

    /// What is seen, as a PNG.
    pub async fn screenshot(&self) -> Vec<u8> {
        let shot = self.session.must("Page.captureScreenshot", json!({"format": "png"})).await;
        STANDARD.decode(shot["data"].as_str().unwrap_or_default()).expect("a picture in base64")
    }

    /// What the page complained of so far: errors, warnings of the browser, exceptions nobody caught.
    pub fn complaints(&self) -> Vec<String> {
        self.console.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Closes the tab, as a person closes it: no handler of the page can object.
    pub async fn close(self) {
        let closed = self.browser.call("Target.closeTarget", json!({"targetId": self.target})).await;
        closed.unwrap_or_else(|refused| panic!("the tab did not close: {refused}"));
    }
}

fn truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(is) => *is,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}

fn complaint(event: &Event) -> Option<String> {
    let params = &event.params;
    match event.method.as_str() {
        "Runtime.exceptionThrown" => {
            let details = &params["exceptionDetails"];
            Some(format!("not caught: {} {}", details["text"], details["exception"]["description"]))
        }
        "Runtime.consoleAPICalled" if params["type"] == "error" || params["type"] == "warning" => {
            Some(format!("console.{}: {}", params["type"], params["args"]))
        }
        "Log.entryAdded" => {
            let entry = &params["entry"];
            let matters = entry["level"] == "error" || entry["level"] == "warning";
            matters.then(|| format!("{}: {} {}", entry["source"], entry["text"], entry["url"]))
        }
        _ => None,
    }
}
