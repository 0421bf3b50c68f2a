//! What the page's widget knows, in one place.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cell::{Cell, OnceCell, RefCell};

use wasm_bindgen::JsValue;

use crate::call::Played;
use crate::context::Context;
use crate::door;
use crate::hold::Holds;
use crate::panel::Panel;
use crate::registry::Registry;
use crate::stream::Stream;
use crate::tasks::Tasks;

/// Everything. It lives as long as the page.
pub(crate) struct App {
    /// What the page said: `window.QuarantineConfig`.
    pub(crate) config: JsValue,
    /// The page's own object: `window.Quarantine`.
    pub(crate) api: JsValue,
    pub(crate) context: Context,
    pub(crate) registry: Registry,
    pub(crate) holds: Holds,
    pub(crate) stream: Stream,
    pub(crate) played: Played,
    pub(crate) tasks: Tasks,
    pub(crate) panel: OnceCell<Panel>,
    /// What the page is about; may be an empty text.
    pub(crate) subject: RefCell<JsValue>,
    /// The newest permit; undefined before the first.
    pub(crate) permit: RefCell<JsValue>,
    /// Why there is no permit; undefined while there is one.
    pub(crate) trouble: RefCell<JsValue>,
    /// What has to be read again.
    pub(crate) stale: Cell<u8>,
    /// True while something is being read.
    pub(crate) reading: Cell<bool>,
    /// Who waits until all has been read.
    pub(crate) readers: RefCell<Vec<JsValue>>,
}

impl App {
    /// Starts the widget.
    pub(crate) fn start(config: JsValue, api: JsValue) -> &'static App {
        let app: &'static App = Box::leak(Box::new(App {
            registry: Registry::new(door::items(&config, "tools")),
            config,
            api,
            context: Context::find(),
            holds: Holds::default(),
            stream: Stream::default(),
            played: Played::default(),
            tasks: Tasks::default(),
            panel: OnceCell::new(),
            subject: RefCell::new(door::subject()),
            permit: RefCell::default(),
            trouble: RefCell::default(),
            stale: Cell::default(),
            reading: Cell::default(),
            readers: RefCell::default(),
        }));
        app.show_mode();
        app
    }

    /// Lets something go on by itself.
    pub(crate) fn spawn(&self, work: impl Future<Output = ()> + 'static) {
        self.tasks.spawn(work);
    }

    /// What the page is about.
    pub(crate) fn subject(&self) -> JsValue {
        self.subject.borrow().clone()
    }

    /// The newest permit.
    pub(crate) fn permit(&self) -> JsValue {
        self.permit.borrow().clone()
    }

    /// True if a person approves in this page.
    pub(crate) fn in_page(&self) -> bool {
        let strength = door::get(&self.config, "approvals.strength");
        door::truthy(&self.config, "approvals.list") && (strength.is_falsy() || strength == "in_page")
    }

    /// Writes onto `window.Quarantine` whose `modelContext` is used.
    pub(crate) fn show_mode(&self) {
        door::set(&self.api, "mode", &self.context.mode().as_str().into());
        door::set(&self.api, "modelContext", &self.context.value());
    }

    /// Registers the tools of these names; with `only`, the others go.
    pub(crate) fn set_tools(&self, names: &[JsValue], only: bool) {
        if self.registry.apply(&self.context.value(), names, only) {
            self.tools_changed();
        }
    }

    /// The subject's tools go; those that need none stay.
    pub(crate) fn unbind(&self) {
        self.set_tools(&door::items(&self.config, "withoutSubject"), true);
    }

    /// Shows the list as it is now.
    pub(crate) fn tools_changed(&self) {
        if let Some(panel) = self.panel.get() {
            panel.show_tools(self);
        }
        door::emit("quarantine:changed");
    }
}
