//! The advisory hook: a notice beside a result that came from outside. The result itself stays.

use crate::answer::Answer;
use crate::event::{Event, Where};
use crate::input::Input;
use crate::notice::notice;
use crate::place::Places;
use crate::source::Source;
use crate::telemetry::{Decision, record};
use crate::tool_name::ToolName;
use crate::trusted::Trusted;

/// Which of the two events after a tool's call this is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum After {
    /// The tool answered.
    Use,
    /// The tool failed.
    Failure,
}

impl After {
    /// The event's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Use => "PostToolUse",
            Self::Failure => "PostToolUseFailure",
        }
    }

    fn of(told: &str, asked: Self) -> Option<Self> {
        match told {
            "PostToolUse" => Some(Self::Use),
            "PostToolUseFailure" => Some(Self::Failure),
            "" => Some(asked),
            _ => None,
        }
    }
}

/// Answers one event. What can't be read gets the notice, too: whatever it is, it came from a tool.
#[must_use]
pub fn advise(input: &Input, asked: After, places: &Places, gateway: &str, off: bool) -> Answer {
    let unread = |source: &str| {
        if off {
            record(&places.telemetry(), "unknown", Decision::Skip, "disabled", "unknown");
            return Answer::nothing();
        }
        record(&places.telemetry(), "unknown", Decision::Emit, source, "unknown");
        Answer::context(asked.name(), &notice("unknown", source))
    };
    let text = match input {
        Input::Whole(text) => text,
        Input::TooMuch => return unread("unknown:oversize"),
        Input::Broken => return unread("unknown:unreadable"),
    };
    let Ok(event) = Event::read(text) else { return unread("unknown:unreadable") };
    let Some(after) = After::of(&event.name(), asked) else { return Answer::nothing() };
    advise_on(&event, after, places, gateway, off)
}

/// Answers an event that has been read.
#[must_use]
pub fn advise_on(event: &Event<'_>, after: After, places: &Places, gateway: &str, off: bool) -> Answer {
    let tool = ToolName::new(&event.tool(), gateway);
    let trusted = Trusted::read(&places.trusted());
    let source = Source::of(&tool, &Where::read(event.tool_input), &|name| trusted.has(name));
    let tell = |decision, source: &str| {
        record(&places.telemetry(), &event.tool(), decision, source, &event.session())
    };
    match source {
        Source::Other => Answer::nothing(),
        Source::Passed(_) | Source::Untrusted(_) if off => {
            tell(Decision::Skip, "disabled");
            Answer::nothing()
        }
        Source::Passed(source) => {
            tell(Decision::Skip, &source);
            Answer::nothing()
        }
        Source::Untrusted(source) => {
            tell(Decision::Emit, &source);
            Answer::context(after.name(), &notice(&event.tool(), &source))
        }
    }
}
