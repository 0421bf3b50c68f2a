//! The boundary: every attack, in every place of a result, with a reading model in every mode. Nothing of an attack may
//! come out, whatever it is dressed as.
//!
//! The suite asks the library in this process, so that it can be shown to fail: with one wall taken away it has to. A part
//! of it runs through the real program.

mod carriers;
mod leak;
mod payloads;

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hook::arguments::Hook;
use hook::behind_glass::Desk;
use hook::input::Input;
use hook::place::Places;
use reader::{Guard, Guards};
use serde_json::{Value, json};

use crate::extract::machine;
use crate::process::{Machine, event};
use crate::stand_in::Mode;
use leak::Windows;
use payloads::Payload;

fn call(session: &str, result: &Value) -> String {
    let mut event = event("post-mcp-blocks");
    event["tool_response"] = result.clone();
    event["session_id"] = json!(session);
    event.to_string()
}

/// What a hook says about a benign result in any outcome: our own words, and the schema's.
fn own_words(machines: &[(Mode, Machine)], guards: Guards) -> Windows {
    let mut own = Windows::new();
    let calm = json!([{"type": "text", "text": "zz"}]);
    let error = json!({"content": [], "isError": true});
    for (mode, machine) in machines {
        for result in [&calm, &error, &json!([]), &json!(null)] {
            own.extend(leak::windows(&answer(machine, *mode, guards, &call("calm", result)).0));
        }
    }
    own
}

/// What the hook wrote to stdout, and whether it is a rewrite that the harness takes.
fn answer(machine: &Machine, mode: Mode, guards: Guards, event: &str) -> (String, bool) {
    let home = machine.path("");
    let desk = Desk {
        folder: home.join("security"),
        places: Places::below(&home),
        gateway: "quarantine".to_owned(),
        limit: Some(limit(mode)),
        guards,
    };
    let text = event.to_owned();
    let line = desk.answer(Hook::PostToolUse, move || Input::Whole(text)).line().to_owned();
    let blocks =
        serde_json::from_str::<Value>(&line).unwrap()["hookSpecificOutput"]["updatedToolOutput"].clone();
    let sound = blocks.as_array().is_some_and(|blocks| blocks.len() == 1 && blocks[0]["text"].is_string());
    (line, sound)
}

fn machines(modes: &[Mode]) -> Vec<(Mode, Machine)> {
    modes.iter().map(|mode| (*mode, machine(*mode))).collect()
}

/// How long a hook may take: for a model that never answers, no longer than it takes to see that.
fn limit(mode: Mode) -> Duration {
    if matches!(mode, Mode::Hang | Mode::Drip) { Duration::from_millis(150) } else { Duration::from_secs(20) }
}

/// What was said already: most outputs are the same but for their receipt.
#[derive(Default)]
struct Said(Mutex<HashMap<String, Arc<Windows>>>);

impl Said {
    fn windows(&self, line: &str) -> Arc<Windows> {
        let line = without_receipts(line);
        if let Some(windows) = self.0.lock().unwrap().get(&line) {
            return Arc::clone(windows);
        }
        let windows = Arc::new(leak::windows(&line));
        self.0.lock().unwrap().insert(line, Arc::clone(&windows));
        windows
    }
}

/// The line without the 32 hexadecimal digits of each receipt.
fn without_receipts(line: &str) -> String {
    let mut parts = line.split("receipt\\\":\\\"");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.bytes().take_while(u8::is_ascii_hexdigit).count();
        kept.push_str(if digits == 32 { &part[32..] } else { part });
    }
    kept
}

