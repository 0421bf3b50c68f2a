//! Lines of bounded length from a stream.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt as _};

/// What was read.
#[derive(Debug, PartialEq)]
pub(crate) enum Line {
    /// A line of text, without its end.
    Text(String),
    /// A line that is not UTF-8.
    NotText,
    /// A line longer than the limit. What is left of it was not read.
    TooLong,
    /// The stream ended.
    End,
}

/// The next line. A last line without an end counts as one: half a message is then no JSON and is dropped there.
pub(crate) async fn next(
    stream: &mut (impl AsyncBufRead + Unpin),
    longest: usize,
    buffer: &mut Vec<u8>,
) -> io::Result<Line> {
    buffer.clear();
    loop {
        let available = stream.fill_buf().await?;
        if available.is_empty() {
            return Ok(if buffer.is_empty() { Line::End } else { finish(buffer) });
        }
        let (taken, whole) = match available.iter().position(|byte| *byte == b'\n') {
            Some(at) => (available.get(..at).unwrap_or_default(), true),
            None => (available, false),
        };
        if buffer.len() + taken.len() > longest {
            return Ok(Line::TooLong);
        }
        buffer.extend_from_slice(taken);
        let used = taken.len() + usize::from(whole);
        stream.consume(used);
        if whole {
            return Ok(finish(buffer));
        }
    }
}

fn finish(buffer: &mut Vec<u8>) -> Line {
    if buffer.last() == Some(&b'\r') {
        buffer.pop();
    }
    let line = std::str::from_utf8(buffer).map_or(Line::NotText, |text| Line::Text(text.to_owned()));
    // One long line must not keep its memory for ever.
    if buffer.capacity() > 1024 * 1024 {
        *buffer = Vec::new();
    }
    line
}

#[cfg(test)]
mod tests {
    use tokio::io::BufReader;

    use super::*;

    #[tokio::test]
    async fn lines_end_where_they_end_and_long_ones_are_told() {
        let bytes: &[u8] = b"one\r\n\xff\xfe\n\nlonger than ten\n";
        let mut stream = BufReader::with_capacity(4, bytes);
        let mut buffer = Vec::new();
        let mut read = Vec::new();
        for _ in 0..4 {
            read.push(next(&mut stream, 10, &mut buffer).await.unwrap());
        }
        assert_eq!(read, [Line::Text("one".into()), Line::NotText, Line::Text(String::new()), Line::TooLong]);
    }
}
