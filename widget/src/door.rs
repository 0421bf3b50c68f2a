//! What the wasm needs of the browser. The functions stand in `js/boot.js`; none of them throws.
//!
//! What came from the page stays a value of the page: a name or an address is carried through, and copied into the wasm
//! only where its letters decide something.

use alloc::string::String;
use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use crate::tasks::result;

#[wasm_bindgen]
extern "C" {
    /// What stands at this path of a value.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn get(of: &JsValue, path: &str) -> JsValue;
    /// What stands under a name of the page's.
    #[wasm_bindgen(js_namespace = door, js_name = getAt)]
    pub(crate) fn value_of(of: &JsValue, key: &JsValue) -> JsValue;
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn set(of: &JsValue, key: &str, value: &JsValue);
    #[wasm_bindgen(js_namespace = door, js_name = set)]
    pub(crate) fn set_at(of: &JsValue, key: &JsValue, value: &JsValue);
    /// An empty object.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn object() -> JsValue;
    /// A list as a value of the page.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn array(of: Vec<JsValue>) -> JsValue;
    /// The items of a list; none if it is not one.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn list(of: &JsValue) -> Vec<JsValue>;
    #[wasm_bindgen(js_namespace = door, js_name = isList)]
    pub(crate) fn is_list(of: &JsValue) -> bool;
    /// The names of an object's own values.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn keys(of: &JsValue) -> Vec<JsValue>;
    /// The number that is written in digits, with a point at most; NaN if something else is.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn figure(of: &JsValue) -> f64;
    /// A value from its JSON; null if it is none.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn parse(json: &JsValue) -> JsValue;
    /// True if two values are written alike.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn same(one: &JsValue, other: &JsValue) -> bool;
    /// True if the text has the form; also if the form can't be read.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn matches(pattern: &JsValue, text: &JsValue) -> bool;
    /// A text with its `{path}`s replaced by the values there.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn write(text: &str, data: &JsValue) -> JsValue;
    /// An address with its `{name}`s replaced by the values of that name.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn fill(address: &JsValue, values: &JsValue) -> JsValue;
    /// The address at this path of the page's settings, with one of its `{name}`s replaced; empty if there is none.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn address(path: &str, name: &str, value: &JsValue) -> JsValue;
    /// What a call of a tool sends: `[address, body]`.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn compose(tool: &JsValue, input: &JsValue) -> Vec<JsValue>;
    #[wasm_bindgen(js_namespace = door, js_name = ask)]
    fn ask_door(method: &str, address: &JsValue, who: &str, body: &JsValue, keepalive: bool) -> JsValue;
    /// Calls a function of the page with one value.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn call(function: &JsValue, value: &JsValue);
    /// Has this function called with everything that happens in the page.
    #[wasm_bindgen(js_namespace = door, js_name = on)]
    fn on_door(what: Closure<dyn FnMut(JsValue, JsValue) -> JsValue>);
    /// Has `settled` happen soon.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn soon();
    /// A box that the promise's value will be in: `{done, value}`.
    #[wasm_bindgen(js_namespace = door, js_name = boxed)]
    pub(crate) fn boxed(promise: &JsValue) -> JsValue;
    #[wasm_bindgen(js_namespace = door, js_name = wait)]
    fn wait_door(ms: u32) -> JsValue;
    /// `[promise, ring]`: something to wait for, and what ends the waiting. The signal's abort ends it too.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn bell(signal: &JsValue) -> Vec<JsValue>;
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn clock() -> f64;
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn hidden() -> bool;
    /// Tells the document that something happened, without saying what.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn emit(name: &str);

    /// `[modelContext, true if it is the browser's own]` of the page.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn context() -> Vec<JsValue>;
    /// Our own copy of it.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn fallback() -> JsValue;
    /// What the page is about.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn subject() -> JsValue;
    /// The permit that is on its way, if there is one.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn permit() -> JsValue;
    /// Gives the registration's `AbortController`.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn register(context: &JsValue, tool: &JsValue) -> JsValue;
    #[wasm_bindgen(js_namespace = door, js_name = play)]
    fn play_door(
        context: &JsValue,
        name: &JsValue,
        input: &JsValue,
        signal: &JsValue,
        as_text: bool,
    ) -> JsValue;
    /// A new `AbortController`.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn controller() -> JsValue;
    /// Aborts a controller.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn abort(controller: &JsValue);

    /// Has the page take a refund back when it goes away.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn keep(call: u32, address: &JsValue, who: &str);
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn unkeep(call: u32);
    #[wasm_bindgen(js_namespace = door, js_name = lock)]
    fn lock_door(name: &JsValue, mode: &str) -> Vec<JsValue>;
    #[wasm_bindgen(js_namespace = door, js_name = waitedFor)]
    fn waited_for_door(name: &JsValue) -> JsValue;
    /// The names, with this beginning, of the values kept for every page of this origin.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn stored(prefix: &str) -> Vec<JsValue>;
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn read(key: &JsValue) -> JsValue;
    /// Keeps a value for every page of this origin; undefined removes it.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn store(key: &JsValue, value: &JsValue);
    /// Opens a channel to the browser's other pages.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn channel(name: &JsValue) -> JsValue;
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn post(channel: &JsValue, message: Vec<JsValue>);
    /// Opens an event stream, from after this event on if it is not 0.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn listen(address: &JsValue, after: f64) -> JsValue;
    /// Closes a stream or a channel.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn close(what: &JsValue);

    /// Puts the panel on the page: a view.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn panel(css: &str, template: &str) -> JsValue;
    /// A view of a template, at the end of an element.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn build(parent: &JsValue, template: &str) -> JsValue;
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn draw(view: &JsValue, data: &JsValue);
    /// Draws every view again with what it was drawn with: times go on.
    #[wasm_bindgen(js_namespace = door, js_name = drawAgain)]
    pub(crate) fn draw_again();
    /// A list of views; each item has a key of its own.
    #[wasm_bindgen(js_namespace = door, js_name = drawList)]
    pub(crate) fn draw_list(place: &JsValue, template: &str, items: Vec<JsValue>, key: &str);
    /// Takes a view away.
    #[wasm_bindgen(js_namespace = door, js_name = removeRoot)]
    pub(crate) fn remove(view: &JsValue);
}

