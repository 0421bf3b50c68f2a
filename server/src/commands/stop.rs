//! `quarantine stop` and `quarantine resume`: they write to the store beside a running desk.

use std::process::ExitCode;

use server::clock::{Clock as _, SystemClock};
use server::config::Settings;
use server::store::Actor;

use super::{Failed, block_on};

pub(super) fn run(settings: &Settings, stopped: bool) -> Result<ExitCode, Failed> {
    let config = settings.config(0)?;
    block_on(async {
        let store = server::open(&config, &SystemClock).await.map_err(Failed::new)?;
        store.stop_everywhere(&Actor::Person, stopped, SystemClock.now()).await.map_err(Failed::new)
    })?;
    if stopped {
        println!(
            "Agents are stopped. Held refunds can still be decided; `quarantine resume` lets agents go on."
        );
    } else {
        println!("Agents may act again.");
    }
    Ok(ExitCode::SUCCESS)
}
