//! `quarantine serve`.

use std::process::ExitCode;

use server::clock::{Clock as _, SystemClock};
use server::config::{LISTEN, Settings};
use server::http::console;
use web::accept;

use super::{Failed, block_on};

pub(super) fn run(settings: Settings) -> Result<ExitCode, Failed> {
    web::log::start(settings.log_json, settings.log.as_deref().unwrap_or("info"));
    raise_file_limit();
    block_on(serve(settings))
}

async fn serve(settings: Settings) -> Result<ExitCode, Failed> {
    let address = match settings.listen {
        Some(address) => address,
        None => LISTEN.parse().map_err(Failed::new)?,
    };
    let listener = accept::listen(address).map_err(|error| {
        Failed(format!("can't listen on {address}: {error}. `--listen` sets another address."))
    })?;
    let port = listener.local_addr().map_err(Failed::new)?.port();
    let config = settings.config(port)?;
    let store = server::open(&config, &SystemClock).await.map_err(|error| {
        Failed(format!("{error}: check `--data` or `--database`; the line above says what failed."))
    })?;
    let provider = std::sync::Arc::new(server::payments::Ledger::new(store.clone()));
    println!("Quarantine is listening on {}", config.public_url);
    if config.strength >= policy::Strength::Console {
        let link = console::sign_in_link(&store, &config, SystemClock.now()).await.map_err(Failed::new)?;
        println!("Sign in to the console, once: {link}");
    }
    let clock = std::sync::Arc::new(SystemClock);
    server::run_with(listener, config, store, provider, clock, stopped()).await.map_err(Failed::new)?;
    Ok(ExitCode::SUCCESS)
}

/// Resolves when somebody stops the process.
async fn stopped() {
    let interrupt = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminate = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(_) => std::future::pending::<()>().await,
        }
    };
    #[cfg(not(unix))]
    let terminate = std::future::pending::<()>();
    tokio::select! {
        () = interrupt => {}
        () = terminate => {}
    }
}

/// Every held call is a connection; the usual limit of 1,024 files is soon reached.
fn raise_file_limit() {
    #[cfg(unix)]
    if let Err(error) = rlimit::increase_nofile_limit(65_536) {
        tracing::warn!(%error, "the limit of open files can't be raised");
    }
}
