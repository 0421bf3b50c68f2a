//! The accept loop. Ours, because `axum::serve` costs about twice the memory of a held connection, and because a loop
//! has to survive running out of file descriptors.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpSocket};
use tower::Service as _;

/// Seconds a client may take to send its request's head.
const HEAD_TIME: Duration = Duration::from_secs(15);

/// A listener with a long backlog: many agents may connect at once.
///
/// # Errors
/// The address is taken, or not ours to listen on.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(4096)
}

/// Serves the router until `shutdown` resolves, then lets open requests end, at most `grace` long.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    shutdown: impl Future<Output = ()>,
    grace: Duration,
) {
    let graceful = GracefulShutdown::new();
    let mut shutdown = std::pin::pin!(shutdown);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut shutdown => break,
        };
        match accepted {
            Ok((stream, peer)) => {
                // Small answers go out at once; a failure only costs latency.
                let _ = stream.set_nodelay(true);
                let router = router.clone();
                let service = service_fn(move |request: hyper::Request<Incoming>| {
                    let mut request: Request = request.map(Body::new);
                    request.extensions_mut().insert(ConnectInfo(peer));
                    router.clone().call(request)
                });
                let connection = http1::Builder::new()
                    .timer(TokioTimer::new())
                    .header_read_timeout(HEAD_TIME)
                    .serve_connection(TokioIo::new(stream), service);
                let watched = graceful.watch(connection);
                tokio::spawn(async move {
                    if let Err(error) = watched.await {
                        tracing::debug!(%error, "connection ended");
                    }
                });
            }
            Err(error) if is_connection_error(&error) => {}
            Err(error) => {
                tracing::warn!(%error, "can't accept connections for the moment");
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        }
    }
    drop(listener);
    if tokio::time::timeout(grace, graceful.shutdown()).await.is_err() {
        tracing::info!("some connections were still open and have been cut");
    }
}

fn is_connection_error(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused | io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset
    )
}
