//! Runs what waits for the page's promises. The page says when one has settled; whatever waits then looks whether it was
//! its own. There are few of them, and a look costs little.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::future::poll_fn;
use core::pin::Pin;
use core::task::{Context, Poll, Waker};

use wasm_bindgen::JsValue;

use crate::door;

/// What waits.
#[derive(Default)]
pub(crate) struct Tasks(RefCell<Vec<Pin<Box<dyn Future<Output = ()>>>>>);

impl Tasks {
    /// Lets something go on by itself. It begins soon, never at once: whoever calls may hold something it needs.
    pub(crate) fn spawn(&self, work: impl Future<Output = ()> + 'static) {
        self.0.borrow_mut().push(Box::pin(work));
        door::soon();
    }

    /// Lets everything look.
    pub(crate) fn run(&self) {
        for mut task in self.0.take() {
            if task.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending() {
                self.0.borrow_mut().push(task);
            }
        }
    }
}

/// The promise's value; undefined if it was rejected.
pub(crate) async fn result(promise: JsValue) -> JsValue {
    let boxed = door::boxed(&promise);
    poll_fn(|_| {
        if door::truthy(&boxed, "done") { Poll::Ready(door::get(&boxed, "value")) } else { Poll::Pending }
    })
    .await
}
