//! `run`: the gateway itself.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use super::{Failure, Files, could_not};
use crate::config::Config;
use crate::downstream::{Gateway, router, serve_stdio};
use crate::page;
use crate::record::Store;
use crate::upstream::Asking;

/// How long open requests may take once the program is asked to end.
pub(super) const GRACE: Duration = Duration::from_secs(2);

#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// Serve over HTTP instead, at http://ADDRESS/mcp; REST for agents at http://ADDRESS/api.
    #[arg(long, env = "QUARANTINE_LISTEN", value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
    /// Another host name that the HTTP endpoint may be asked as, with its port.
    #[arg(
        long = "allow-host",
        env = "QUARANTINE_ALLOW_HOST",
        value_name = "HOST:PORT",
        value_delimiter = ','
    )]
    allow_hosts: Vec<String>,
    /// The bearer token that HTTP hosts must send; needed on any address but this machine's own.
    #[arg(long, env = "QUARANTINE_TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// Serve the review page at this address too.
    #[arg(long, env = "QUARANTINE_PAGE_LISTEN", value_name = "ADDRESS")]
    page: Option<SocketAddr>,
}

pub(super) fn run(files: &Files, args: &Args) -> Result<ExitCode, Failure> {
    let config = Config::load(&files.config).map_err(could_not)?;
    for refused in &config.refused {
        eprintln!("The server {} is not used: {}.", refused.name, refused.why);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(could_not)?;
    runtime.block_on(serve(config, files, args))?;
    // Standard input may still be waited for on a thread that can't be woken.
    runtime.shutdown_background();
    Ok(ExitCode::SUCCESS)
}

async fn serve(config: Config, files: &Files, args: &Args) -> Result<(), Failure> {
    // Both listeners are taken before anything is started, so that a taken address is told at once.
    let listener = args.listen.map(|address| listen(address, args)).transpose()?;
    let page = args.page.map(page::listen).transpose().map_err(could_not)?;
    let store = Arc::new(Store::at(files.state.clone()));
    let gateway = Gateway::new(config, Arc::clone(&store));
    let config = Arc::new(gateway.config.clone());
    if let Some((listener, _)) = page {
        let router = page::router(Arc::clone(&config), Arc::clone(&store), page::Face::Page);
        tokio::spawn(web::accept::serve(listener, router, std::future::pending(), GRACE));
    }
    match listener {
        None => {
            tokio::select! {
                () = serve_stdio(Arc::clone(&gateway)) => {}
                () = stopped() => {}
            }
        }
        Some(listener) => {
            let address = listener.local_addr().map_err(could_not)?;
            let hosts = hosts(address, &args.allow_hosts);
            gateway.start(&Asking::through(&config.settings.forward)).await;
            let rest = page::router(config, store, page::Face::Agents(hosts.clone(), args.token.clone()));
            let router = router(Arc::clone(&gateway), hosts, args.token.clone())
                .merge(rest)
                .layer(axum::middleware::from_fn(web::headers::secure));
            println!("The gateway is listening on http://{address}/mcp");
            web::accept::serve(listener, router, stopped(), GRACE).await;
        }
    }
    gateway.stop().await;
    Ok(())
}

fn listen(address: SocketAddr, args: &Args) -> Result<tokio::net::TcpListener, Failure> {
    if !address.ip().is_loopback() && args.token.as_ref().is_none_or(|token| token.len() < 16) {
        return Err(could_not(
            "An address that other machines reach needs a --token of 16 characters or more.",
        ));
    }
    web::accept::listen(address).map_err(could_not)
}

/// The names a listener may be asked as.
fn hosts(address: SocketAddr, more: &[String]) -> Vec<String> {
    let port = address.port();
    let mut hosts = vec![address.to_string(), format!("localhost:{port}"), format!("127.0.0.1:{port}")];
    hosts.extend(more.iter().map(|host| host.to_ascii_lowercase()));
    hosts
}

/// Resolves when the program is asked to end.
pub(super) async fn stopped() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut asked) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = asked.recv() => {}
                _ = tokio::signal::ctrl_c() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}
