//! Putting the gateway in front of a host's servers: its file is read, its servers go into the gateway's configuration,
//! and one entry takes their place. What was there is kept, so that it can be put back.

mod hosts;
mod jsonc;
mod plan;
mod undo;

pub(crate) use hosts::{Host, Shape, known, shape_of};
pub(crate) use plan::plan;
pub(crate) use undo::{apply, put_back};
