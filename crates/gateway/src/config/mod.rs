//! Which servers there are: the common `mcpServers` file, and our own settings in it under `quarantine`.

mod expand;
mod file;
mod launch;
mod place;
mod settings;

pub(crate) use file::{Config, ServerEntry};
pub(crate) use launch::{Launch, Remote, Transport};
pub(crate) use place::{data_folder, default_config, state_file};
pub(crate) use settings::{Approve, Limits, Settings, Trust};
