//! The hooks where a folder with a registry is named: results are read behind glass.
//!
//! Whatever goes wrong, the answer is one that holds: a rewrite that says "withheld", a call that is denied, a session
//! that stops. An exit code would not hold anything back.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use reader::{Code, Guards, Session, Withheld};

use crate::advise::{After, advise_on};
use crate::answer::Answer;
use crate::arguments::Hook;
use crate::batch::{self, Found, STOPPED, let_through};
use crate::before::{before, unresolvable};
use crate::deadline::{Ended, within};
use crate::event::Event;
use crate::extract::{self, Glass, written};
use crate::input::Input;
use crate::notice::notice;
use crate::place::{Places, switched_off};
use crate::registry::{Failures, Registry};
use crate::rewrite::{Call, Rewrite, shaped};
use crate::telemetry::{Decision, record};
use crate::tool_name::ToolName;

/// Below the shortest time-out that `install` writes, and far below the harness's own of ten minutes.
const LIMIT: Duration = Duration::from_secs(25);
/// A session that ends shares a second and a half with everything else that ends.
const END: Duration = Duration::from_secs(1);

/// What every hook of this kind is given.
#[derive(Debug, Clone)]
pub struct Desk {
    /// The folder with `tool-registry.json`.
    pub folder: PathBuf,
    /// Where things lie.
    pub places: Places,
    /// The name the gateway is registered under.
    pub gateway: String,
    /// The hook's own deadline.
    pub limit: Option<Duration>,
    /// The walls that are up.
    pub guards: Guards,
}

/// What is known about the call so far, for the answer when time is up.
#[derive(Debug, Clone, Default)]
struct Known {
    call: Call,
    session: String,
    /// Not a listed tool: nothing is withheld.
    other: bool,
}

type Told = Arc<Mutex<Known>>;

fn tell(told: &Told, change: impl FnOnce(&mut Known)) {
    change(&mut told.lock().unwrap_or_else(PoisonError::into_inner));
}

impl Desk {
    /// Answers an event of this kind, in time and whatever happens. `read` gives what stands on stdin.
    pub fn answer(&self, hook: Hook, read: impl FnOnce() -> Input + Send + 'static) -> Answer {
        let limit = self.limit.unwrap_or(if hook == Hook::SessionEnd { END } else { LIMIT });
        let until = Instant::now() + limit;
        let told = Told::default();
        let (desk, shared) = (self.clone(), told.clone());
        let work = move || desk.work(hook, &read(), until, &shared);
        within(limit, work).unwrap_or_else(|ended| {
            let known = told.lock().unwrap_or_else(PoisonError::into_inner).clone();
            self.broken_off(hook, ended, &known)
        })
    }

    fn broken_off(&self, hook: Hook, ended: Ended, known: &Known) -> Answer {
        let code = if ended == Ended::Late { Code::Deadline } else { Code::Internal };
        if ended == Ended::Late {
            record(&self.places.telemetry(), &known.call.tool, Decision::Timeout, "unknown", &known.session);
        }
        match hook {
            Hook::PostToolUse if !known.other => self.withheld(&known.call, code, &known.session),
            Hook::PreToolUse => Answer::deny(code.says()),
            Hook::PostToolBatch => Answer::stop(STOPPED),
            _ => Answer::nothing(),
        }
    }

    /// A withheld rewrite. The key is read without waiting for anybody, so that this always comes in time.
    fn withheld(&self, call: &Call, code: Code, session: &str) -> Answer {
        let key = Session::existing(&self.places.state(), session).and_then(|session| session.known_key());
        let text = written(&Rewrite::withheld(call, &Withheld::from(code)), call, key.as_deref());
        self.rewritten(call, &text)
    }

    fn rewritten(&self, call: &Call, text: &str) -> Answer {
        let tool = ToolName::new(&call.tool, &self.gateway);
        Answer::rewrite(&shaped(&tool, text), tool.is_mcp() || call.tool.is_empty())
    }

