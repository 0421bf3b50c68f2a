//! Playing the agent: a person picks a tool that exists now, fills its form and runs it, through the same door as an
//! agent would.

use alloc::rc::Rc;
use alloc::vec::Vec;
use core::cell::RefCell;

use wasm_bindgen::JsValue;

use crate::app::App;
use crate::context::Mode;
use crate::door::{
    self, build, draw, get, items, keys, number, object, put, set, set_at, text, truthy, value_of,
};
use crate::panel::Panel;
use crate::registry::Tool;
use crate::schema;

const LINE: &str = r#"label | {name}
  span.small ?optional | , optional
  input @control title="{description}" inputmode="{mode}""#;
const AREA: &str = r#"label | {name}
  span.small ?optional | , optional
  textarea @control title="{description}""#;
const CHOICE: &str = r#"label | {name}
  span.small ?optional | , optional
  select @control title="{description}""#;

/// The forms opened so far, one for each tool. What is typed stays, also while the tool is gone.
pub(crate) struct Plays {
    place: JsValue,
    forms: RefCell<Vec<Rc<Form>>>,
}

struct Form {
    name: JsValue,
    view: JsValue,
    data: JsValue,
    fields: Vec<Field>,
}

struct Field {
    name: JsValue,
    property: JsValue,
    control: JsValue,
}

impl Plays {
    pub(crate) fn new(place: JsValue) -> Plays {
        Plays { place, forms: RefCell::default() }
    }

    /// Opens the form of a tool and closes the others; a second press closes it.
    pub(crate) fn open(&self, app: &App, name: &JsValue) {
        if self.of(name).is_none()
            && let Some(tool) = app.registry.tool(name)
        {
            self.forms.borrow_mut().push(Rc::new(Form::build(&self.place, tool, &app.subject())));
        }
        for form in self.forms.borrow().iter() {
            form.put("open", form.name == *name && !truthy(&form.data, "open"));
        }
    }

    /// Marks the forms of tools that are not there.
    pub(crate) fn show_available(&self, app: &App) {
        for form in self.forms.borrow().iter() {
            let there = app.registry.tool(&form.name).is_some_and(Tool::there);
            form.put("gone", !there);
        }
    }

    /// Breaks a call off, as an agent may.
    pub(crate) fn cancel(&self, name: &JsValue) {
        if let Some(form) = self.of(name)
            && truthy(&form.data, "running")
        {
            door::abort(&get(&form.data, "running"));
        }
    }

    fn of(&self, name: &JsValue) -> Option<Rc<Form>> {
        self.forms.borrow().iter().find(|form| form.name == *name).cloned()
    }
}

impl Form {
    fn build(place: &JsValue, tool: &Tool, subject: &JsValue) -> Form {
        let view = build(place, include_str!("view/play.txt"));
        let data = object();
        for key in ["name", "title", "description"] {
            set(&data, key, &get(&tool.spec, key));
        }
        let properties = get(&tool.spec, "inputSchema.properties");
        let required = items(&tool.spec, "inputSchema.required");
        // What has to be given comes first.
        let mut names = required.clone();
        names.extend(keys(&properties).into_iter().filter(|name| !required.contains(name)));
        let fields = names.into_iter().map(|name| {
            let property = value_of(&properties, &name);
            let control = field(&get(&view, "fields"), &name, &property, !required.contains(&name));
            if name == "ticket_id" {
                set(&control, "value", subject);
            }
            Field { name, property, control }
        });
        let fields = fields.collect();
        Form { name: tool.name.clone(), view, data, fields }
    }

    fn put(&self, key: &str, value: impl Into<JsValue>) {
        put(&self.data, key, value);
        let off = truthy(&self.data, "gone") || truthy(&self.data, "running");
        put(&self.data, "off", if off { "true" } else { "" });
        draw(&self.view, &self.data);
    }

    fn input(&self) -> JsValue {
        let input = object();
        for Field { name, property, control } in &self.fields {
            let given = get(control, "value");
            if given.is_truthy() {
                set_at(&input, name, &schema::typed(property, given));
            }
        }
        input
    }
}

/// A field of a form: its control.
fn field(place: &JsValue, name: &JsValue, property: &JsValue, optional: bool) -> JsValue {
    let kind = text(property, "type");
    let mut choices = items(property, "enum");
    if kind == "boolean" {
        choices.extend(["true".into(), "false".into()]);
    }
    let long = number(property, "maxLength") >= 200.0;
    let template = match (choices.is_empty(), long) {
        (false, _) => CHOICE,
        (_, true) => AREA,
        _ => LINE,
    };
    let data = object();
    set(&data, "name", name);
    set(&data, "description", &get(property, "description"));
    put(&data, "optional", optional);
    put(&data, "mode", if kind == "string" { "text" } else { "decimal" });
    let view = build(place, template);
    draw(&view, &data);
    let control = get(&view, "control");
    for choice in choices {
        let data = object();
        set(&data, "value", &choice);
        draw(&build(&control, "option | {value}"), &data);
    }
    control
}

/// Runs the tool with what is in its form.
pub(crate) async fn run(app: &'static App, panel: &'static Panel, name: JsValue) {
    let (Some(form), Some(tool)) = (panel.plays.of(&name), app.registry.tool(&name)) else { return };
    if truthy(&form.data, "running") || !tool.there() {
        return;
    }
    let input = form.input();
    let controller = door::controller();
    let held = get(&tool.spec, "hold").is_object();
    form.put(
        "result",
        if held { "The call is open. It returns once a person has decided." } else { "Running\u{2026}" },
    );
    form.put("running", controller.clone());
    app.played.expect(&name, &input);
    let as_text = app.context.mode() == Mode::Polyfill;
    let answer = door::play(&app.context.value(), &name, &input, &get(&controller, "signal"), as_text).await;
    // It may never have come in.
    app.played.take(&name, &input);
    form.put("running", JsValue::UNDEFINED);
    form.put("result", answer);
}
