//! What the wasm needs of the browser. The functions stand in `js/boot.js`; none of them throws.
//!
//! What came from the page stays a value of the page: a name or an address is carried through, and copied into the wasm
//! only where its letters decide something.

use std::pin::Pin;

use js_sys::futures::JsFuture;
use js_sys::{Array, Function, Promise};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// What stands at this path of a value.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn get(of: &JsValue, path: &str) -> JsValue;
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn set(of: &JsValue, key: &str, value: &JsValue);
    #[wasm_bindgen(js_namespace = door, js_name = set)]
    pub(crate) fn set_at(of: &JsValue, key: &JsValue, value: &JsValue);
    #[wasm_bindgen(js_namespace = door, js_name = keys)]
    fn keys_door(of: &JsValue) -> Array;
    #[wasm_bindgen(js_namespace = door, js_name = list)]
    fn list_door(of: &JsValue) -> Array;
    /// The number a text stands for, or NaN.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn figure(of: &str) -> f64;
    /// True if two values are written alike.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn same(one: &JsValue, other: &JsValue) -> bool;
    /// The address at this path of the page's settings, with one of its `{name}`s replaced; empty if there is none.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn address(path: &str, name: &str, value: &JsValue) -> JsValue;
    /// An address with its `{name}`s replaced by the values of that name.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn fill(address: &JsValue, values: &JsValue) -> JsValue;
    #[wasm_bindgen(js_namespace = door, js_name = ask)]
    fn ask_door(method: &str, address: &JsValue, who: &str, body: &JsValue, keepalive: bool) -> Promise;
    /// Answers open calls, withdraws registrations, takes held refunds back.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn fail();
    #[wasm_bindgen(js_namespace = door, js_name = context)]
    fn context_door() -> Array;
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn fallback() -> JsValue;
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn subject() -> JsValue;
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
    ) -> Promise;
    /// Tells the document that something happened, without saying what.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn emit(name: &str);
    #[wasm_bindgen(js_namespace = door, js_name = bell)]
    fn bell_door(signal: &JsValue) -> Array;
    #[wasm_bindgen(js_namespace = door, js_name = wait)]
    fn wait_door(ms: u32) -> Promise;
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn keep(call: u32, address: &JsValue, who: &str);
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn unkeep(call: u32);
    #[wasm_bindgen(js_namespace = door, js_name = lock)]
    fn lock_door(name: &JsValue, mode: &str) -> Array;
    #[wasm_bindgen(js_namespace = door, js_name = waitedFor)]
    fn waited_for_door(name: &JsValue) -> Promise;
    /// The names of the values kept for every page of this origin.
    #[wasm_bindgen(js_namespace = door, js_name = stored)]
    fn stored_door(prefix: &str) -> Array;
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn read(key: &JsValue) -> JsValue;
    /// Keeps a value for every page of this origin; undefined removes it.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn store(key: &JsValue, value: &JsValue);
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn channel(name: &JsValue) -> JsValue;
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn listen(address: &JsValue) -> JsValue;
    /// A new `AbortController`.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn controller() -> JsValue;

    /// Puts the panel on the page: a view.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn panel(css: &str, template: &str) -> JsValue;
    /// A view of a template, at the end of an element.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn build(parent: &JsValue, template: &str) -> JsValue;
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn draw(view: &JsValue, data: &JsValue);
    /// A list of views; each item has a key of its own.
    #[wasm_bindgen(js_namespace = door, js_name = drawList)]
    pub(crate) fn draw_list(place: &JsValue, template: &str, items: &Array, key: &str);
    #[wasm_bindgen(js_namespace = door, js_name = drawAgain)]
    pub(crate) fn draw_again();
    #[wasm_bindgen(js_namespace = door, js_name = removeRoot)]
    pub(crate) fn remove(view: &JsValue);
    /// A text with its `{path}`s replaced by the values there.
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn write(text: &str, data: &JsValue) -> JsValue;

    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn matches(pattern: &JsValue, text: &JsValue) -> bool;
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn clock() -> f64;
    #[wasm_bindgen(js_namespace = door)]
    pub(crate) fn hidden() -> bool;

    /// A stream, a channel or an abort controller.
    type Closable;
    #[wasm_bindgen(method)]
    fn close(this: &Closable);
    #[wasm_bindgen(method, js_name = postMessage)]
    fn post(this: &Closable, message: &JsValue);
    #[wasm_bindgen(method)]
    fn abort(this: &Closable);
}

