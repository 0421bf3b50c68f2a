//! A site of somebody else: fixed pages on a port of its own.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;

use crate::cdp::runtime;

/// One answer: further header lines, and the body.
pub type Reply = (&'static str, String);

/// A running site; it ends when this is dropped.
#[derive(Debug)]
pub struct Site {
    port: u16,
    serving: AbortHandle,
}

impl Site {
    /// Serves these pages, by path.
    pub async fn serve(pages: impl IntoIterator<Item = (&'static str, Reply)>) -> Site {
        let pages: Arc<BTreeMap<&'static str, Reply>> = Arc::new(pages.into_iter().collect());
        let bound = runtime().spawn(TcpListener::bind(("127.0.0.1", 0))).await.expect("a runtime");
        let listener = bound.expect("a free port");
        let port = listener.local_addr().expect("the port that was bound").port();
        let serving = runtime().spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let pages = Arc::clone(&pages);
                tokio::spawn(async move { answer(stream, &pages).await });
            }
        });
        Site { port, serving: serving.abort_handle() }
    }

    /// A page's address.
    pub fn url(&self, path: &str) -> String {
        format!("http://localhost:{}{path}", self.port)
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn answer(stream: TcpStream, pages: &BTreeMap<&'static str, Reply>) -> Option<()> {
    let mut stream = BufReader::new(stream);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).await.ok()?;
        if line.trim().is_empty() {
            break;
        }
        lines.push(line);
    }
    let target = lines.first()?.split(' ').nth(1)?;
    let path = target.split('?').next()?;
    let (status, headers, body) = match pages.get(path) {
        Some((headers, body)) => ("200 OK", *headers, body.as_str()),
        None => ("404 Not Found", "", "There is no such page."),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: text/html; charset=utf-8\r\n{headers}content-length: {}\r\n\
         connection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.ok()?;
    stream.write_all(body.as_bytes()).await.ok()?;
    stream.shutdown().await.ok()
}
