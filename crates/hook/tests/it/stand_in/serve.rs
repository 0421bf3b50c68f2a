//! The protocol, its errors and its broken connections.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};

use serde_json::json;

use super::extractor::Question;
use super::mode::Mode;

/// Prints where it listens, and serves until stdin ends: whoever started it is gone then.
pub(crate) fn until_stdin_ends() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    println!("\nlistening on http://{}/v1/chat/completions", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || {
                // A client may leave at any time.
                let _ = serve(stream);
            });
        }
    });
    let _ = std::io::stdin().lock().read_to_end(&mut Vec::new());
}

fn serve(mut stream: TcpStream) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut length = 0;
    let mut bearer = String::new();
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    loop {
        line.clear();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim().split_once(':') else { break };
        match name.to_lowercase().as_str() {
            "content-length" => length = value.trim().parse().unwrap(),
            "authorization" => bearer = value.trim().to_owned(),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    if path != "/v1/chat/completions" {
        return answer(&mut stream, "404 Not Found", b"{}");
    }
    if path.is_empty() || (bearer.is_empty() && std::env::var_os("STAND_IN_KEY").is_some()) {
        return answer(&mut stream, "401 Unauthorized", b"{}");
    }
    let question = Question::read(&body);
    let said = String::from_utf8_lossy(&body).into_owned();
    let whole = |content: &str, finish: &str| {
        let message = json!({"role": "assistant", "content": content});
        let choice = json!({"index": 0, "message": message, "finish_reason": finish});
        json!({"id": "x", "object": "chat.completion", "choices": [choice], "usage": {"total_tokens": 1}})
            .to_string()
    };
    let good = whole(&question.content(), "stop");
    match question.mode {
        Mode::Cut => answer(&mut stream, "200 OK", whole(&question.content(), "length").as_bytes()),
        Mode::ToolCall => {
            let call = json!([{"type": "function", "function": {"name": "issue_refund", "arguments": said}}]);
            let message = json!({"role": "assistant", "content": null, "tool_calls": call});
            let choice = json!({"index": 0, "message": message, "finish_reason": "tool_calls"});
            answer(&mut stream, "200 OK", json!({"choices": [choice]}).to_string().as_bytes())
        }
        Mode::ErrorBody => answer(&mut stream, "500 Internal Server Error", said.as_bytes()),
        Mode::BareBody => answer(&mut stream, "200 OK", said.as_bytes()),
        Mode::NoAuth => answer(&mut stream, "401 Unauthorized", said.as_bytes()),
        Mode::Hang => {
            // Until the client gives up.
            let _ = stream.read(&mut [0; 1])?;
            Ok(())
        }
        Mode::Drip => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")?;
            // Waiting to read is how this waits between bytes: nothing comes but the client's leaving.
            stream.set_read_timeout(Some(std::time::Duration::from_millis(5)))?;
            loop {
                stream.write_all(b" ")?;
                if matches!(stream.read(&mut [0; 1]), Ok(0)) {
                    return Ok(());
                }
            }
        }
        Mode::EarlyClose => {
            let half = good.get(..good.floor_char_boundary(good.len() / 2)).unwrap_or_default();
            write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{half}", good.len())
        }
        Mode::TenMegabytes => {
            let padding = "x".repeat(1 << 20);
            write!(stream, "HTTP/1.1 200 OK\r\n\r\n{good}")?;
            (0..10).try_for_each(|_| stream.write_all(padding.as_bytes()))
        }
        Mode::NotUtf8 => {
            let mut bytes = good.into_bytes();
            let middle = bytes.len() / 2;
            bytes.splice(middle..middle, [0xff, 0xfe, 0xc0, 0x80]);
            answer(&mut stream, "200 OK", &bytes)
        }
        Mode::Chunked => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")?;
            for chunk in good.as_bytes().chunks(100) {
                write!(stream, "{:x};note=1\r\n", chunk.len())?;
                stream.write_all(chunk)?;
                stream.write_all(b"\r\n")?;
            }
            stream.write_all(b"0\r\n\r\n")
        }
        Mode::BadChunks => {
            write!(
                stream,
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{good}\r\n"
            )
        }
        _ => answer(&mut stream, "200 OK", good.as_bytes()),
    }
}

fn answer(stream: &mut TcpStream, status: &str, body: &[u8]) -> std::io::Result<()> {
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    )?;
    stream.write_all(body)
}
