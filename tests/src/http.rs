//! HTTP as curl speaks it: the bytes that were written are the bytes that are sent. One connection a request.

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::deadline::within;

/// Who asks, and where.
#[derive(Clone, Debug)]
pub struct Client {
    port: u16,
    host: String,
    headers: Vec<(String, String)>,
}

/// What came back.
#[derive(Clone, Debug)]
pub struct Answer {
    /// 200, 404, …
    pub status: u16,
    /// Names in lower case, in the order in which they came.
    pub headers: Vec<(String, String)>,
    /// As it came.
    pub body: Vec<u8>,
}

impl Client {
    /// Somebody without any credential, at `localhost`.
    pub fn anonymous(port: u16) -> Client {
        Client { port, host: format!("localhost:{port}"), headers: Vec::new() }
    }

    /// The same, with a further header on every request.
    #[must_use]
    pub fn with(&self, name: &str, value: &str) -> Client {
        let mut client = self.clone();
        client.headers.retain(|(held, _)| !held.eq_ignore_ascii_case(name));
        client.headers.push((name.to_owned(), value.to_owned()));
        client
    }

    /// The same, without a header.
    #[must_use]
    pub fn without(&self, name: &str) -> Client {
        let mut client = self.clone();
        client.headers.retain(|(held, _)| !held.eq_ignore_ascii_case(name));
        client
    }

    /// The same, asking for another host at the same port.
    #[must_use]
    pub fn at(&self, host: &str) -> Client {
        Client { host: format!("{host}:{}", self.port), ..self.clone() }
    }

    /// What it sends in this header; empty if it does not send it.
    pub fn sent(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(held, _)| held.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str()).unwrap_or_default()
    }

    /// The origin of the host it asks for.
    pub fn origin(&self) -> String {
        format!("http://{}", self.host)
    }

    /// An agent with this token.
    #[must_use]
    pub fn agent(&self, token: &str) -> Client {
        self.with("authorization", &format!("Bearer {token}"))
    }

    /// A person in a browser: opens a page, keeps the cookies it sets, and sends them from that page's origin.
    pub async fn person(&self, page: &str) -> Client {
        let opened = self.get(page).await;
        let cookies: Vec<&str> =
            opened.all("set-cookie").into_iter().filter_map(|cookie| cookie.split(';').next()).collect();
        assert!(!cookies.is_empty(), "{page} set no cookie: {opened:?}");
        self.with("cookie", &cookies.join("; ")).with("origin", &self.origin())
    }

    /// GET.
    pub async fn get(&self, path: &str) -> Answer {
        self.send("GET", path, None).await
    }

    /// POST with a JSON body.
    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send("POST", path, Some(body.to_string().as_bytes())).await
    }

    /// POST with these bytes as the body, said to be JSON.
    pub async fn post_bytes(&self, path: &str, body: &[u8]) -> Answer {
        self.send("POST", path, Some(body)).await
    }

    /// Any request.
    pub async fn send(&self, method: &str, path: &str, body: Option<&[u8]>) -> Answer {
        self.attempt(method, path, body)
            .await
            .unwrap_or_else(|error| panic!("{method} {path}: no answer, {error}"))
    }

    /// As [`Client::send`]; a server that is away is an error.
    pub async fn attempt(&self, method: &str, path: &str, body: Option<&[u8]>) -> Result<Answer, String> {
        let work = async {
            let stream = TcpStream::connect(("127.0.0.1", self.port)).await?;
            let (mut read, mut write) = stream.into_split();
            let request = self.request(method, path, body);
            // A server may answer, and close, before it has read all of a body that it refuses.
            let writing = async {
                let _ = write.write_all(&request).await;
            };
            let mut bytes = Vec::new();
            let reading = read.read_to_end(&mut bytes);
            let ((), read) = tokio::join!(writing, reading);
            if bytes.is_empty() {
                read?;
            }
            Ok::<_, std::io::Error>(bytes)
        };
        let bytes =
            within(&format!("an answer to {method} {path}"), work).await.map_err(|e| e.to_string())?;
        Answer::parse(&bytes).ok_or_else(|| format!("{} bytes that are no answer", bytes.len()))
    }

    fn request(&self, method: &str, path: &str, body: Option<&[u8]>) -> Vec<u8> {
        let mut head = format!("{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n", self.host);
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if let Some(body) = body {
            if !self.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type")) {
                head.push_str("content-type: application/json\r\n");
            }
            head.push_str(&format!("content-length: {}\r\n", body.len()));
        }
        head.push_str("\r\n");
        let mut bytes = head.into_bytes();
        bytes.extend_from_slice(body.unwrap_or_default());
        bytes
    }
}

impl Answer {
    fn parse(bytes: &[u8]) -> Option<Answer> {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
        let head = std::str::from_utf8(&bytes[..end]).ok()?;
        let mut lines = head.split("\r\n");
        let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        let headers: Vec<(String, String)> = lines
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.trim().to_ascii_lowercase(), value.trim().to_owned()))
            .collect();
        let mut body = bytes[end + 4..].to_vec();
        if headers.iter().any(|(name, value)| name == "transfer-encoding" && value.contains("chunked")) {
            body = whole(&body)?;
        }
        Some(Answer { status, headers, body })
    }

    /// The first header of this name, empty if there is none.
    pub fn header(&self, name: &str) -> &str {
        self.all(name).first().copied().unwrap_or_default()
    }

    /// All headers of this name.
    pub fn all(&self, name: &str) -> Vec<&str> {
        let of_name = self.headers.iter().filter(|(held, _)| held == name);
        of_name.map(|(_, value)| value.as_str()).collect()
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON; null if it is not.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// The body as JSON, after checking the status.
    pub fn ok(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text());
        self.json()
    }

    /// Checks that this is a refusal with this status and code, and a sentence.
    pub fn refused(&self, status: u16, code: &str) {
        let body = self.json();
        assert!(
            self.status == status && body["error"] == code,
            "expected {status} {code}, got {} {}",
            self.status,
            self.text()
        );
        let reason = body["reason"].as_str().unwrap_or_default();
        assert!(reason.ends_with('.'), "{code} has no sentence: {reason:?}");
    }
}

fn whole(mut chunked: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let line = chunked.windows(2).position(|window| window == b"\r\n")?;
        let size = std::str::from_utf8(&chunked[..line]).ok()?.split(';').next()?;
        let size = usize::from_str_radix(size.trim(), 16).ok()?;
        let data = line + 2;
        if size == 0 {
            return Some(body);
        }
        body.extend_from_slice(chunked.get(data..data + size)?);
        chunked = chunked.get(data + size + 2..)?;
    }
}
