//! A tool's call, from the agent's input to the value it returns. Whatever happens, it is a value: a browser turns a
//! throw into one fixed sentence.

use alloc::vec;
use alloc::vec::Vec;
use core::cell::RefCell;

use wasm_bindgen::JsValue;

use crate::app::App;
use crate::door::{self, Answer, Who, get, items, refusal, same, text};
use crate::hold;
use crate::refresh::{self, PERMIT, RECORD};
use crate::registry::Tool;
use crate::schema;

/// Calls that a person playing the agent has just made and that have not come in yet.
#[derive(Default)]
pub(crate) struct Played(RefCell<Vec<(JsValue, JsValue)>>);

impl Played {
    /// A person makes this call.
    pub(crate) fn expect(&self, name: &JsValue, input: &JsValue) {
        self.0.borrow_mut().push((name.clone(), input.clone()));
    }

    /// True if the call was expected. It is expected no more.
    pub(crate) fn take(&self, name: &JsValue, input: &JsValue) -> bool {
        let mut expected = false;
        self.0.borrow_mut().retain(|(one, with)| {
            let is = !expected && one == name && same(with, input);
            expected |= is;
            !is
        });
        expected
    }
}

/// Runs a call and settles it. Tools that came are registered before the answer, those that went are withdrawn after.
pub(crate) async fn run(app: &'static App, name: JsValue, input: JsValue, signal: JsValue, settle: JsValue) {
    let who = if app.played.take(&name, &input) { Who::Played } else { Who::Agent };
    let settle = |value: &JsValue| door::call(&settle, value);
    let Some(tool) = app.registry.tool(&name).filter(|tool| tool.begin()) else {
        return settle(&refusal("NOT_AVAILABLE", &"This tool is not there now.".into()));
    };
    let version = app.registry.version();
    let value = answer(app, tool, &input, &signal, who).await;
    // Only an answer about this page's subject speaks about this page's tools.
    let names = if tool.acts() && get(&value, "ticket_id") == app.subject() {
        items(&value, "tools")
    } else {
        vec![]
    };
    app.set_tools(&names, false);
    settle(&value);
    tool.end();
    if tool.acts() {
        door::wait(0).await;
        if !names.is_empty() && version == app.registry.version() {
            app.set_tools(&names, true);
        }
        refresh::want(app, PERMIT | RECORD);
    }
}

async fn answer(app: &'static App, tool: &Tool, input: &JsValue, signal: &JsValue, who: Who) -> JsValue {
    if let Some(reason) = schema::check(&get(&tool.spec, "inputSchema"), input) {
        return refusal("BAD_INPUT", &reason);
    }
    let said = send(tool, input, who).await;
    let known = get(&said.body, "outcome");
    if known.is_object() {
        return known;
    }
    if said.ok() && get(&tool.spec, "hold").is_object() && door::truthy(&said.body, "refund_id") {
        let seconds = door::number(input, "wait_seconds");
        return hold::wait(app, tool, get(&said.body, "refund_id"), signal, who, seconds).await;
    }
    told(said, tool)
}

/// Sends a call. It is never broken off: what was sent may have been done, and a held refund whose name is not known
/// can't be taken back.
async fn send(tool: &Tool, input: &JsValue, who: Who) -> Answer {
    let sent = door::compose(&tool.spec, input);
    let (address, body) =
        (sent.first().cloned().unwrap_or_default(), sent.get(1).cloned().unwrap_or_default());
    let method = text(&tool.spec, "endpoint.method");
    door::settled(door::ask(&method, &address, who, &body)).await
}

fn told(said: Answer, tool: &Tool) -> JsValue {
    if said.body.is_object() {
        return said.body;
    }
    let (code, reason) = match (said.status, tool.acts()) {
        (0, false) => ("UNREACHABLE", "The desk could not be reached; try again."),
        (0, true) => (
            "UNREACHABLE",
            "The desk could not be reached. It may have done this or not: read the ticket first.",
        ),
        _ => ("BAD_ANSWER", "The desk gave no proper answer; try again later."),
    };
    refusal(code, &reason.into())
}
