//! One event stream for all pages of a browser, which allows six connections to a host and may have ten pages open.
//!
//! The page that holds a Web Lock keeps the stream and posts what it hears to a channel; the others listen there. A
//! page that goes away gives the lock up. One that is frozen falls silent, and another takes the lock from it.

use alloc::boxed::Box;
use alloc::vec;
use core::cell::{Cell, RefCell};

use wasm_bindgen::JsValue;

use crate::app::App;
use crate::door::{self, Lock, clock, get, text};
use crate::hold;
use crate::refresh::{self, ALL, APPROVALS, PERMIT, RECORD};

/// The server sends a beat every 3 seconds; this long without one, and the connection or its page is given up.
const SILENCE: f64 = 10_000.0;

/// What the panel says of it.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Live {
    /// Not yet known.
    #[default]
    Starting,
    /// Events arrive.
    On,
    /// They do not; it is tried again.
    Lost,
    /// The page has none.
    None,
}

/// This page's part in it.
#[derive(Default)]
pub(crate) struct Stream {
    live: Cell<Live>,
    last: Cell<f64>,
    heard_at: Cell<f64>,
    lost_times: Cell<u32>,
    ticks: Cell<u32>,
    leading: Cell<bool>,
    channel: RefCell<Option<JsValue>>,
    source: RefCell<Option<JsValue>>,
    lock: RefCell<Option<Lock>>,
}

impl Stream {
    /// Whether events arrive.
    pub(crate) fn live(&self) -> Live {
        self.live.get()
    }

    /// Nothing before this event needs to be heard.
    pub(crate) fn start_after(&self, seq: f64) {
        if self.last.get() == 0.0 {
            self.last.set(seq);
        }
    }
}

/// Joins the browser's other pages.
pub(crate) fn join(app: &'static App) {
    let stream = &app.stream;
    if get(&app.config, "events").is_falsy() {
        return set_live(app, Live::None);
    }
    if stream.channel.borrow().is_some() {
        return;
    }
    stream.heard_at.set(clock());
    stream.channel.replace(Some(door::channel(&name(app))));
    // Whoever leads answers with how far it is; what was missed until now is then read.
    tell(app, "hello", stream.last.get(), &JsValue::UNDEFINED);
    app.spawn(lead(app, "exclusive"));
}

/// Leaves them; what comes back later joins again.
pub(crate) fn leave(app: &App) {
    app.stream.leading.set(false);
    shut(app);
    hold::unwatch(app);
    if let Some(channel) = app.stream.channel.take() {
        door::close(&channel);
    }
    if let Some(lock) = app.stream.lock.take() {
        lock.release();
    }
}

async fn lead(app: &'static App, mode: &str) {
    let lock = Lock::ask(&name(app), mode);
    if let Some(before) = app.stream.lock.replace(Some(lock.clone())) {
        before.release();
    }
    if !lock.granted().await || app.stream.channel.borrow().is_none() {
        return;
    }
    app.stream.leading.set(true);
    connect(app);
    hold::watch(app);
    lock.lost().await;
    // Another page took it: this one had been silent for too long. It listens, and waits for its turn.
    if app.stream.leading.replace(false) {
        shut(app);
        hold::unwatch(app);
        app.spawn(lead_again(app));
    }
}

// A future can't hold itself.
fn lead_again(app: &'static App) -> core::pin::Pin<Box<dyn Future<Output = ()>>> {
    Box::pin(lead(app, "exclusive"))
}

fn connect(app: &'static App) {
    shut(app);
    app.stream.heard_at.set(clock());
    let source = door::listen(&get(&app.config, "events"), app.stream.last.get());
    app.stream.source.replace(Some(source));
}

fn shut(app: &App) {
    if let Some(source) = app.stream.source.take() {
        door::close(&source);
    }
}

/// Something was heard: from the server if this page leads, else from the page that does.
pub(crate) fn heard(app: &'static App, server: bool, kind: &str, at: f64, data: &JsValue) {
    let stream = &app.stream;
    if server && !stream.leading.get() {
        return;
    }
    if kind != "hello" {
        stream.heard_at.set(clock());
    }
    match kind {
        "open" => {
            stream.lost_times.set(0);
            set_live(app, Live::On);
        }
        "lost" if server => {
            shut(app);
            set_live(app, Live::Lost);
            app.spawn(reconnect(app));
        }
        "lost" => set_live(app, Live::Lost),
        "hello" if stream.leading.get() => {
            let state = if stream.live.get() == Live::On { "open" } else { "lost" };
            tell(app, state, 0.0, &JsValue::UNDEFINED);
            tell(app, "at", stream.last.get(), &JsValue::UNDEFINED);
        }
        "at" if at > stream.last.get() => {
            stream.last.set(at);
            refresh::want(app, ALL);
            app.holds.wake(&JsValue::UNDEFINED);
        }
        "event" => event(app, server, at, data),
        _ => {}
    }
    if server && kind != "event" {
        tell(app, kind, 0.0, &JsValue::UNDEFINED);
    }
}

