//! Which tools are registered. Changed by difference, so that an agent sees one change for each tool that came or went.

use alloc::vec::Vec;
use core::cell::{Cell, RefCell};

use wasm_bindgen::JsValue;

use crate::door::{self, get};

/// The tools of this page.
pub(crate) struct Registry {
    /// Every tool that may exist here, in the order of the settings.
    tools: Vec<Tool>,
    version: Cell<u32>,
}

/// One tool that may exist.
pub(crate) struct Tool {
    /// The name it is called by.
    pub(crate) name: JsValue,
    /// As the page gave it: `{name, title, description, inputSchema, annotations, endpoint, hold}`.
    pub(crate) spec: JsValue,
    registration: RefCell<Option<JsValue>>,
    open: Cell<u32>,
    wanted: Cell<bool>,
}

impl Tool {
    /// True if it exists now.
    pub(crate) fn there(&self) -> bool {
        self.wanted.get()
    }

    /// True if it changes something.
    pub(crate) fn acts(&self) -> bool {
        door::text(&self.spec, "endpoint.method") != "GET"
    }

    fn register(&self, context: &JsValue) {
        self.registration.replace(Some(door::register(context, &self.spec)));
    }

    /// Withdraws it, unless a call of it is open: that keeps its tool until it has its answer.
    fn sweep(&self) {
        if !self.wanted.get()
            && self.open.get() == 0
            && let Some(registration) = self.registration.take()
        {
            door::abort(&registration);
        }
    }

    /// A call begins. False if there is no such tool.
    pub(crate) fn begin(&self) -> bool {
        let there = self.registration.borrow().is_some();
        self.open.set(self.open.get() + u32::from(there));
        there
    }

    /// A call has its answer.
    pub(crate) fn end(&self) {
        self.open.set(self.open.get().saturating_sub(1));
        self.sweep();
    }

    /// The browser refused the name: another script holds it.
    pub(crate) fn forget(&self) {
        self.registration.take();
        self.wanted.set(false);
    }
}

impl Registry {
    /// All tools of the settings, none of them registered.
    pub(crate) fn new(specs: Vec<JsValue>) -> Registry {
        let tool = |spec| Tool {
            name: get(&spec, "name"),
            spec,
            registration: RefCell::default(),
            open: Cell::default(),
            wanted: Cell::default(),
        };
        Registry { tools: specs.into_iter().map(tool).collect(), version: Cell::default() }
    }

    /// Every tool that may exist here.
    pub(crate) fn tools(&self) -> &[Tool] {
        &self.tools
    }

    /// The tool of this name.
    pub(crate) fn tool(&self, name: &JsValue) -> Option<&Tool> {
        self.tools.iter().find(|tool| tool.name == *name)
    }

    /// Counts the times the whole set was changed.
    pub(crate) fn version(&self) -> u32 {
        self.version.get()
    }

    /// Registers the wanted tools that are not there yet; with `only`, withdraws those that are not wanted. True if
    /// anything changed.
    pub(crate) fn apply(&self, context: &JsValue, wanted: &[JsValue], only: bool) -> bool {
        self.version.set(self.version.get() + u32::from(only));
        let mut changed = false;
        for tool in &self.tools {
            let (was, is) = (tool.wanted.get(), wanted.contains(&tool.name));
            if was == is || (was && !only) {
                continue;
            }
            changed = true;
            tool.wanted.set(is);
            if is && tool.registration.borrow().is_none() {
                tool.register(context);
            }
            tool.sweep();
        }
        changed
    }

    /// Registers everything again, elsewhere.
    pub(crate) fn move_to(&self, context: &JsValue) {
        for tool in self.tools.iter().filter(|tool| tool.registration.take().is_some()) {
            tool.register(context);
        }
    }
}
