//! Wasm of our own pages: the proof.
//!
//! - [`browser`]: what `js/boot.js` gives us of the browser.
//! - [`desk`]: the desk as this page reaches it: requests, and the tool list of the page's own model context.
//! - [`view`]: what is shown. Built of elements and texts; nothing is ever parsed as markup.
#![deny(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, missing_docs)]

mod browser;
mod desk;
mod view;

use js_sys::Promise;
use js_sys::futures::future_to_promise;
use proof::memory::Memory;
use proof::report::Report;
use proof::{Door as _, case, controls, run};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::Element;

use desk::Browser;
use view::View;

/// Texts of strangers in each step of that kind, on the desk.
const ON_THE_DESK: usize = 50;

/// The same in memory.
const IN_MEMORY: usize = 1_000;

/// Runs the proof and shows it inside an element. Settles once it has ended.
#[wasm_bindgen]
pub fn prove(root: Element) -> Promise {
    future_to_promise(async move {
        let mut view = View::new(root);
        match proved(&mut view).await {
            Ok((passed, without)) => view.end(passed, without.as_deref()),
            Err(why) => view.give_up(&why),
        }
        Ok(JsValue::UNDEFINED)
    })
}

/// True if all that could be run passed; and why some could not.
async fn proved(view: &mut View) -> Result<(bool, Option<String>), String> {
    let cases = case::all().map_err(|error| error.to_string())?;
    let controls = controls::all().map_err(|error| error.to_string())?;
    let steps = cases.len() + controls.len();
    let desk = Browser::open(ON_THE_DESK).await.map_err(|trouble| trouble.0)?;
    view.begin(&desk.mode(), steps);

    let mut report = Report::default();
    for case in &cases {
        view.doing(&case.id);
        browser::wait(0).await;
        let checked = run::one(&desk, case).await;
        view.check(&checked);
        report.checks.push(checked);
        view.totals(&report);
    }
    // What was left open ends with the sandbox's tickets.
    let _ = desk.fresh().await;

    let mut behaved = true;
    for control in &controls {
        view.doing(&control.says);
        browser::wait(0).await;
        let controlled = controls::one(control, &cases).await;
        behaved &= controlled.behaved();
        view.control(control, &controlled);
    }

    view.doing("Texts of strangers, in memory");
    browser::wait(0).await;
    let mutating: Vec<_> = cases.iter().filter(|case| case.mutates()).cloned().collect();
    let in_memory = run::all(&Memory::new(IN_MEMORY), &mutating, |_| {}).await;
    view.texts(&report, &in_memory);

    let without_approver = desk.cannot_approve();
    let run = report.checks.iter().all(|check| check.passed() || check.left_out(without_approver.as_deref()));
    Ok((run && behaved && in_memory.checks.iter().all(proof::Checked::passed), without_approver))
}
