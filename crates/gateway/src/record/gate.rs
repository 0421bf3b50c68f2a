//! The one place that says whether something may be listed or called. No record, no yes.

use super::state::{Item, Pin, ServerRecord, Standing, State, Status};
use crate::config::ServerEntry;

/// Why something may not be used. The first that applies, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// The server is in quarantine.
    Quarantined,
    /// The server is switched off in the configuration.
    Disabled,
    /// A person blocked it.
    Blocked,
    /// It is another than the one that was approved.
    Changed,
    /// Nobody has looked at it yet.
    Pending,
    /// The server does not offer it now.
    Absent,
}

impl Reason {
    /// The word programs switch on.
    pub(crate) fn code(self) -> &'static str {
        match self {
            Reason::Quarantined => "QUARANTINED_SERVER_BLOCKED",
            Reason::Disabled => "SERVER_DISABLED",
            Reason::Blocked => "TOOL_BLOCKED",
            Reason::Changed => "TOOL_CHANGED",
            Reason::Pending => "TOOL_PENDING_APPROVAL",
            Reason::Absent => "TOOL_ABSENT",
        }
    }
}

/// Whether a server as a whole is open.
pub(crate) fn server_reason(state: &State, entry: &ServerEntry) -> Result<(), Reason> {
    record_of(state, entry).map(|_| ())
}

fn record_of<'a>(state: &'a State, entry: &ServerEntry) -> Result<&'a ServerRecord, Reason> {
    let record = state.servers.get(&entry.name).ok_or(Reason::Quarantined)?;
    let reviewed = record.launch.as_ref() == Some(&entry.transport.hash());
    if record.standing != Standing::Live || !reviewed {
        return Err(Reason::Quarantined);
    }
    if entry.disabled { Err(Reason::Disabled) } else { Ok(record) }
}

/// The approved definition of an item, if it may be used: its server is live, a person said yes to exactly this, and
/// it is what the server offers now. `live` is the hash the running server showed last; `None` if it showed none.
pub(crate) fn judge<'a>(
    state: &'a State,
    entry: &ServerEntry,
    key: &str,
    live: Option<&str>,
) -> Result<(&'a Item, &'a Pin), Reason> {
    let item = record_of(state, entry)?.items.get(key).ok_or(Reason::Pending)?;
    match (item.status(), &item.approved) {
        (Status::Blocked, _) => Err(Reason::Blocked),
        (Status::Changed, _) => Err(Reason::Changed),
        (Status::Pending, _) | (_, None) => Err(Reason::Pending),
        (Status::Approved, Some(pin)) => match live {
            None => Err(Reason::Absent),
            Some(hash) if hash == pin.hash => Ok((item, pin)),
            // The server has changed it and the record does not say so yet, or could not be written.
            Some(_) => Err(Reason::Changed),
        },
    }
}
