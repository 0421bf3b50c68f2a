//! The widget behind `/quarantine.js`: it registers the tools that a ticket's records permit now, keeps a refund's call
//! open until a person has decided, and shows both in a panel.
//!
//! `js/boot.js` loads it and calls the functions exported here; `door` is what they call in turn. It is to be small:
//! the page pays for every byte, so there is no serde, no formatting, and no map that a list can stand in for.

mod app;
mod call;
mod card;
mod context;
mod door;
mod hold;
mod panel;
mod play;
mod refresh;
mod registry;
mod schema;
mod stream;
mod words;

use js_sys::{Array, Function, Promise};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use app::{App, app};
use panel::Panel;
use refresh::ALL;

/// Starts the widget: first the tools, then, in a later task, the panel.
#[wasm_bindgen]
pub fn start(config: JsValue, api: JsValue) {
    std::panic::set_hook(Box::new(|_| door::fail()));
    let app = App::start(config, api);
    door::spawn(async move {
        refresh::first(app).await;
        door::emit("quarantine:ready");
        door::wait(0).await;
        if door::get(&app.config, "panel") != "none" {
            Panel::build(app);
        }
        stream::join(app);
        refresh::want(app, ALL & !refresh::PERMIT);
    });
}

/// An agent, or a person playing one, calls a tool.
#[wasm_bindgen]
pub fn execute(name: JsValue, input: JsValue, signal: JsValue, settle: Function) {
    match app() {
        Some(app) => door::spawn(call::run(app, name, input, signal, settle)),
        None => door::fail(),
    }
}

/// A registration was refused.
#[wasm_bindgen]
pub fn refused(name: JsValue, error: &str) {
    let Some(app) = app() else { return };
    // Forbidden for the whole page: our own copy takes over. Else the name belongs to somebody else.
    if matches!(error, "NotAllowedError" | "SecurityError") {
        if app.context.give_up() {
            app.show_mode();
            app.registry.move_to(&app.context.value());
            if let Some(panel) = app.panel.get() {
                panel.show_mode(app);
            }
        }
    } else if let Some(tool) = app.registry.tool(&name) {
        tool.forget();
    }
    app.tools_changed();
}

/// The event stream, or another page, said something.
#[wasm_bindgen]
pub fn heard(server: bool, kind: &str, at: f64, data: &str) {
    if let Some(app) = app() {
        stream::heard(app, server, kind, at, data);
    }
}

/// A button of the panel was pressed.
#[wasm_bindgen]
pub fn acted(what: &str, of: JsValue, trusted: bool) {
    if let Some(app) = app() {
        panel::acted(app, what, of, trusted);
    }
}

/// Every 3 seconds.
#[wasm_bindgen]
pub fn tick() {
    if let Some(app) = app() {
        stream::tick(app);
        door::draw_again();
    }
}

/// The page goes away, perhaps to come back.
#[wasm_bindgen]
pub fn left() {
    if let Some(app) = app() {
        stream::leave(app);
    }
}

/// The page or the network is back.
#[wasm_bindgen]
pub fn returned() {
    if let Some(app) = app() {
        stream::nudge(app);
        refresh::want(app, ALL);
        app.holds.wake(&JsValue::UNDEFINED);
    }
}

/// Somebody looks at the page again, or another page holds a refund.
#[wasm_bindgen]
pub fn looked() {
    if let Some(app) = app() {
        stream::look(app);
        refresh::want(app, 0);
    }
}

/// The names of the tools that exist now.
#[wasm_bindgen]
pub fn tools() -> Array {
    let Some(app) = app() else { return Array::new() };
    app.registry.tools().iter().filter(|tool| tool.there()).map(|tool| &tool.name).collect()
}

/// The page is about something else now.
#[wasm_bindgen]
pub fn focus(subject: JsValue) {
    let Some(app) = app() else { return };
    app.subject.replace(subject);
    app.permit.take();
    app.trouble.take();
    app.unbind();
    if let Some(panel) = app.panel.get() {
        panel.clear();
        panel.show_permit(app);
    }
    refresh::want(app, ALL);
}

/// Reads everything again.
#[wasm_bindgen]
pub fn refresh() -> Promise {
    match app() {
        Some(app) => refresh::done(app),
        None => Promise::resolve(&JsValue::UNDEFINED),
    }
}
