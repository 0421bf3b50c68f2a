//! Checks an input against a tool's schema. No browser does it for us, and an agent that is told which field is wrong
//! can put it right.
//!
//! Covered is the subset of JSON Schema that every WebMCP version accepts. A sentence names a field of the schema and
//! never repeats what was sent.

use wasm_bindgen::JsValue;

use crate::door::{self, figure, get, items, keys, list, object, set, text, value_of};

/// Gives the sentence that says what is wrong with the input.
pub(crate) fn check(schema: &JsValue, input: &JsValue) -> Option<JsValue> {
    let wrong = value(schema, input, &"The input".into()).err()?;
    let data = object();
    set(&data, "name", &wrong.name);
    set(&data, "bound", &wrong.bound);
    Some(door::write(wrong.says, &data))
}

struct Wrong {
    name: JsValue,
    says: &'static str,
    bound: JsValue,
}

fn wrong(name: &JsValue, says: &'static str, bound: JsValue) -> Result<(), Wrong> {
    Err(Wrong { name: name.clone(), says, bound })
}

/// Bounds of a figure: a keyword, and whether a figure breaks it.
type Bound = (&'static str, fn(f64, f64) -> bool, &'static str);

const OF_TEXT: [Bound; 2] = [
    ("minLength", |figure, bound| figure < bound, "{name} must have at least {bound} characters."),
    ("maxLength", |figure, bound| figure > bound, "{name} must have at most {bound} characters."),
];
const OF_NUMBER: [Bound; 4] = [
    ("minimum", |figure, bound| figure < bound, "{name} must be at least {bound}."),
    ("exclusiveMinimum", |figure, bound| figure <= bound, "{name} must be more than {bound}."),
    ("maximum", |figure, bound| figure > bound, "{name} must be at most {bound}."),
    ("exclusiveMaximum", |figure, bound| figure >= bound, "{name} must be less than {bound}."),
];

fn within(bounds: &[Bound], schema: &JsValue, figure: f64, name: &JsValue) -> Result<(), Wrong> {
    for (key, broken, says) in bounds {
        let bound = get(schema, key);
        if bound.as_f64().is_some_and(|bound| broken(figure, bound)) {
            return wrong(name, says, bound);
        }
    }
    Ok(())
}

fn value(schema: &JsValue, value: &JsValue, name: &JsValue) -> Result<(), Wrong> {
    let says = |what| wrong(name, what, JsValue::UNDEFINED);
    let is_list = door::is_list(value);
    match text(schema, "type").as_str() {
        "string" => {
            let Some(given) = value.as_string() else { return says("{name} must be a text.") };
            // Counted as the server counts: in characters, not in UTF-16 units.
            let mut length = 0;
            given.chars().for_each(|_| length += 1);
            within(&OF_TEXT, schema, f64::from(length), name)?;
            let pattern = get(schema, "pattern");
            if pattern.is_truthy() && !door::matches(&pattern, value) {
                return says("{name} does not have the form that is asked for.");
            }
        }
        kind @ ("number" | "integer") => {
            let Some(given) = value.as_f64().filter(|given| given.is_finite()) else {
                return says("{name} must be a number.");
            };
            if kind == "integer" && given as i64 as f64 != given {
                return says("{name} must be a whole number.");
            }
            within(&OF_NUMBER, schema, given, name)?;
        }
        "boolean" if value.as_bool().is_none() => return says("{name} must be true or false."),
        "array" if !is_list => return says("{name} must be a list."),
        "array" => {
            let each = get(schema, "items");
            for item in list(value) {
                self::value(&each, &item, name)?;
            }
        }
        "object" if is_list || !value.is_object() => return says("{name} must be an object."),
        "object" => fields(schema, value, name)?,
        _ => {}
    }
    let allowed = get(schema, "enum");
    if allowed.is_truthy() && !list(&allowed).contains(value) {
        return wrong(name, "{name} must be one of: {bound}.", allowed);
    }
    Ok(())
}

fn fields(schema: &JsValue, value: &JsValue, name: &JsValue) -> Result<(), Wrong> {
    let properties = get(schema, "properties");
    let known = keys(&properties);
    for required in items(schema, "required") {
        if value_of(value, &required).is_undefined() {
            return wrong(&required, "{name} is missing.", JsValue::UNDEFINED);
        }
    }
    let closed = get(schema, "additionalProperties").as_bool() == Some(false);
    if closed && keys(value).iter().any(|key| !known.contains(key)) {
        return wrong(
            name,
            "{name} has a field that is not taken here. Taken are: {bound}.",
            door::array(known),
        );
    }
    for key in &known {
        let given = value_of(value, key);
        if !given.is_undefined() {
            self::value(&value_of(&properties, key), &given, key)?;
        }
    }
    Ok(())
}

/// A value typed into a form, as the schema wants it; what can't be read is left as it was typed, so that the check
/// names its field.
pub(crate) fn typed(property: &JsValue, given: JsValue) -> JsValue {
    let kind = text(property, "type");
    match kind.as_str() {
        "number" | "integer" if !figure(&given).is_nan() => figure(&given).into(),
        "boolean" => (given == "true").into(),
        _ => given,
    }
}
