//! The panel: what the agent holds, why not more, what waits for a person, and what happened.
//!
//! It is built once. An update writes into the texts that are there, so that nothing typed is lost, no focus moves, and
//! what somebody reads stays where it is.

use alloc::vec::Vec;

use wasm_bindgen::JsValue;

use crate::app::App;
use crate::card::{self, Cards};
use crate::context::Mode;
use crate::door::{self, draw, draw_list, get, items, object, put, set, truthy};
use crate::play::{self, Plays};
use crate::stream::Live;

/// How many lines of the trail are shown.
const LINES: usize = 30;

const TOOL: &str = r#"li
  button.tool type="button" data-do="play" data-of="{name}" | {name}
  span.kind | {kind}"#;
const REASON: &str = "li | {code}. {reason}";
const ENTRY: &str = r#"li
  time datetime="{at}" title="{at:exact}" | {at:ago}
  b | {who}
  span | {what}{amount:also}{code:also}"#;

/// The panel on the page.
pub(crate) struct Panel {
    view: JsValue,
    data: JsValue,
    pub(crate) cards: Cards,
    pub(crate) plays: Plays,
}

impl Panel {
    /// Puts the panel on the page and shows what is known so far.
    pub(crate) fn build(app: &'static App) {
        let view = door::panel(include_str!("view/panel.css"), include_str!("view/panel.txt"));
        let data = object();
        set(&data, "console", &get(&app.config, "approvals.consoleUrl"));
        set(&data, "record", &get(&app.config, "record"));
        put(&data, "in_page", app.in_page());
        let panel = Panel {
            cards: Cards::new(get(&view, "cards")),
            plays: Plays::new(get(&view, "plays")),
            view,
            data,
        };
        panel.show_mode(app);
        panel.show_live(app.stream.live());
        panel.show_tools(app);
        panel.show_permit(app);
        let _ = app.panel.set(panel);
    }

    fn draw(&self) {
        draw(&self.view, &self.data);
    }

    /// Whose `modelContext` it is.
    pub(crate) fn show_mode(&self, app: &App) {
        let mode = app.context.mode();
        put(&self.data, "mode", mode.as_str());
        put(&self.data, "polyfill", mode == Mode::Polyfill);
        put(&self.data, "fallback", mode == Mode::Fallback);
        self.draw();
    }

    /// Whether events arrive.
    pub(crate) fn show_live(&self, live: Live) {
        let words = match live {
            Live::Starting => "Connecting",
            Live::On => "Live",
            Live::Lost => "Reconnecting",
            Live::None => "",
        };
        put(&self.data, "live", words);
        self.draw();
    }

    /// The tools that exist now, each with the way to play it.
    pub(crate) fn show_tools(&self, app: &App) {
        let mut rows = Vec::new();
        for tool in app.registry.tools().iter().filter(|tool| tool.there()) {
            let row = object();
            set(&row, "name", &tool.name);
            let kind = match (get(&tool.spec, "hold").is_object(), tool.acts()) {
                (true, _) => "waits for a person",
                (_, true) => "acts",
                _ => "reads",
            };
            put(&row, "kind", kind);
            rows.push(row);
        }
        draw_list(&get(&self.view, "tools"), TOOL, rows, "name");
        self.plays.show_available(app);
    }

    /// Why the refund tool is there or not.
    pub(crate) fn show_permit(&self, app: &App) {
        let (permit, trouble) = (app.permit(), app.trouble.borrow().clone());
        let bound = app.subject().is_truthy();
        let known = bound && trouble.is_undefined() && truthy(&permit, "refund.code");
        let stopped = truthy(&permit, "stopped");
        let eligible = get(&permit, "refund.code") == "ELIGIBLE";
        put(&self.data, "unbound", !bound);
        put(&self.data, "stopped", known && stopped);
        let own = truthy(&permit, "own");
        put(&self.data, "own", known && !stopped && own);
        put(&self.data, "eligible", known && !stopped && !own && eligible);
        put(&self.data, "refused", known && !stopped && !own && !eligible);
        set(&self.data, "trouble", &trouble);
        set(&self.data, "permit", &permit);
        let more = items(&permit, "refund.reasons").into_iter().skip(1).collect();
        draw_list(&get(&self.view, "reasons"), REASON, more, "code");
        let away = own && !app.in_page();
        if away && !truthy(&self.data, "away") {
            put(&self.data, "news", "A refund of this ticket waits for a person on the console.");
        }
        put(&self.data, "away", away);
        self.draw();
    }

    /// The refunds that wait for a person.
    pub(crate) fn take_approvals(&self, app: &'static App, waiting: &[JsValue]) {
        // Said to whoever does not look, without taking the focus.
        if let Some(news) = self.cards.take(app, waiting) {
            set(&self.data, "news", &news);
            self.draw();
        }
    }

    /// The trail.
    pub(crate) fn take_record(&self, entries: &JsValue) {
        let entries: Vec<JsValue> = door::list(entries).into_iter().take(LINES).collect();
        put(&self.data, "happened", !entries.is_empty());
        draw_list(&get(&self.view, "trail"), ENTRY, entries, "seq");
        self.draw();
    }

    /// Another subject: what waits for the old one is not shown any more.
    pub(crate) fn clear(&self) {
        self.cards.clear();
        self.take_record(&JsValue::UNDEFINED);
    }
}

/// A person pressed a button of the panel, or sent one of its forms.
pub(crate) fn acted(app: &'static App, what: &str, of: JsValue, trusted: bool) {
    let Some(panel) = app.panel.get() else { return };
    match what {
        // Only a press of a real key or button decides; a script's click is not one.
        "approve" | "reject" if trusted => app.spawn(card::decide(app, panel, of, what == "approve")),
        "lower" if trusted => app.spawn(card::lower(app, panel, of)),
        "close" => panel.cards.close(&of),
        "play" => panel.plays.open(app, &of),
        "run" => app.spawn(play::run(app, panel, of)),
        "cancel" => panel.plays.cancel(&of),
        _ => {}
    }
}