/// Runs the whole product and gives the cases in which something crossed.
fn run(payloads: &[Payload], modes: &[Mode], guards: Guards) -> (usize, Vec<String>) {
    let machines = machines(modes);
    let own = own_words(&machines, guards);
    let cases: Vec<(&Payload, &carriers::Carrier, &(Mode, Machine))> = payloads
        .iter()
        .flat_map(|payload| carriers::ALL.iter().map(move |carrier| (payload, carrier)))
        .flat_map(|(payload, carrier)| machines.iter().map(move |machine| (payload, carrier, machine)))
        .collect();
    let parts: HashMap<&str, Windows> = payloads
        .iter()
        .map(|payload| (payload.name.as_str(), leak::parts(&payload.text, &payload.plain, &own)))
        .collect();
    for (payload, parts) in &parts {
        assert!(!parts.is_empty(), "nothing to look for: {payload}");
    }
    let (next, said) = (AtomicUsize::new(0), Said::default());
    let leaks = std::thread::scope(|scope| {
        let worker = |number: usize| {
            let (cases, parts, next, said) = (&cases, &parts, &next, &said);
            scope.spawn(move || {
                let mut leaks = Vec::new();
                while let Some((payload, carrier, (mode, machine))) =
                    cases.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let event = call(&format!("worker {number}"), &(carrier.result)(&payload.text));
                    let (line, sound) = answer(machine, *mode, guards, &event);
                    let case = format!("{} in {} with {mode:?}", payload.name, carrier.name);
                    assert!(sound, "no rewrite: {case}: {line}");
                    let parts = parts.get(payload.name.as_str()).unwrap();
                    if !said.windows(&line).is_disjoint(parts) {
                        leaks.push(case);
                    }
                }
                leaks
            })
        };
        let workers: Vec<_> = (0..16).map(worker).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    (cases.len(), leaks)
}

fn assert_nothing_written(machine: &Path, payloads: &[Payload], own: &Windows) {
    let telemetry = std::fs::read_to_string(machine.join(".claude/telemetry.jsonl")).unwrap_or_default();
    let windows = leak::windows(&telemetry);
    for payload in payloads {
        let parts = leak::parts(&payload.text, &payload.plain, own);
        assert!(windows.is_disjoint(&parts), "{} is in the telemetry", payload.name);
    }
}

#[test]
fn nothing_of_an_attack_crosses() {
    let (cases, leaks) = run(&payloads::ours(), &Mode::ALL, Guards::all());
    println!(
        "{cases} cases: {} attacks, {} places, {} modes",
        payloads::ours().len(),
        carriers::ALL.len(),
        Mode::ALL.len()
    );
    assert_eq!(leaks, [""; 0]);
}

#[test]
fn nothing_of_the_public_attacks_crosses() {
    let public = payloads::public();
    if public.is_empty() {
        println!("QUARANTINE_PAYLOADS names no folder: public attacks were not run");
        return;
    }
    let modes: Vec<Mode> =
        Mode::ALL.into_iter().filter(|mode| !matches!(mode, Mode::Hang | Mode::Drip)).collect();
    let (cases, leaks) = run(&public, &modes, Guards::all());
    println!("{cases} cases: {} public attacks", public.len());
    assert_eq!(leaks, [""; 0]);
}

#[test]
fn each_wall_is_missed_when_it_is_taken_away() {
    for (guard, modes) in [
        (Guard::Seal, [Mode::Clean, Mode::Echo]),
        (Guard::Choice, [Mode::Obey, Mode::Obey]),
        (Guard::KnownOnly, [Mode::ExtraKeys, Mode::ExtraKeys]),
        (Guard::Shape, [Mode::Prose, Mode::Fenced]),
    ] {
        let payloads: Vec<Payload> = payloads::ours().into_iter().take(6).collect();
        let (cases, leaks) = run(&payloads, &modes, Guards::all_but(guard));
        println!("{guard:?} taken away: {} of {cases} cases leak", leaks.len());
        assert!(leaks.len() * 4 > cases, "{guard:?}: only {} of {cases}", leaks.len());
    }
}

#[test]
fn the_program_itself_lets_nothing_of_an_attack_out() {
    let modes: Vec<Mode> =
        Mode::ALL.into_iter().filter(|mode| !matches!(mode, Mode::Hang | Mode::Drip)).collect();
    let (machines, payloads) = (machines(&modes), payloads::ours());
    let own = own_words(&machines, Guards::all());
    let pairs =
        payloads.iter().flat_map(|payload| carriers::ALL.iter().map(move |carrier| (payload, carrier)));
    // Each attack in each place once, the modes going round.
    for ((payload, carrier), (mode, machine)) in pairs.zip(machines.iter().cycle()) {
        let event = call("a session", &(carrier.result)(&payload.text));
        let left = machine.run(&["post-tool-use", "--security-dir", "security"], event.as_bytes());
        let case = format!("{} in {} with {mode:?}", payload.name, carrier.name);
        assert_eq!((left.code, left.err.as_str()), (0, ""), "{case}");
        let parts = leak::parts(&payload.text, &payload.plain, &own);
        assert!(leak::windows(&left.out).is_disjoint(&parts), "{case}");
    }
    for (_, machine) in &machines {
        assert_nothing_written(&machine.path(""), &payloads, &own);
    }
}
