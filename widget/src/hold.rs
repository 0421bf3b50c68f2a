//! A held call: the agent's promise settles when the refund has come to an end, and only then.
//!
//! Nothing here polls while the event stream lives. A wake-up says that something happened; the call then fetches its
//! own outcome. Whoever goes away takes the refund back: by the page's last act, or, where a page died without one, by
//! another page of the same browser that finds its lock free.

use alloc::vec::Vec;
use core::cell::{Cell, RefCell};

use wasm_bindgen::JsValue;

use crate::app::App;
use crate::door::{self, Lock, Who, clock, fill, get, object, put, set, truthy};
use crate::refresh::{self, APPROVALS, RECORD};
use crate::registry::Tool;
use crate::tasks::result;

/// Names of locks and stored keys; the refund's name follows.
const LOCK: &str = "quarantine-hold-";

/// The calls that are held in this page.
#[derive(Default)]
pub(crate) struct Holds {
    open: RefCell<Vec<Held>>,
    watched: RefCell<Vec<(JsValue, Lock)>>,
    last: Cell<u32>,
}

struct Held {
    call: u32,
    key: JsValue,
    wake: Option<JsValue>,
}

impl Holds {
    /// True if no call waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.open.borrow().is_empty()
    }

    /// Lets the calls of this refund look again; all calls if it is undefined.
    pub(crate) fn wake(&self, refund: &JsValue) {
        let key = key(refund);
        let mut bells = Vec::new();
        for held in self.open.borrow_mut().iter_mut() {
            if refund.is_undefined() || held.key == key {
                bells.extend(held.wake.take());
            }
        }
        bells.iter().for_each(|bell| door::call(bell, &JsValue::UNDEFINED));
    }

    fn has(&self, key: &JsValue) -> bool {
        self.open.borrow().iter().any(|held| held.key == *key)
    }

    fn begin(&self, key: &JsValue) -> u32 {
        let call = self.last.get() + 1;
        self.last.set(call);
        self.open.borrow_mut().push(Held { call, key: key.clone(), wake: None });
        call
    }

    fn end(&self, call: u32) {
        self.open.borrow_mut().retain(|held| held.call != call);
    }

    fn on_wake(&self, call: u32, bell: JsValue) {
        for held in self.open.borrow_mut().iter_mut().filter(|held| held.call == call) {
            held.wake = Some(bell.clone());
        }
    }
}

/// `{refund_id}`: what an address is filled with.
fn named(refund: &JsValue) -> JsValue {
    let values = object();
    set(&values, "refund_id", refund);
    values
}

fn key(refund: &JsValue) -> JsValue {
    door::write("quarantine-hold-{refund_id}", &named(refund))
}

/// Waits for the end of what was staged, or takes it back when the caller breaks off. A wait of so many seconds, if
/// there are any, ends with where the refund stands then; it stays held.
pub(crate) async fn wait(
    app: &'static App,
    tool: &Tool,
    refund: JsValue,
    signal: &JsValue,
    who: Who,
    seconds: f64,
) -> JsValue {
    let (key, named) = (key(&refund), named(&refund));
    let outcome = fill(&get(&tool.spec, "hold.outcome"), &named);
    let withdraw = fill(&get(&tool.spec, "hold.withdraw"), &named);
    // Always has an outcome, `held` if there is no other.
    put(&named, "outcome", &outcome);
    let standing = door::write("{outcome}?wait=0", &named);
    let call = app.holds.begin(&key);
    door::keep(call, &withdraw, who.as_str());
    let lock = Lock::ask(&key, "shared");
    app.spawn(note(app, key.clone(), call, lock.clone(), tool.name.clone()));
    refresh::want(app, APPROVALS | RECORD);

    let until = clock() + seconds * 1000.0;
    if seconds > 0.0 {
        let refund = refund.clone();
        app.spawn(async move {
            door::wait(seconds as u32 * 1000 + 10).await;
            app.holds.wake(&refund);
        });
    }
    let mut pause = 500;
    let (value, ended) = loop {
        let bell = door::bell(signal);
        app.holds.on_wake(call, bell.get(1).cloned().unwrap_or_default());
        let aborted = truthy(signal, "aborted");
        let asked = if aborted {
            door::ask_to_the_last(&withdraw, who)
        } else {
            let over = seconds > 0.0 && clock() >= until;
            door::ask("GET", if over { &standing } else { &outcome }, who, &JsValue::UNDEFINED)
        };
        let said = door::settled(asked).await;
        let known = get(&said.body, "outcome");
        if said.ok() && known.is_object() {
            break (known, true);
        }
        if aborted && said.ok() {
            // Others wait for the same refund; this call has only left.
            break (said.body, false);
        }
        if !said.ok() && !said.passing() {
            break (said.body, true);
        }
        if aborted {
            // The desk is not there, and the refund must not stay held for nobody.
            door::wait(pause).await;
            pause = (pause * 2).min(15_000);
        } else {
            result(bell.into_iter().next().unwrap_or_default()).await;
        }
    };

    app.holds.end(call);
    door::unkeep(call);
    if ended {
        door::store(&key, &JsValue::UNDEFINED);
    }
    lock.release();
    refresh::want(app, APPROVALS | RECORD);
    door::emit("quarantine:settled");
    value
}

/// Once this page has the refund's lock, it says so to the browser's other pages: a name that is stored while the lock
/// is free belongs to a page that died.
async fn note(app: &'static App, key: JsValue, call: u32, lock: Lock, tool: JsValue) {
    if lock.granted().await && app.holds.open.borrow().iter().any(|held| held.call == call) {
        door::store(&key, &tool);
    }
}

/// Waits for the locks of the other pages' held refunds; the page with the event stream does this.
pub(crate) fn watch(app: &'static App) {
    for key in door::stored(LOCK) {
        if app.holds.has(&key) || app.holds.watched.borrow().iter().any(|(name, _)| *name == key) {
            continue;
        }
        let lock = Lock::ask(&key, "exclusive");
        app.holds.watched.borrow_mut().push((key.clone(), lock.clone()));
        app.spawn(take_back(app, key, lock));
    }
}

/// Stops waiting for them.
pub(crate) fn unwatch(app: &App) {
    for (_, lock) in app.holds.watched.take() {
        lock.release();
    }
}

async fn take_back(app: &'static App, key: JsValue, lock: Lock) {
    // A page that joined later waits behind us: the refund still has somebody.
    if lock.granted().await && !door::waited_for(&key).await {
        // Nothing stored: the refund came to its end before its page let go.
        if let Some(tool) = app.registry.tool(&door::read(&key)) {
            let gone = object();
            put(&gone, "gone", true);
            let refund = key.as_string().and_then(|key| key.strip_prefix(LOCK).map(JsValue::from));
            let withdraw = fill(&get(&tool.spec, "hold.withdraw"), &named(&refund.unwrap_or_default()));
            if !door::settled(door::ask("POST", &withdraw, Who::Page, &gone)).await.passing() {
                door::store(&key, &JsValue::UNDEFINED);
            }
        }
    }
    lock.release();
    app.holds.watched.borrow_mut().retain(|(name, _)| *name != key);
}
