//! As many requests as a server answers, over connections that stay open.

use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// How often this request is answered in a second, over so many connections.
pub(crate) async fn answers_per_second(port: u16, request: &str, connections: usize, time: Duration) -> f64 {
    let start = Instant::now();
    let workers = (0..connections).map(|_| {
        let request = request.to_owned();
        tokio::spawn(async move { count(port, request.as_bytes(), start + time).await })
    });
    let mut answers = 0;
    for worker in workers.collect::<Vec<_>>() {
        answers += worker.await.expect("a worker ends").expect("the server answers");
    }
    answers as f64 / start.elapsed().as_secs_f64()
}

async fn count(port: u16, request: &[u8], until: Instant) -> std::io::Result<u64> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await?;
    stream.set_nodelay(true)?;
    let (mut answers, mut buffer) = (0, Vec::with_capacity(16 * 1024));
    while Instant::now() < until {
        stream.write_all(request).await?;
        buffer.clear();
        loop {
            if stream.read_buf(&mut buffer).await? == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            if let Some(whole) = length(&buffer)
                && buffer.len() >= whole
            {
                break;
            }
        }
        if !buffer.starts_with(b"HTTP/1.1 200") {
            return Err(std::io::Error::other(String::from_utf8_lossy(&buffer).into_owned()));
        }
        answers += 1;
    }
    Ok(answers)
}

/// The length of the whole answer, once its head has come.
fn length(bytes: &[u8]) -> Option<usize> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&bytes[..end]).ok()?;
    let body = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    Some(end + 4 + body?)
}
