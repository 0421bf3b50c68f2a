//! What `js/boot.js` gives us of the browser.

use js_sys::futures::JsFuture;
use js_sys::{Array, Promise};
use proof::door::{Answer, Trouble};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = browser, js_name = ask)]
    fn js_ask(method: &str, path: &str, headers: &str, body: &str, own: bool) -> Promise;
    #[wasm_bindgen(js_namespace = browser, js_name = wait)]
    fn js_wait(ms: u32) -> Promise;
    #[wasm_bindgen(js_namespace = browser, js_name = ready)]
    fn js_ready() -> Promise;
    #[wasm_bindgen(js_namespace = browser, js_name = focus)]
    fn js_focus(ticket: &str, token: &str) -> Promise;
    #[wasm_bindgen(js_namespace = browser, js_name = refresh)]
    fn js_refresh() -> Promise;
    #[wasm_bindgen(js_namespace = browser, js_name = held)]
    fn js_held() -> Promise;
    #[wasm_bindgen(js_namespace = browser, js_name = execute)]
    fn js_execute(name: &str, input: &str) -> Promise;
    /// Which model context the page has: `WebMCP`, `WebMCP polyfill` or `NOT WebMCP`.
    #[wasm_bindgen(js_namespace = browser)]
    pub(crate) fn mode() -> String;
    /// Calls that are open look at their refund again.
    #[wasm_bindgen(js_namespace = browser)]
    pub(crate) fn look();
}

fn trouble(error: &JsValue) -> Trouble {
    let name = js_sys::Reflect::get(error, &"name".into()).ok().and_then(|name| name.as_string());
    Trouble(format!("The browser says {}.", name.unwrap_or_else(|| String::from("nothing more"))))
}

/// Sends a request; `own` sends the page's own cookie with it. Gives the answer and the seconds to wait before another.
pub(crate) async fn ask(
    method: &str,
    path: &str,
    headers: &str,
    body: &str,
    own: bool,
) -> Result<(Answer, u32), Trouble> {
    let said =
        JsFuture::from(js_ask(method, path, headers, body, own)).await.map_err(|error| trouble(&error))?;
    let said = Array::from(&said);
    let number = |place| said.get(place).as_f64().unwrap_or(0.0);
    let body = said.get(1).as_string().unwrap_or_default();
    Ok((Answer { status: number(0) as u16, body }, number(2) as u32))
}

/// Lets the page do other things for a while.
pub(crate) async fn wait(ms: u32) {
    let _ = JsFuture::from(js_wait(ms)).await;
}

/// Settles once the widget on this page has started.
pub(crate) async fn ready() -> Result<(), Trouble> {
    let missing = || Trouble(String::from("The widget has not started on this page."));
    JsFuture::from(js_ready()).await.map(|_| ()).map_err(|_| missing())
}

/// The widget is about this ticket from now on, with this token.
pub(crate) async fn focus(ticket: &str, token: &str) -> Result<(), Trouble> {
    JsFuture::from(js_focus(ticket, token)).await.map(|_| ()).map_err(|error| trouble(&error))
}

/// The widget reads again what is permitted.
pub(crate) async fn refresh() -> Result<(), Trouble> {
    JsFuture::from(js_refresh()).await.map(|_| ()).map_err(|error| trouble(&error))
}

/// The tools that are registered on this page.
pub(crate) async fn held() -> Result<Vec<String>, Trouble> {
    let names = JsFuture::from(js_held()).await.map_err(|error| trouble(&error))?;
    Ok(Array::from(&names).iter().filter_map(|name| name.as_string()).collect())
}

/// Calls a registered tool; gives its answer, or the name of what was thrown.
pub(crate) async fn execute(name: &str, input: &str) -> Result<String, Trouble> {
    let answer = JsFuture::from(js_execute(name, input)).await.map_err(|error| trouble(&error))?;
    Ok(answer.as_string().unwrap_or_default())
}
