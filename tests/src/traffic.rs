//! Everything that went over the network for one tab.

use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedReceiver;

use crate::cdp::{Event, Session, runtime};
use crate::page::Page;

/// One thing that was sent or received.
#[derive(Clone, Debug)]
pub struct Bytes {
    /// The address.
    pub url: String,
    /// True for what the page received.
    pub received: bool,
    /// Body, headers or event.
    pub text: String,
}

/// What has been recorded so far.
#[derive(Clone, Debug, Default)]
pub struct Traffic {
    seen: Arc<Mutex<Vec<Bytes>>>,
}

impl Page {
    /// Records from now on.
    pub fn traffic(&self) -> Traffic {
        let traffic = Traffic::default();
        let (events, session) = (self.session().events(), self.session().clone());
        runtime().spawn(traffic.clone().record(events, session));
        traffic
    }
}

impl Traffic {
    async fn record(self, mut events: UnboundedReceiver<Arc<Event>>, session: Session) {
        let mut addresses = std::collections::HashMap::new();
        while let Some(event) = events.recv().await {
            let params = &event.params;
            let id = params["requestId"].as_str().unwrap_or_default().to_owned();
            let url = || addresses.get(&id).cloned().unwrap_or_default();
            match event.method.as_str() {
                "Network.requestWillBeSent" => {
                    let request = &params["request"];
                    let url = request["url"].as_str().unwrap_or_default().to_owned();
                    addresses.insert(id, url.clone());
                    self.add(url, false, format!("{} {}", request["headers"], request["postData"]));
                }
                "Network.responseReceived" => {
                    self.add(url(), true, params["response"]["headers"].to_string())
                }
                "Network.eventSourceMessageReceived" => {
                    self.add(url(), true, params["data"].as_str().unwrap_or_default().to_owned());
                }
                "Network.loadingFinished" => {
                    // The body is gone once the page is: asked for at once, and not waited for in this loop.
                    let (traffic, url) = (self.clone(), url());
                    let body = session.send("Network.getResponseBody", json!({"requestId": id}));
                    tokio::spawn(async move {
                        if let Ok(Ok(body)) = body.await {
                            traffic.add(url, true, text(&body));
                        }
                    });
                }
                _ => {}
            }
        }
    }

    fn add(&self, url: String, received: bool, text: String) {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).push(Bytes { url, received, text });
    }

    /// All of it.
    pub fn all(&self) -> Vec<Bytes> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn text(body: &Value) -> String {
    let text = body["body"].as_str().unwrap_or_default();
    if body["base64Encoded"] == true {
        let bytes = STANDARD.decode(text).unwrap_or_default();
        return String::from_utf8_lossy(&bytes).into_owned();
    }
    text.to_owned()
}
