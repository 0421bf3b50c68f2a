//! `page`: the review page by itself, beside gateways that hosts start.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;

use super::board::Board;
use super::run::{GRACE, stopped};
use super::{Failure, Files, could_not};
use crate::page;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Where to listen; this machine's own addresses only.
    #[arg(long, env = "QUARANTINE_PAGE_LISTEN", value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
}

pub(super) fn run(files: &Files, args: &Args) -> Result<ExitCode, Failure> {
    let board = Board::open(files)?;
    if board.state()?.passphrase.is_none() {
        eprintln!("Nobody can sign in yet: run quarantine-gateway passphrase at a terminal.");
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(could_not)?;
    runtime.block_on(async {
        let address = args.listen.unwrap_or_else(page::default_listen);
        let (listener, url) = page::listen(address).map_err(could_not)?;
        let router = page::router(Arc::new(board.config), Arc::new(board.store), page::Face::Page);
        println!("The review page is at {url}");
        web::accept::serve(listener, router, stopped(), GRACE).await;
        Ok(ExitCode::SUCCESS)
    })
}
