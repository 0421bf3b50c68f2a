//! One POST to a model on this machine: plain HTTP/1.1 over a socket. No TLS, no name look-up, no proxy, no redirect.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Instant;

use super::{Address, Answered, LONGEST_REPLY, left};
use crate::code::Code;

/// A longer head is no answer of a model.
const LONGEST_HEAD: usize = 16 << 10;

pub(super) fn post(
    address: &Address,
    key: Option<&str>,
    body: &str,
    until: Instant,
) -> Result<Answered, Code> {
    let Address::Near { to, host, path } = address else { return Err(Code::Settings) };
    let mut stream = None;
    for place in to {
        if let Ok(connected) = TcpStream::connect_timeout(place, left(until)?) {
            stream = Some(connected);
            break;
        }
    }
    let mut stream = stream.ok_or(Code::ModelUnreachable)?;
    let _ = stream.set_nodelay(true);
    let key = key.map(|key| format!("Authorization: Bearer {key}\r\n")).unwrap_or_default();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {host}\r\n{key}Content-Type: application/json\r\nAccept: application/json\r\n\
         Accept-Encoding: identity\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let mut question = head.into_bytes();
    question.extend_from_slice(body.as_bytes());
    let mut rest = question.as_slice();
    while !rest.is_empty() {
        stream.set_write_timeout(Some(left(until)?)).map_err(|_| Code::ModelBroken)?;
        match stream.write(rest) {
            Ok(0) => break,
            Ok(written) => rest = rest.get(written..).unwrap_or_default(),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if late(error.kind()) => return Err(Code::Deadline),
            // It may have answered before it read all, with an error.
            Err(_) => break,
        }
    }
    Reading { stream, until, held: Vec::new() }.answer()
}

fn late(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::WouldBlock | ErrorKind::TimedOut)
}

struct Reading {
    stream: TcpStream,
    until: Instant,
    held: Vec<u8>,
}

impl Reading {
    /// Reads some more; false at the end.
    fn more(&mut self) -> Result<bool, Code> {
        let mut some = [0_u8; 16 << 10];
        loop {
            // However slowly it drips, each wait is for what is left of the whole.
            self.stream.set_read_timeout(Some(left(self.until)?)).map_err(|_| Code::ModelBroken)?;
            match self.stream.read(&mut some) {
                Ok(0) => return Ok(false),
                Ok(read) => {
                    self.held.extend_from_slice(some.get(..read).unwrap_or_default());
                    return Ok(true);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if late(error.kind()) => return Err(Code::Deadline),
                Err(_) => return Err(Code::ModelBroken),
            }
        }
    }

    /// Takes what is held up to and with `end`.
    fn take_through(&mut self, end: &[u8], most: usize) -> Result<Vec<u8>, Code> {
        let mut searched = 0_usize;
        loop {
            let from = searched.saturating_sub(end.len());
            let rest = self.held.get(from..).unwrap_or_default();
            if let Some(at) = rest.windows(end.len()).position(|window| window == end) {
                let after = self.held.split_off(from + at + end.len());
                return Ok(std::mem::replace(&mut self.held, after));
            }
            searched = self.held.len();
            if searched > most || !self.more()? {
                return Err(Code::ModelBroken);
            }
        }
    }

    fn take_exactly(&mut self, count: usize) -> Result<Vec<u8>, Code> {
        while self.held.len() < count {
            if !self.more()? {
                return Err(Code::ModelBroken);
            }
        }
        let after = self.held.split_off(count);
        Ok(std::mem::replace(&mut self.held, after))
    }

    fn answer(mut self) -> Result<Answered, Code> {
        let head = self.take_through(b"\r\n\r\n", LONGEST_HEAD)?;
        let head = core::str::from_utf8(&head).map_err(|_| Code::ModelBroken)?;
        let mut lines = head.split("\r\n");
        let status = lines
            .next()
            .and_then(|line| line.strip_prefix("HTTP/1."))
            .and_then(|line| line.split(' ').nth(1))
            .and_then(|status| status.parse::<u16>().ok())
            .ok_or(Code::ModelBroken)?;
        if status != 200 {
            // What it says about its error is of no use to us.
            return Ok(Answered { status, body: Vec::new() });
        }
        let header = |name: &str| {
            head.split("\r\n")
                .skip(1)
                .filter_map(|line| line.split_once(':'))
                .find(|(key, _)| key.eq_ignore_ascii_case(name))
                .map(|(_, value)| value.trim().to_ascii_lowercase())
        };
        if header("content-encoding").is_some_and(|coding| coding != "identity") {
            return Err(Code::ModelBroken);
        }
        let body = match (header("transfer-encoding"), header("content-length")) {
            (Some(coding), _) if coding == "chunked" => self.chunks()?,
            (Some(_), _) => return Err(Code::ModelBroken),
            (None, Some(length)) => {
                let length = length.parse::<usize>().map_err(|_| Code::ModelBroken)?;
                if length > LONGEST_REPLY {
                    return Err(Code::ReplyTooLarge);
                }
                self.take_exactly(length)?
            }
            (None, None) => {
                while self.more()? {
                    if self.held.len() > LONGEST_REPLY {
                        return Err(Code::ReplyTooLarge);
                    }
                }
                self.held
            }
        };
        Ok(Answered { status, body })
    }

    fn chunks(&mut self) -> Result<Vec<u8>, Code> {
        let mut body = Vec::new();
        loop {
            let line = self.take_through(b"\r\n", 1024)?;
            let line = core::str::from_utf8(&line).map_err(|_| Code::ModelBroken)?;
            let size = line.trim().split(';').next().unwrap_or_default().trim();
            let size = usize::from_str_radix(size, 16).map_err(|_| Code::ModelBroken)?;
            if size == 0 {
                return Ok(body);
            }
            if size > LONGEST_REPLY || body.len() + size > LONGEST_REPLY {
                return Err(Code::ReplyTooLarge);
            }
            body.append(&mut self.take_exactly(size)?);
            self.take_exactly(2)?;
        }
    }
}
