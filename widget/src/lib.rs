//! The widget behind `/quarantine.js`: it registers the tools that a ticket's records permit now, keeps a refund's call
//! open until a person has decided, and shows both in a panel.
//!
//! `js/boot.js` loads it and tells it what happens in the page; `door` is what it calls in turn. The page pays for every
//! byte, so there is no serde, no formatting, no standard library, and no map that a list can stand in for.
#![cfg_attr(target_arch = "wasm32", no_std)]

extern crate alloc;

mod app;
mod bare;
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
mod tasks;
mod words;

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use app::App;
use door::{get, text};
use panel::Panel;
use refresh::ALL;

/// Starts the widget: first the tools, then, in a later task, the panel.
#[wasm_bindgen]
pub fn start(config: JsValue, api: JsValue) {
    let app = App::start(config, api);
    door::on(move |what, values| happened(app, what, &values));
    app.spawn(async move {
        refresh::first(app).await;
        door::emit("quarantine:ready");
        door::wait(0).await;
        if get(&app.config, "panel") != "none" {
            Panel::build(app);
        }
        stream::join(app);
        refresh::want(app, ALL & !refresh::PERMIT);
    });
}

/// Something happened in the page.
fn happened(app: &'static App, what: JsValue, values: &JsValue) -> JsValue {
    match what.as_string().unwrap_or_default().as_str() {
        // An agent, or a person playing one, calls a tool: its name, input and signal, and what takes the answer.
        "execute" => {
            let settle = get(values, "3");
            app.spawn(call::run(app, get(values, "0"), get(values, "1"), get(values, "2"), settle));
        }
        "refused" => refused(app, &get(values, "0"), &text(values, "1")),
        "heard" => {
            let (from_server, at) = (get(values, "0").is_truthy(), door::number(values, "2"));
            stream::heard(app, from_server, &text(values, "1"), at, &get(values, "3"));
        }
        "acted" => panel::acted(app, &text(values, "0"), get(values, "1"), get(values, "2").is_truthy()),
        "tick" => {
            stream::tick(app);
            door::draw_again();
        }
        // The page goes away, perhaps to come back.
        "left" => stream::leave(app),
        // The page or the network is back.
        "returned" => {
            stream::nudge(app);
            refresh::want(app, ALL);
            app.holds.wake(&JsValue::UNDEFINED);
        }
        // Somebody looks at the page again, or another page holds a refund.
        "looked" => {
            stream::look(app);
            refresh::want(app, 0);
        }
        "settled" => app.tasks.run(),
        "tools" => {
            let there = app.registry.tools().iter().filter(|tool| tool.there());
            return door::array(there.map(|tool| tool.name.clone()).collect());
        }
        "focus" => focus(app, get(values, "0")),
        "refresh" => return refresh::done(app),
        _ => {}
    }
    JsValue::UNDEFINED
}

/// A registration was refused.
fn refused(app: &App, name: &JsValue, error: &str) {
    // Forbidden for the whole page: our own copy takes over. Else the name belongs to somebody else.
    if matches!(error, "NotAllowedError" | "SecurityError") {
        if app.context.give_up() {
            app.show_mode();
            app.registry.move_to(&app.context.value());
            if let Some(panel) = app.panel.get() {
                panel.show_mode(app);
            }
        }
    } else if let Some(tool) = app.registry.tool(name) {
        tool.forget();
    }
    app.tools_changed();
}

/// The page is about something else now.
fn focus(app: &'static App, subject: JsValue) {
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
