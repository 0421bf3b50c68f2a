//! Which `modelContext` there is: the browser's, a polyfill's, or our own copy.

use core::cell::{Cell, RefCell};

use wasm_bindgen::JsValue;

use crate::door;

/// Whose it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// The browser's.
    Native,
    /// Of a script the page loaded.
    Polyfill,
    /// Ours: no agent outside this page sees the tools.
    Fallback,
}

impl Mode {
    /// As the panel says it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Mode::Native => "WebMCP",
            Mode::Polyfill => "WebMCP polyfill",
            Mode::Fallback => "NOT WebMCP",
        }
    }
}

/// Where tools are registered.
pub(crate) struct Context {
    mode: Cell<Mode>,
    value: RefCell<JsValue>,
}

impl Context {
    /// Looks for one, and makes one where there is none.
    pub(crate) fn find() -> Context {
        let mut pair = door::context().into_iter();
        let (found, native) = (pair.next().unwrap_or_default(), pair.next().unwrap_or_default());
        let mode = match (found.is_undefined(), native.is_truthy()) {
            (true, _) => Mode::Fallback,
            (_, true) => Mode::Native,
            _ => Mode::Polyfill,
        };
        let value = if mode == Mode::Fallback { door::fallback() } else { found };
        Context { mode: Cell::new(mode), value: RefCell::new(value) }
    }

    pub(crate) fn mode(&self) -> Mode {
        self.mode.get()
    }

    pub(crate) fn value(&self) -> JsValue {
        self.value.borrow().clone()
    }

    /// The page's host forbids registering (`Permissions-Policy: tools=()`): from here on it is our own copy.
    /// False if it was already.
    pub(crate) fn give_up(&self) -> bool {
        let change = self.mode.replace(Mode::Fallback) != Mode::Fallback;
        if change {
            self.value.replace(door::fallback());
        }
        change
    }
}
