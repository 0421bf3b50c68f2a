//! Compares what a step answered with what it was expected to.

use serde_json::Value;

use crate::case::{Status, Step};

/// What a step answered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Got {
    /// The status, where there is one.
    pub status: Option<u16>,
    /// The body, or the tool's answer, as text.
    pub text: String,
    /// The same as JSON.
    pub json: Value,
    /// True if it is a call that stays open.
    pub open: bool,
}

/// One thing that was expected, and what came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// What was expected.
    pub expected: String,
    /// What came.
    pub got: String,
    /// True if they agree.
    pub ok: bool,
}

/// How much of an unexpected body is shown.
const SHOWN: usize = 300;

/// The value at a path of names and places joined by dots; null if there is none.
pub fn at<'a>(json: &'a Value, path: &str) -> &'a Value {
    path.split('.').fold(json, |value, part| match value {
        Value::Array(list) => {
            part.parse::<usize>().ok().and_then(|place| list.get(place)).unwrap_or(&Value::Null)
        }
        value => value.get(part).unwrap_or(&Value::Null),
    })
}

/// Compares one answer with all that its step expects. `fill` puts in what earlier steps kept.
pub fn compare(step: &Step, got: &Got, fill: impl Fn(&str) -> String) -> Compared {
    let mut expected = Vec::new();
    let mut came = Vec::new();
    let mut ok = true;
    let mut judge = |holds: bool, wanted: String, was: String| {
        ok &= holds;
        expected.push(wanted);
        came.push(was);
    };
    if step.open || got.open {
        let name = |open: bool| String::from(if open { "the call stays open" } else { "an answer" });
        judge(step.open == got.open, name(step.open), name(got.open));
    }
    if let Some(status) = &step.status {
        let wanted = match status {
            Status::One(one) => vec![*one],
            Status::Any(any) => any.clone(),
        };
        let was = got.status.map_or_else(|| String::from("no status"), |status| status.to_string());
        let names: Vec<_> = wanted.iter().map(u16::to_string).collect();
        judge(got.status.is_some_and(|status| wanted.contains(&status)), names.join(" or "), was);
    }
    if let Some(body) = &step.body {
        judge(got.text == *body, body.clone(), shorten(&got.text));
    }
    for (path, wanted) in &step.has {
        let was = at(&got.json, path);
        let wanted = json(wanted);
        judge(
            agrees(&wanted, was, &fill),
            format!("{path}: {}", fill(&plain(&wanted))),
            format!("{path}: {}", plain(was)),
        );
    }
    for path in &step.none {
        let was = at(&got.json, path);
        judge(was.is_null(), format!("no {path}"), format!("{path}: {}", plain(was)));
    }
    for text in &step.holds {
        let there = got.text.contains(&fill(text));
        judge(there, format!("“{text}” in it"), String::from(if there { "it is" } else { "it is not" }));
    }
    for text in &step.lacks {
        let there = got.text.contains(&fill(text));
        judge(
            !there,
            format!("no “{text}” in it"),
            String::from(if there { "it is" } else { "there is none" }),
        );
    }
    if let Some(tools) = &step.are {
        let sorted = |names: &[String]| {
            let mut names = names.to_vec();
            names.sort();
            names
        };
        let held: Vec<String> = serde_json::from_value(got.json.clone()).unwrap_or_default();
        judge(sorted(tools) == sorted(&held), tools.join(", "), held.join(", "));
    }
    let mut was = came.join("; ");
    if !ok && step.body.is_none() && step.are.is_none() && !got.text.is_empty() {
        was.push_str(" in ");
        was.push_str(&shorten(&got.text));
    }
    Compared { expected: expected.join("; "), got: was, ok }
}

fn agrees(wanted: &Value, was: &Value, fill: &impl Fn(&str) -> String) -> bool {
    match (wanted, was) {
        (Value::Array(any), was) => any.iter().any(|one| agrees(one, was, fill)),
        (Value::String(wanted), Value::String(was)) => match wanted.strip_suffix('*') {
            Some(start) => was.len() > start.len() && was.starts_with(start),
            None => fill(wanted) == *was,
        },
        (wanted, was) => wanted == was,
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(any) => any.iter().map(plain).collect::<Vec<_>>().join(" or "),
        Value::Null => String::from("nothing"),
        value => value.to_string(),
    }
}

/// A TOML value as JSON.
pub fn json(value: &toml::Value) -> Value {
    serde_json::to_value(value).unwrap_or(Value::Null)
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