    fn work(&self, hook: Hook, input: &Input, until: Instant, told: &Told) -> Answer {
        let unread = |code| match hook {
            Hook::PostToolUse => self.withheld(&Call::default(), code, ""),
            Hook::PostToolUseFailure => {
                Answer::context(hook.event(), &notice("unknown", "unknown:unreadable"))
            }
            Hook::PreToolUse => Answer::deny(code.says()),
            Hook::PostToolBatch => Answer::stop(STOPPED),
            Hook::SessionStart | Hook::SessionEnd => Answer::nothing(),
        };
        let text = match input {
            Input::Whole(text) => text,
            Input::TooMuch => return unread(Code::TooLarge),
            Input::Broken => return unread(Code::Event),
        };
        let Ok(event) = Event::read(text) else { return unread(Code::Event) };
        // An event of another kind, that a newer harness may have, is none of ours.
        let name = event.name();
        if !name.is_empty() && Hook::ALL.iter().all(|hook| hook.event() != name) {
            return Answer::nothing();
        }
        let hook = match (hook, name.as_str()) {
            (Hook::PostToolUse, "PostToolUseFailure") => Hook::PostToolUseFailure,
            _ => hook,
        };
        tell(told, |known| {
            known.call = Call { tool: event.tool(), id: event.call() };
            known.session = event.session();
        });
        let registry = Registry::read(&self.folder, &self.gateway);
        let state = self.places.state();
        match (hook, registry) {
            (Hook::SessionStart, registry) => self.start(&event, registry.is_ok(), &state),
            (Hook::SessionEnd, _) => end(&event, &state),
            (Hook::PreToolUse, Ok(registry)) => before(&event, &registry, &state, &self.gateway),
            (Hook::PostToolUse, Ok(registry)) => self.after(&event, &registry, until, told),
            (Hook::PostToolUseFailure, Ok(registry)) => self.failed(&event, &registry),
            (Hook::PostToolBatch, Ok(registry)) => self.batch(&event, Some(&registry), &state),
            // Without a registry nobody knows what is listed: every MCP tool's result is held back.
            (Hook::PostToolUse, Err(_)) => {
                let call = Call { tool: event.tool(), id: event.call() };
                if ToolName::new(&call.tool, &self.gateway).is_mcp() {
                    self.withheld(&call, Code::Settings, &event.session())
                } else {
                    advise_on(&event, After::Use, &self.places, &self.gateway, switched_off())
                }
            }
            (Hook::PostToolUseFailure, Err(_)) => {
                advise_on(&event, After::Failure, &self.places, &self.gateway, switched_off())
            }
            // The agent may go on with what needs no references.
            (Hook::PreToolUse, Err(_)) => unresolvable(&event, &state),
            (Hook::PostToolBatch, Err(_)) => self.batch(&event, None, &state),
        }
    }

    fn after(&self, event: &Event<'_>, registry: &Registry, until: Instant, told: &Told) -> Answer {
        let tool = ToolName::new(&event.tool(), &self.gateway);
        let Some(listed) = registry.listed(&tool) else {
            tell(told, |known| known.other = true);
            return advise_on(event, After::Use, &self.places, &self.gateway, switched_off());
        };
        // Some time is kept for the answer itself.
        let until = until.checked_sub(Duration::from_millis(20)).unwrap_or(until);
        let state = self.places.state();
        let glass = Glass { registry, state: &state, until, guards: self.guards };
        let text = extract::read(&glass, event, &tool, listed);
        self.tell_of(event, &tool, Decision::Seal);
        self.rewritten(&Call { tool: event.tool(), id: event.call() }, &text)
    }

    fn tell_of(&self, event: &Event<'_>, tool: &ToolName, decision: Decision) {
        let source = format!("mcp:{}", reader::label(&extract::namespace(tool)));
        let source = if tool.is_mcp() { source } else { reader::label(tool.as_str()) };
        record(&self.places.telemetry(), &event.tool(), decision, &source, &event.session());
    }

    /// The error text of a failed call can't be rewritten. Either the second lock stops the session, or the settings say
    /// that the model may read it.
    fn failed(&self, event: &Event<'_>, registry: &Registry) -> Answer {
        let tool = ToolName::new(&event.tool(), &self.gateway);
        if registry.listed(&tool).is_some() && registry.failures == Failures::Notice {
            let session = Session::open(&self.places.state(), &event.session());
            if session.and_then(|session| session.mark(&let_through(&event.call()))).is_err() {
                return Answer::stop(STOPPED);
            }
        }
        advise_on(event, After::Failure, &self.places, &self.gateway, false)
    }

    fn batch(&self, event: &Event<'_>, registry: Option<&Registry>, state: &Path) -> Answer {
        let found = batch::look(event, registry, state, &self.gateway);
        let tell = |decision| {
            record(&self.places.telemetry(), "batch", decision, "second-lock", &event.session());
        };
        match found {
            Found::Nothing => {}
            Found::Rewritten => tell(Decision::Confirmed),
            Found::Raw => tell(Decision::Stop),
        }
        batch::answer(found)
    }

    fn start(&self, event: &Event<'_>, sound: bool, state: &Path) -> Answer {
        Session::sweep(state);
        let opened = Session::open(state, &event.session()).and_then(|session| session.key());
        let says = match (sound, opened.is_ok()) {
            (true, true) => {
                "Some tools' results are read behind glass in this session. In their place stand typed fields, and \
                 references such as $TC42_BODY for texts that stay sealed. A reference may be written into a message that a \
                 person reads; whoever is asked to allow that call sees the text, you don't."
            }
            (false, _) => {
                "Quarantine's settings can't be read, so results of all MCP tools are withheld. A person can find out why with: \
                 quarantine hook doctor"
            }
            (true, false) => {
                "Sealed values can't be kept, so results of listed tools are withheld. A person can find out why with: \
                 quarantine hook doctor"
            }
        };
        Answer::context("SessionStart", says)
    }
}

/// Sealed values go with the session. A session that is only put aside keeps them.
fn end(event: &Event<'_>, state: &Path) -> Answer {
    let ended = event.reason() != "resume";
    if let Some(session) = Session::existing(state, &event.session()).filter(|_| ended) {
        let _ = session.erase();
    }
    Answer::nothing()
}
