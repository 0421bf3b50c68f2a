//! Before a tool is called: references in its input are resolved where they may be, and a person is asked.

use std::path::Path;

use reader::dereference::{Resolution, Resolved, resolve};
use reader::{Code, Session, Sink};
use serde_json::value::RawValue;

use crate::answer::Answer;
use crate::event::Event;
use crate::extract::namespace;
use crate::registry::Registry;
use crate::tool_name::ToolName;

/// Answers one event.
#[must_use]
pub fn before(event: &Event<'_>, registry: &Registry, state: &Path, gateway: &str) -> Answer {
    let tool = ToolName::new(&event.tool(), gateway);
    let session = Session::existing(state, &event.session());
    let deny = |says: &str| {
        if let Some(session) = &session {
            let _ = session.mark(&denied(&event.call()));
        }
        Answer::deny(says)
    };
    let Some(input) = event.tool_input else { return Answer::nothing() };
    if names_the_store(input, state) {
        return deny(
            "Sealed values are not read from their folder. Write a reference into a message for a person.",
        );
    }
    let Some(sink) = registry.sink(&tool) else { return Answer::nothing() };
    match resolve(input, sink, &namespace(&tool), session.as_ref()) {
        Ok(Resolved::None) => Answer::nothing(),
        Ok(Resolved::All(whole, done)) => match RawValue::from_string(whole) {
            Ok(whole) => Answer::ask(&whole, &asking(&done)),
            Err(_) => deny(Code::Internal.says()),
        },
        Ok(Resolved::Refused(name, argument, refusal)) => {
            deny(&format!("{name} may not be resolved in {}: {}.", reader::label(&argument), refusal.says()))
        }
        Ok(Resolved::Unknown) => deny(
            "A reference in the input is not one of this session, or is written together with other letters. Write it \
             alone, as it was given.",
        ),
        Ok(Resolved::Unreadable) => deny("The input can't be read, so no reference in it is resolved."),
        Err(code) => deny(code.says()),
    }
}

/// The answer where the registry can't be read: nobody knows which argument may take what.
#[must_use]
pub fn unresolvable(event: &Event<'_>, state: &Path) -> Answer {
    let session = Session::existing(state, &event.session());
    let none = Sink::default();
    match event.tool_input.map(|input| resolve(input, &none, "", session.as_ref())) {
        None | Some(Ok(Resolved::None | Resolved::Unknown)) => Answer::nothing(),
        Some(_) => Answer::deny(Code::Settings.says()),
    }
}

/// The mark of a call that we refused: its answer is the harness's own, and the second lock lets it pass.
#[must_use]
pub fn denied(call: &str) -> String {
    format!("denied {call}")
}

/// Whether an input names the folder of sealed values. This keeps an honest agent from reading them by the way; it does
/// not hold against one that hides what it does.
fn names_the_store(input: &RawValue, state: &Path) -> bool {
    let folder = state.join("sessions");
    let text = input.get();
    let plain = serde_json::to_string(&folder.to_string_lossy()).unwrap_or_default();
    let plain = plain.trim_matches('"');
    (!plain.is_empty() && text.contains(plain)) || text.contains("quarantine/sessions/")
}

fn asking(done: &[Resolution]) -> String {
    let one = |done: &Resolution| {
        let hidden = match done.hidden {
            0 => String::new(),
            count => format!(", {count} of them not visible"),
        };
        format!(
            "{} in {} ({} characters{hidden}, from {})",
            done.name,
            reader::label(&done.argument),
            done.characters,
            done.tool
        )
    };
    let list: Vec<String> = done.iter().map(one).collect();
    format!("A stranger's words would be sent: {}. Read them before you allow it.", list.join("; "))
}