/// Has something done with everything that happens in the page.
pub(crate) fn on(happened: impl FnMut(JsValue, JsValue) -> JsValue + 'static) {
    on_door(Closure::new(happened));
}

/// Who asks: an agent by its token, or a person by the page's cookie.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Who {
    Agent,
    Played,
    Page,
}

impl Who {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Who::Agent => "agent",
            Who::Played => "played",
            Who::Page => "page",
        }
    }
}

/// What an endpoint said. Status 0: nobody answered.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: JsValue,
}

impl Answer {
    /// True for a status of success.
    pub(crate) fn ok(&self) -> bool {
        self.status / 100 == 2
    }

    /// True if asking again later may bring another answer.
    pub(crate) fn passing(&self) -> bool {
        self.status == 0 || self.status >= 500 || self.status == 429 || self.status == 408
    }
}

/// What a question comes to.
pub(crate) async fn settled(asked: JsValue) -> Answer {
    let pair = result(asked).await;
    Answer { status: number(&pair, "0") as u16, body: get(&pair, "1") }
}

/// Sends a question; it goes out at once, whether it is waited for or not.
pub(crate) fn ask(method: &str, address: &JsValue, who: Who, body: &JsValue) -> JsValue {
    ask_door(method, address, who.as_str(), body, false)
}

/// The same for what must arrive although the page goes away.
pub(crate) fn ask_to_the_last(address: &JsValue, who: Who) -> JsValue {
    ask_door("POST", address, who.as_str(), &JsValue::UNDEFINED, true)
}

/// Waits.
pub(crate) async fn wait(ms: u32) {
    result(wait_door(ms)).await;
}

/// Calls a tool as an agent in the page would; gives the answer's text.
pub(crate) async fn play(
    context: &JsValue,
    name: &JsValue,
    input: &JsValue,
    signal: &JsValue,
    as_text: bool,
) -> JsValue {
    result(play_door(context, name, input, signal, as_text)).await
}

/// A Web Lock, asked for: promises that it is granted and that it is lost, and what gives it up.
#[derive(Clone)]
pub(crate) struct Lock(JsValue);

impl Lock {
    /// Asks for the lock. `mode` is `exclusive`, `shared` or `steal`.
    pub(crate) fn ask(name: &JsValue, mode: &str) -> Lock {
        Lock(array(lock_door(name, mode)))
    }

    /// True once it is ours, false if it was given up before.
    pub(crate) async fn granted(&self) -> bool {
        result(get(&self.0, "0")).await.is_truthy()
    }

    /// Waits until it is ours no more.
    pub(crate) async fn lost(&self) {
        result(get(&self.0, "1")).await;
    }

    /// Gives it up, or stops waiting for it.
    pub(crate) fn release(&self) {
        call(&get(&self.0, "2"), &JsValue::UNDEFINED);
    }
}

/// True if some page waits for the lock.
pub(crate) async fn waited_for(lock: &JsValue) -> bool {
    result(waited_for_door(lock)).await.is_truthy()
}

/// A text, or an empty one.
pub(crate) fn text(of: &JsValue, path: &str) -> String {
    get(of, path).as_string().unwrap_or_default()
}

/// A number, or 0.
pub(crate) fn number(of: &JsValue, path: &str) -> f64 {
    get(of, path).as_f64().unwrap_or(0.0)
}

/// True if the value is there and not false, 0 or empty.
pub(crate) fn truthy(of: &JsValue, path: &str) -> bool {
    get(of, path).is_truthy()
}

/// The list's items; none if it is not a list.
pub(crate) fn items(of: &JsValue, path: &str) -> Vec<JsValue> {
    list(&get(of, path))
}

/// Sets a value.
pub(crate) fn put(of: &JsValue, key: &str, value: impl Into<JsValue>) {
    set(of, key, &value.into());
}

/// `{error, reason}`.
pub(crate) fn refusal(code: &str, reason: &JsValue) -> JsValue {
    let value = object();
    put(&value, "error", code);
    set(&value, "reason", reason);
    value
}
