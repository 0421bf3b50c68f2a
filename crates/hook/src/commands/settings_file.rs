//! The agent's settings file, changed without losing anything in it: whatever is not ours stays byte for byte.

use reader::Members;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::preset::ours;
use super::{Failed, failed};
use crate::arguments::Hook;

/// One of our hooks as it stands in the settings.
#[derive(Debug, Clone)]
pub(super) struct Installed {
    pub(super) hook: Hook,
    /// The event under which it stands.
    pub(super) event: String,
    pub(super) command: String,
    pub(super) matcher: String,
    /// In seconds; the harness's own when not set.
    pub(super) timeout: u64,
}

/// Puts these groups in the place of all of ours.
pub(super) fn changed(text: &str, groups: &[(Hook, Value)]) -> Result<String, Failed> {
    let (mark, body) = text.strip_prefix('\u{feff}').map_or(("", text), |body| ("\u{feff}", body));
    let blank = body.trim().is_empty();
    let top = if blank { Members::default() } else { members(body, "the settings file is no JSON object")? };
    if top.iter().filter(|(name, _)| *name == "hooks").count() > 1 {
        return failed("the settings file has hooks twice; which of them counts is not known.");
    }
    let events = match top.first("hooks") {
        None => Members::default(),
        Some(raw) => members(raw.get(), "hooks in the settings file is no JSON object")?,
    };
    let mut parts: Vec<(String, String)> = Vec::new();
    for (name, raw) in events.iter() {
        let there: Vec<&RawValue> = match serde_json::from_str(raw.get()) {
            Ok(there) => there,
            Err(_) => return failed("an event in hooks of the settings file is no list."),
        };
        let mine: Vec<&Value> =
            groups.iter().filter(|(hook, _)| hook.event() == name).map(|(_, group)| group).collect();
        let kept: Vec<Option<String>> =
            there.iter().map(|group| without_ours(group)).collect::<Result<_, _>>()?;
        let touched = kept.iter().zip(&there).any(|(kept, there)| kept.as_deref() != Some(there.get()));
        if !touched && mine.is_empty() {
            parts.push((name.to_owned(), raw.get().to_owned()));
            continue;
        }
        let mut all: Vec<String> = kept.into_iter().flatten().collect();
        all.extend(mine.iter().map(|group| indented(group)));
        if !all.is_empty() {
            parts.push((name.to_owned(), list(&all)));
        }
    }
    for (hook, group) in groups {
        if events.first(hook.event()).is_none() {
            parts.push((hook.event().to_owned(), list(&[indented(group)])));
        }
    }
    if parts.is_empty() && top.first("hooks").is_none() {
        return Ok(text.to_owned());
    }
    let inside: Vec<String> =
        parts.iter().map(|(name, list)| format!("    {}: {list}", json!(name))).collect();
    let hooks = if inside.is_empty() { "{}".to_owned() } else { format!("{{\n{}\n  }}", inside.join(",\n")) };
    let body = match top.first("hooks") {
        Some(raw) => {
            let (from, to) = place(body, raw.get());
            format!("{}{hooks}{}", body.get(..from).unwrap_or_default(), body.get(to..).unwrap_or_default())
        }
        None if blank => format!("{{\n  \"hooks\": {hooks}\n}}\n"),
        None => match top.iter().last() {
            Some((_, last)) => {
                let (_, to) = place(body, last.get());
                let (before, after) = body.split_at_checked(to).unwrap_or((body, ""));
                format!("{before},\n  \"hooks\": {hooks}{after}")
            }
            None => format!("{{\n  \"hooks\": {hooks}\n}}\n"),
        },
    };
    Ok(format!("{mark}{body}"))
}

/// Ours, as they stand in a settings file.
pub(super) fn installed(text: &str) -> Result<Vec<Installed>, Failed> {
    let body = text.trim_start_matches('\u{feff}');
    if body.trim().is_empty() {
        return Ok(Vec::new());
    }
    let Ok(settings) = serde_json::from_str::<Value>(body) else {
        return failed("the settings file is no JSON.");
    };
    let mut found = Vec::new();
    let Some(events) = settings.get("hooks").and_then(Value::as_object) else { return Ok(found) };
    for (event, groups) in events {
        for group in groups.as_array().into_iter().flatten() {
            for hook in group.get("hooks").and_then(Value::as_array).into_iter().flatten() {
                let command = hook.get("command").and_then(Value::as_str).unwrap_or_default();
                let Some(kind) = ours(command) else { continue };
                found.push(Installed {
                    hook: kind,
                    event: event.clone(),
                    command: command.to_owned(),
                    matcher: group.get("matcher").and_then(Value::as_str).unwrap_or_default().to_owned(),
                    timeout: hook.get("timeout").and_then(Value::as_u64).unwrap_or(600),
                });
            }
        }
    }
    Ok(found)
}

fn members<'a>(text: &'a str, says: &str) -> Result<Members<'a>, Failed> {
    match Members::read(text) {
        Some(members) => Ok(members),
        None => failed(format!("{says}. It is left as it is.")),
    }
}

