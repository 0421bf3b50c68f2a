//! Events of a `text/event-stream`.

/// Collects the data of events, piece by piece.
#[derive(Debug, Default)]
pub(crate) struct Events {
    buffer: Vec<u8>,
    data: String,
    has_data: bool,
}

/// A single event, or the stream as a whole, is longer than the limit.
#[derive(Debug, PartialEq)]
pub(crate) struct TooLong;

impl Events {
    /// Takes the next bytes; gives the data of each event that is now whole.
    pub(crate) fn feed(&mut self, bytes: &[u8], longest: usize) -> Result<Vec<String>, TooLong> {
        let mut whole = Vec::new();
        for byte in bytes {
            if *byte == b'\n' {
                let line = std::mem::take(&mut self.buffer);
                self.line(&String::from_utf8_lossy(&line), &mut whole);
            } else {
                self.buffer.push(*byte);
            }
            if self.buffer.len() + self.data.len() > longest {
                return Err(TooLong);
            }
        }
        Ok(whole)
    }

    fn line(&mut self, line: &str, whole: &mut Vec<String>) {
        let line = line.strip_suffix('\r').unwrap_or(line);
        if line.is_empty() {
            if self.has_data {
                whole.push(std::mem::take(&mut self.data));
            }
            self.data.clear();
            self.has_data = false;
        } else if let Some(value) = line.strip_prefix("data:") {
            if self.has_data {
                self.data.push('\n');
            }
            self.data.push_str(value.strip_prefix(' ').unwrap_or(value));
            self.has_data = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_whole_however_they_are_cut() {
        let stream = b": hi\r\nevent: message\r\ndata: {\"a\":\r\ndata: 1}\r\n\r\nid: 4\ndata:x\n\ndata:\n\nretry: 1\n\n";
        for size in 1..20 {
            let mut events = Events::default();
            let mut all = Vec::new();
            for piece in stream.chunks(size) {
                all.extend(events.feed(piece, 1000).unwrap());
            }
            assert_eq!(all, ["{\"a\":\n1}", "x", ""]);
        }
        assert_eq!(Events::default().feed(b"data: 0123456789", 8), Err(TooLong));
    }
}
