//! Reads again what may have changed. Wake-ups carry no facts: everything shown or registered was fetched by this page
//! itself, with the credential of whoever it is for.

use alloc::vec::Vec;
use wasm_bindgen::JsValue;

use crate::app::App;
use crate::door::{self, Answer, Who, address, get, items, number, refusal};

/// What agents hold; asked with the agent's token.
pub(crate) const PERMIT: u8 = 1;
/// What waits for a person; asked with the page's cookie.
pub(crate) const APPROVALS: u8 = 2;
/// The trail; asked with the page's cookie.
pub(crate) const RECORD: u8 = 4;
/// All of it.
pub(crate) const ALL: u8 = PERMIT | APPROVALS | RECORD;

/// Has something read again. Wishes that come while a reading is under way are met by one more reading.
pub(crate) fn want(app: &'static App, what: u8) {
    app.stale.set(app.stale.get() | what);
    if !app.reading.replace(true) {
        app.spawn(read(app));
    }
}

/// Settles once everything has been read.
pub(crate) fn done(app: &'static App) -> JsValue {
    let mut bell = door::bell(&JsValue::UNDEFINED);
    app.readers.borrow_mut().extend(bell.pop());
    want(app, ALL);
    bell.pop().unwrap_or_default()
}

async fn read(app: &'static App) {
    loop {
        // A page that nobody looks at needs its tools, but no fresh panel.
        let shown = app.panel.get().is_some() && !door::hidden();
        let now = app.stale.get() & if shown { ALL } else { PERMIT };
        if now == 0 {
            break;
        }
        app.stale.set(app.stale.get() & !now);
        let subject = app.subject();
        let wishes = [
            (PERMIT, "policyEndpoint", Who::Agent),
            (if app.in_page() { APPROVALS } else { 0 }, "approvals.list", Who::Page),
            (RECORD, "record", Who::Page),
        ];
        // All are on their way before the first is waited for.
        let asked = wishes.map(|(what, path, who)| {
            let address = address(path, "subject", &subject);
            let wanted = now & what != 0 && subject.is_truthy() && address.is_truthy();
            wanted.then(|| (what, door::ask("GET", &address, who, &JsValue::UNDEFINED)))
        });
        for (what, promise) in asked.into_iter().flatten() {
            let said = door::settled(promise).await;
            match (what, app.panel.get()) {
                _ if subject != app.subject() => {}
                (PERMIT, _) => take_permit(app, said),
                (APPROVALS, Some(panel)) if said.ok() => {
                    panel.take_approvals(app, &items(&said.body, "approvals"))
                }
                (RECORD, Some(panel)) if said.ok() => panel.take_record(&get(&said.body, "entries")),
                _ => {}
            }
        }
    }
    app.reading.set(false);
    app.readers.take().iter().for_each(|bell| door::call(bell, &JsValue::UNDEFINED));
}

/// Takes a permit into use. An older one than is known changes nothing.
fn take_permit(app: &'static App, said: Answer) {
    if said.ok() {
        if number(&said.body, "seq") < number(&app.permit(), "seq") {
            return;
        }
        app.permit.replace(said.body);
        app.trouble.take();
        app.stream.start_after(number(&app.permit(), "seq"));
        app.set_tools(&items(&app.permit(), "tools"), true);
    } else if said.passing() {
        let unreachable = || refusal("UNREACHABLE", &"The desk can't be reached; it is tried again.".into());
        app.trouble.replace(if said.body.is_object() { said.body } else { unreachable() });
        app.spawn(async move {
            door::wait(2_000).await;
            want(app, PERMIT);
        });
    } else {
        // The credential is over, or the ticket is not there: nothing may be held on its account.
        app.trouble.replace(said.body);
        app.permit.take();
        app.unbind();
    }
    if let Some(panel) = app.panel.get() {
        panel.show_permit(app);
    }
}

/// The permit that was asked for while the wasm was on its way.
pub(crate) async fn first(app: &'static App) {
    let asked = door::permit();
    if asked.is_object() {
        take_permit(app, door::settled(asked).await);
    } else if door::truthy(&app.config, "policyEndpoint") {
        app.unbind();
    } else {
        // A page without a policy of its own holds all its tools.
        let all: Vec<JsValue> = app.registry.tools().iter().map(|tool| tool.name.clone()).collect();
        app.set_tools(&all, true);
    }
}