fn event(app: &'static App, server: bool, at: f64, data: &JsValue) {
    let value = door::parse(data);
    let kind = text(&value, "kind");
    set_live(app, Live::On);
    if kind == "resync" {
        // What is known is of another time: the next permit counts whatever its number.
        app.stream.last.set(at);
        app.permit.take();
    } else if kind != "beat" && at > 0.0 {
        if at <= app.stream.last.get() {
            return;
        }
        app.stream.last.set(at);
    }
    if server {
        tell(app, "event", at, data);
    }
    if kind != "beat" {
        door::emit("quarantine:changed");
    }
    let ticket = get(&value, "ticket");
    let here = ticket.is_undefined() || ticket == app.subject();
    match kind.as_str() {
        "refund" => {
            app.holds.wake(&get(&value, "refund"));
            if here {
                refresh::want(app, ALL);
            }
        }
        "ticket" if here => refresh::want(app, PERMIT | RECORD | APPROVALS),
        "workspace" => refresh::want(app, ALL),
        "resync" => {
            refresh::want(app, ALL);
            app.holds.wake(&JsValue::UNDEFINED);
        }
        _ => {}
    }
}

/// Waits longer each time, up to a quarter of a minute, and never all pages at the same instant.
async fn reconnect(app: &'static App) {
    let times = app.stream.lost_times.get();
    app.stream.lost_times.set(times + 1);
    let pause = 500u32 << times.min(5);
    door::wait(pause.min(15_000) + (clock() as u64 % 250) as u32).await;
    if app.stream.leading.get() && app.stream.source.borrow().is_none() {
        connect(app);
    }
}

/// Every 3 seconds.
pub(crate) fn tick(app: &'static App) {
    let stream = &app.stream;
    let ticks = stream.ticks.get() + 1;
    stream.ticks.set(ticks);
    // A call that waits is looked after also where no event can arrive.
    if !app.holds.is_empty() && (stream.live.get() != Live::On || ticks.is_multiple_of(20)) {
        app.holds.wake(&JsValue::UNDEFINED);
    }
    if stream.channel.borrow().is_none() {
        return;
    }
    let silent = clock() - stream.heard_at.get() > SILENCE;
    if stream.leading.get() {
        let connected = stream.source.borrow().is_some();
        if connected && silent {
            heard(app, true, "lost", 0.0, &JsValue::UNDEFINED);
        }
        if stream.live.get() != Live::On {
            tell(app, "lost", 0.0, &JsValue::UNDEFINED);
        }
        hold::watch(app);
    } else if silent {
        stream.heard_at.set(clock());
        set_live(app, Live::Lost);
        app.spawn(lead(app, "steal"));
    }
}

/// Tries at once: the network is back, or the page is.
pub(crate) fn nudge(app: &'static App) {
    join(app);
    if app.stream.leading.get() && app.stream.live.get() == Live::Lost {
        app.stream.lost_times.set(0);
        connect(app);
    }
}

/// Looks whether another page holds something that this one should look after.
pub(crate) fn look(app: &'static App) {
    if app.stream.leading.get() {
        hold::watch(app);
    }
}

fn set_live(app: &'static App, live: Live) {
    let before = app.stream.live.replace(live);
    if before == live {
        return;
    }
    if before == Live::Lost {
        // Whatever happened meanwhile is read once, whoever missed it.
        refresh::want(app, ALL);
        app.holds.wake(&JsValue::UNDEFINED);
        door::emit("quarantine:changed");
    }
    if let Some(panel) = app.panel.get() {
        panel.show_live(live);
    }
}

/// Says something to the other pages.
fn tell(app: &App, kind: &str, at: f64, data: &JsValue) {
    if let Some(channel) = app.stream.channel.borrow().as_ref() {
        door::post(channel, vec![kind.into(), at.into(), data.clone()]);
    }
}

/// Pages share a stream only if they listen to the same one.
fn name(app: &App) -> JsValue {
    door::write("quarantine {events} stream", &app.config)
}