/// The page's `modelContext`, and whether it is the browser's own.
pub(crate) fn context() -> (JsValue, bool) {
    let pair = context_door();
    (pair.get(0), pair.get(1).is_truthy())
}

/// Closes a stream or a channel.
pub(crate) fn close(what: &JsValue) {
    what.unchecked_ref::<Closable>().close();
}

/// Posts to a channel.
pub(crate) fn post(channel: &JsValue, message: &JsValue) {
    channel.unchecked_ref::<Closable>().post(message);
}

/// Aborts a controller.
pub(crate) fn abort(controller: &JsValue) {
    controller.unchecked_ref::<Closable>().abort();
}

/// Lets something go on by itself.
pub(crate) fn spawn(work: impl Future<Output = ()> + 'static) {
    // Boxed: the machinery that runs it is then there once, and not once for each kind of work.
    let work: Pin<Box<dyn Future<Output = ()>>> = Box::pin(work);
    js_sys::futures::spawn_local(work);
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

/// What a promise of `[status, body]` comes to.
pub(crate) async fn settled(promise: Promise) -> Answer {
    let pair = result(promise).await;
    Answer { status: number(&pair, "0") as u16, body: get(&pair, "1") }
}

/// Sends a question; it goes out at once, whether it is waited for or not.
pub(crate) fn ask(method: &str, address: &JsValue, who: Who, body: &JsValue) -> Promise {
    ask_door(method, address, who.as_str(), body, false)
}

/// The same for what must arrive although the page goes away.
pub(crate) fn ask_to_the_last(address: &JsValue, who: Who) -> Promise {
    ask_door("POST", address, who.as_str(), &JsValue::UNDEFINED, true)
}

/// The promise's value; undefined if it was rejected.
pub(crate) async fn result(promise: Promise) -> JsValue {
    JsFuture::from(promise).await.unwrap_or(JsValue::UNDEFINED)
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

/// Something to wait for, and what ends the waiting. The signal's abort ends it too.
pub(crate) fn bell(signal: &JsValue) -> (Promise, Function) {
    let pair = bell_door(signal);
    (pair.get(0).unchecked_into(), pair.get(1).unchecked_into())
}

/// A Web Lock, asked for.
#[derive(Clone)]
pub(crate) struct Lock(Array);

impl Lock {
    /// Asks for the lock. `mode` is `exclusive`, `shared` or `steal`.
    pub(crate) fn ask(name: &JsValue, mode: &str) -> Lock {
        Lock(lock_door(name, mode))
    }

    /// True once it is ours, false if it was given up before.
    pub(crate) async fn granted(&self) -> bool {
        result(self.0.get(0).unchecked_into()).await.is_truthy()
    }

    /// Waits until it is ours no more.
    pub(crate) async fn lost(&self) {
        result(self.0.get(1).unchecked_into()).await;
    }

    /// Gives it up, or stops waiting for it.
    pub(crate) fn release(&self) {
        ring(self.0.get(2).unchecked_ref());
    }
}

/// True if some page waits for the lock.
pub(crate) async fn waited_for(lock: &JsValue) -> bool {
    result(waited_for_door(lock)).await.is_truthy()
}

/// The names of the kept values that begin so.
pub(crate) fn stored(prefix: &str) -> Vec<JsValue> {
    stored_door(prefix).to_vec()
}

/// Calls a function that takes nothing.
pub(crate) fn ring(bell: &Function) {
    let _ = bell.call0(&JsValue::UNDEFINED);
}

/// An empty object.
pub(crate) fn object() -> JsValue {
    js_sys::Object::new().into()
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

/// The items of a list; none if it is not one.
pub(crate) fn list(value: &JsValue) -> Vec<JsValue> {
    list_door(value).to_vec()
}

/// The names of an object's own values.
pub(crate) fn keys(of: &JsValue) -> Vec<JsValue> {
    keys_door(of).to_vec()
}

/// What stands under a name of the page's.
pub(crate) fn value_of(of: &JsValue, key: &JsValue) -> JsValue {
    js_sys::Reflect::get(of, key).unwrap_or(JsValue::UNDEFINED)
}

/// `{error, reason}`.
pub(crate) fn refusal(code: &str, reason: &JsValue) -> JsValue {
    let value = object();
    set(&value, "error", &code.into());
    set(&value, "reason", reason);
    value
}
