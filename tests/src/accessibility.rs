//! Finding things the way assistive technology does: by role and name. This sees into closed shadow roots, and finds
//! nothing that a person with a screen reader could not find.

use serde_json::{Value, json};

use crate::cdp::Refused;
use crate::deadline::until;
use crate::page::Page;

/// Something in a page that has a role and a name.
#[derive(Debug)]
pub struct Node<'a> {
    page: &'a Page,
    backend: u64,
    /// As it was when it was found.
    pub role: String,
    /// As it was when it was found.
    pub name: String,
    /// What it says of itself beyond that: `disabled`, `focused`, `checked`, …
    pub properties: Value,
}

impl Page {
    /// Everything that is exposed now, in document order.
    pub async fn accessible(&self) -> Vec<Node<'_>> {
        let Ok(tree) = self.session().call("Accessibility.getFullAXTree", json!({})).await else {
            return Vec::new();
        };
        let nodes = tree["nodes"].as_array().cloned().unwrap_or_default();
        nodes.iter().filter_map(|node| self.node(node)).collect()
    }

    fn node(&self, node: &Value) -> Option<Node<'_>> {
        if node["ignored"] == true {
            return None;
        }
        let text = |part: &Value| part["value"].as_str().unwrap_or_default().trim().to_owned();
        Some(Node {
            page: self,
            backend: node["backendDOMNodeId"].as_u64()?,
            role: text(&node["role"]),
            name: text(&node["name"]),
            properties: node["properties"].clone(),
        })
    }

    /// All that have this role and this name.
    pub async fn all(&self, role: &str, name: &str) -> Vec<Node<'_>> {
        let fits = |node: &Node<'_>| node.role == role && node.name == name;
        self.accessible().await.into_iter().filter(fits).collect()
    }

    /// The first that has this role and this name, as soon as there is one.
    pub async fn find(&self, role: &str, name: &str) -> Node<'_> {
        self.find_if(&format!("the {role} {name:?}"), |node| node.role == role && node.name == name).await
    }

    /// The first that fits, as soon as there is one.
    pub async fn find_if(&self, what: &str, fits: impl Fn(&Node<'_>) -> bool) -> Node<'_> {
        until(what, || async { self.accessible().await.into_iter().find(&fits) }).await
    }

    /// Waits until nothing has this role and this name any more.
    pub async fn gone(&self, role: &str, name: &str) {
        let what = format!("the {role} {name:?} to go");
        until(&what, || async { self.all(role, name).await.is_empty().then_some(()) }).await;
    }

    /// Waits until some text is there for everybody to read, wherever in the page.
    pub async fn says(&self, text: &str) {
        let what = format!("the page to say {text:?}");
        until(&what, || async { self.text().await.contains(text).then_some(()) }).await;
    }

    /// All text that is exposed, in document order, a line each.
    pub async fn text(&self) -> String {
        let nodes = self.accessible().await;
        let texts = nodes.iter().filter(|node| node.role == "StaticText").map(|node| node.name.as_str());
        texts.collect::<Vec<_>>().join("\n")
    }
}

impl Node<'_> {
    /// Clicks in its middle with the mouse: a trusted event, like a person's.
    pub async fn click(&self) {
        if let Err(refused) = self.try_click().await {
            panic!("the {} {:?} can't be clicked: {refused}", self.role, self.name);
        }
    }

    /// As [`Node::click`]; that it has gone meanwhile is an error.
    pub async fn try_click(&self) -> Result<(), Refused> {
        let (x, y) = self.middle().await?;
        self.page.click_at(x, y).await;
        Ok(())
    }

    /// The middle of it, in CSS pixels of what is seen, after scrolling it there.
    pub async fn middle(&self) -> Result<(f64, f64), Refused> {
        let node = json!({"backendNodeId": self.backend});
        let session = self.page.session();
        session.call("DOM.scrollIntoViewIfNeeded", node.clone()).await?;
        let quads = session.call("DOM.getContentQuads", node).await?;
        let corners: Vec<f64> =
            quads["quads"][0].as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
        if corners.len() != 8 {
            return Err(Refused { code: 0, message: "it takes up no room".to_owned() });
        }
        let middle = |first: usize| corners.iter().skip(first).step_by(2).sum::<f64>() / 4.0;
        Ok((middle(0), middle(1)))
    }

    /// Puts the keyboard there.
    pub async fn focus(&self) {
        self.page.session().must("DOM.focus", json!({"backendNodeId": self.backend})).await;
    }

    /// What a function of the page makes of this element: `on("function () { return this.value; }")`.
    pub async fn on(&self, function: &str) -> Value {
        let session = self.page.session();
        let object = session.must("DOM.resolveNode", json!({"backendNodeId": self.backend})).await;
        let params = json!({
            "objectId": object["object"]["objectId"], "functionDeclaration": function,
            "returnByValue": true, "awaitPromise": true,
        });
        let mut answer = session.must("Runtime.callFunctionOn", params).await;
        answer["result"]["value"].take()
    }

    /// Whether it says this of itself: `disabled`, `focused`, …
    pub fn is(&self, property: &str) -> bool {
        let properties = self.properties.as_array().map(Vec::as_slice).unwrap_or_default();
        properties.iter().any(|entry| entry["name"] == property && entry["value"]["value"] == true)
    }
}