/// A group without our hooks; `None` when nothing is left of it.
fn without_ours(group: &RawValue) -> Result<Option<String>, Failed> {
    let Some(members) = Members::read(group.get()) else { return Ok(Some(group.get().to_owned())) };
    let Some(hooks) = members.first("hooks") else { return Ok(Some(group.get().to_owned())) };
    let there: Vec<&RawValue> = match serde_json::from_str(hooks.get()) {
        Ok(there) => there,
        Err(_) => return failed("a group of hooks in the settings file is no list. It is left as it is."),
    };
    let mine = |hook: &&&RawValue| {
        let command = Members::read(hook.get()).and_then(|members| members.first("command"));
        let command = command.and_then(|raw| serde_json::from_str::<String>(raw.get()).ok());
        command.is_some_and(|command| ours(&command).is_some())
    };
    let kept: Vec<&str> = there.iter().filter(|hook| !mine(hook)).map(|hook| hook.get()).collect();
    if kept.len() == there.len() {
        return Ok(Some(group.get().to_owned()));
    }
    if kept.is_empty() {
        return Ok(None);
    }
    let (from, to) = place(group.get(), hooks.get());
    let text = group.get();
    Ok(Some(format!(
        "{}[{}]{}",
        text.get(..from).unwrap_or_default(),
        kept.join(", "),
        text.get(to..).unwrap_or_default()
    )))
}

/// Where a part stands in the text that it was cut from.
fn place(whole: &str, part: &str) -> (usize, usize) {
    let from = (part.as_ptr() as usize).saturating_sub(whole.as_ptr() as usize);
    (from, from + part.len())
}

fn list(groups: &[String]) -> String {
    format!("[\n      {}\n    ]", groups.join(",\n      "))
}

fn indented(group: &Value) -> String {
    format!("{group:#}").replace('\n', "\n      ")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::Value;

    use super::super::preset::Preset;
    use super::{changed, installed};

    const THEIRS: &str = "{\n\t\"permissions\": {\"deny\": [\"Read(./.env)\"]},\n\t\"big\": 12345678901234567890123, \"odd\": 1.50,\n\
        \t\"hooks\": {\n\t\t\"PostToolUse\": [ {\"matcher\":\"Edit|Write\",\n\t\t\t\"hooks\":[{\"type\":\"command\",\"command\":\"prettier  --write\"}] } ],\n\
        \t\t\"Stop\": [{\"hooks\":[]}]\n\t},\n\t\"model\": \"opus\" }\n";

    fn with(text: &str, preset: Preset) -> String {
        changed(text, &preset.groups(Path::new("/opt/quarantine-hook"), Path::new("/srv/security"))).unwrap()
    }

    #[test]
    fn whatever_is_not_ours_stays_byte_for_byte() {
        for preset in [Preset::Advise, Preset::Extract] {
            let text = with(THEIRS, preset);
            for kept in [
                "{\n\t\"permissions\": {\"deny\": [\"Read(./.env)\"]},\n\t\"big\": 12345678901234567890123, \"odd\": 1.50,\n",
                "{\"matcher\":\"Edit|Write\",\n\t\t\t\"hooks\":[{\"type\":\"command\",\"command\":\"prettier  --write\"}] }",
                "\"Stop\": [{\"hooks\":[]}]",
                ",\n\t\"model\": \"opus\" }\n",
            ] {
                assert!(text.contains(kept), "{kept}\nis not in\n{text}");
            }
            assert!(serde_json::from_str::<Value>(&text).is_ok());
            // Once more changes nothing, and off takes away what came.
            assert_eq!(with(&text, preset), text);
            let (off, before) = (with(&text, Preset::Off), serde_json::from_str::<Value>(THEIRS).unwrap());
            assert_eq!(serde_json::from_str::<Value>(&off).unwrap(), before);
        }
    }

    #[test]
    fn one_preset_takes_the_place_of_another() {
        let text = with(&with(THEIRS, Preset::Extract), Preset::Advise);
        assert_eq!(installed(&text).unwrap().len(), 2);
        assert!(!text.contains("--security-dir"));
        assert_eq!(installed(&with(&text, Preset::Extract)).unwrap().len(), 6);
    }

    #[test]
    fn a_file_that_is_not_there_or_empty_is_made() {
        for text in ["", " \n", "{}", "{ }", "\u{feff}{\"a\": 1}"] {
            let made = with(text, Preset::Advise);
            assert_eq!(installed(&made).unwrap().len(), 2, "{made}");
            assert_eq!(made.starts_with('\u{feff}'), text.starts_with('\u{feff}'));
        }
        assert_eq!(with("{\"a\": 1}", Preset::Off), "{\"a\": 1}");
    }

    #[test]
    fn a_group_that_is_shared_keeps_what_is_not_ours() {
        let mixed = "{\"hooks\":{\"PostToolUse\":[{\"matcher\":\"x\",\"hooks\":[{\"type\":\"command\",\"command\":\"a\"},{\"type\":\"command\",\"command\":\"/x/quarantine-hook post-tool-use\"}],\"more\":1}]}}";
        let off = with(mixed, Preset::Off);
        assert!(
            off.contains(
                "{\"matcher\":\"x\",\"hooks\":[{\"type\":\"command\",\"command\":\"a\"}],\"more\":1}"
            ),
            "{off}"
        );
    }

    #[test]
    fn what_is_not_understood_is_left_alone() {
        for text in [
            "{",
            "[]",
            "// note\n{}",
            "{\"hooks\": []}",
            "{\"hooks\": {\"Stop\": {}}}",
            "{\"hooks\":{},\"hooks\":{}}",
        ] {
            let groups = Preset::Advise.groups(Path::new("/x"), Path::new("/y"));
            assert!(changed(text, &groups).is_err(), "{text}");
        }
    }
}
