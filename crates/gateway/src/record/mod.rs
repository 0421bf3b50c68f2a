//! What a person has decided, and what servers were seen to offer, in one file that the commands, the page and every
//! running gateway share.

mod decide;
mod event;
mod gate;
mod name;
mod observe;
mod state;
mod store;

pub(crate) use decide::{
    Refusal, Wanted, approve, block, go_live, may_approve, quarantine, set_trust, unblock,
};
pub(crate) use gate::{Reason, judge, server_reason};
pub(crate) use name::item_key;
pub(crate) use observe::{observe, register};
pub(crate) use state::{Item, ServerRecord, State, Status};
pub(crate) use store::{Store, StoreError};
