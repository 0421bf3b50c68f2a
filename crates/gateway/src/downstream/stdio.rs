//! The endpoint on standard input and output: one host, one message a line, nothing else on the output.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncWriteExt as _, BufReader};
use tokio::sync::mpsc;

use super::gateway::Gateway;
use crate::rpc::{self, code};
use crate::upstream::lines::{self, Line};

/// The longest message a host may send.
const LONGEST: usize = 64 * 1024 * 1024;

/// How long answers that are on their way are waited for once the host has closed its side.
const LAST_WORDS: Duration = Duration::from_secs(40);

/// Serves the host at the other end until it closes its side.
pub(crate) async fn serve(gateway: Arc<Gateway>) {
    let (sink, mut texts) = mpsc::channel::<String>(1024);
    let writer = tokio::spawn(async move {
        let mut out = tokio::io::stdout();
        while let Some(mut text) = texts.recv().await {
            if text.contains(['\n', '\r']) {
                text = text.replace(['\n', '\r'], " ");
            }
            text.push('\n');
            // What is already there goes out in one write.
            while text.len() < 64 * 1024
                && let Ok(more) = texts.try_recv()
            {
                text.push_str(&more.replace(['\n', '\r'], " "));
                text.push('\n');
            }
            if out.write_all(text.as_bytes()).await.is_err() || out.flush().await.is_err() {
                break;
            }
        }
    });
    let session = gateway.join(sink.clone(), false);
    let mut input = BufReader::with_capacity(64 * 1024, tokio::io::stdin());
    let mut buffer = Vec::new();
    loop {
        match lines::next(&mut input, LONGEST, &mut buffer).await {
            Ok(Line::Text(text)) if text.trim().is_empty() => {}
            Ok(Line::Text(text)) => take(&gateway, &session, &text, &sink).await,
            Ok(Line::NotText) => {
                let body = rpc::error(code::PARSE, "This is not UTF-8.");
                let _ = sink.send(rpc::response("null", &body)).await;
            }
            Ok(Line::TooLong | Line::End) | Err(_) => break,
        }
    }
    // Whoever wrote all its requests and closed its side still gets the answers.
    let deadline = tokio::time::Instant::now() + LAST_WORDS;
    while !session.open().is_empty() && tokio::time::Instant::now() < deadline && !sink.is_closed() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    gateway.leave(&session);
    drop((session, sink));
    // Answers that are on their way still go out; a host that is gone does not hold us up.
    let _ = tokio::time::timeout(Duration::from_secs(1), writer).await;
}

/// A message, or, as revision 2025-03-26 allows, several in one array.
async fn take(
    gateway: &Arc<Gateway>,
    session: &Arc<super::session::Session>,
    text: &str,
    sink: &super::session::Sink,
) {
    if text.trim_start().starts_with('[')
        && let Some(batch) = crate::pin::json::elements(text)
        && !batch.0.is_empty()
    {
        for one in batch.0 {
            gateway.take(session, one.get(), sink).await;
        }
    } else {
        gateway.take(session, text, sink).await;
    }
}
