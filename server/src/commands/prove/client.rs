//! A blocking HTTP client that has a page's cookie and, where there is one, an approver's.

use std::thread;
use std::time::Duration;

use http::header;
use proof::door::{Answer, Method, Request, Trouble};
use proof::over_http::{Credential, Transport};
use ureq::Agent;

/// How often a request that came too soon is sent again.
const TRIES: u32 = 10;

/// The longest a request may take.
const LONGEST: Duration = Duration::from_secs(60);

/// Who approves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Approval {
    /// Nobody.
    Nobody,
    /// The person at the page.
    Page,
    /// Whoever signs in to the console with this code.
    Console(String),
}

/// The client.
#[derive(Debug)]
pub(super) struct Client {
    agent: Agent,
    desk: Place,
    /// The page's cookie.
    page: String,
    approver: Option<(Place, String)>,
}

/// A host, and where it is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    /// Scheme and host, as the desk knows itself.
    origin: String,
    /// Scheme and host to connect to.
    reached: String,
}

impl Client {
    /// Opens the desk's page and signs in.
    pub(super) fn open(url: &str, approval: Approval) -> Result<Client, String> {
        let origin = url.trim_end_matches('/').to_owned();
        let host = origin.split_once("://").map(|(_, host)| host).unwrap_or_default();
        if host.is_empty() || host.contains('/') {
            return Err(String::from("--url takes a desk's address, for example http://localhost:8080."));
        }
        let here = ["localhost", "127.0.0.1", "[::1]"].iter().any(|name| host.starts_with(name));
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_global(Some(LONGEST));
        // What is on this machine is not asked for through a proxy.
        let agent = if here { config.proxy(None).build() } else { config.build() }.new_agent();
        let desk = Place { reached: origin.clone(), origin };
        let mut client = Client { agent, desk, page: String::new(), approver: None };
        let opened = client.page()?;
        match approval {
            Approval::Nobody => {}
            Approval::Page => client.approver = Some((client.desk.clone(), client.page.clone())),
            Approval::Console(code) => client.sign_in(&console_of(&opened, &client.desk), &code)?,
        }
        Ok(client)
    }

    /// Opens `/` and keeps the cookie of a new visitor; gives the page.
    fn page(&mut self) -> Result<String, String> {
        let request = http::Request::get(format!("{}/", self.desk.reached)).body(());
        let request = request.map_err(|_| String::from("--url is not an address."))?;
        let mut answer =
            self.agent.run(request).map_err(|error| format!("The desk can't be reached: {error}."))?;
        self.page = cookie(answer.headers())
            .ok_or_else(|| String::from("No desk answers at this address: it gave no page cookie."))?;
        answer.body_mut().read_to_string().map_err(|error| format!("The desk's page can't be read: {error}."))
    }

    fn sign_in(&mut self, console: &Place, code: &str) -> Result<(), String> {
        let request = http::Request::post(format!("{}/sign-in", console.reached))
            .header(header::HOST, host(&console.origin))
            .header(header::ORIGIN, &console.origin)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(format!("code={code}"))
            .map_err(|_| String::from("--approver is not the code of a sign-in link."))?;
        let answer =
            self.agent.run(request).map_err(|error| format!("The console can't be reached: {error}."))?;
        let cookie = cookie(answer.headers()).ok_or_else(|| {
            String::from("The console did not accept this sign-in code: it is wrong, used up, or too old.")
        })?;
        self.approver = Some((console.clone(), cookie));
        Ok(())
    }

    fn once(&self, credential: &Credential, request: &Request) -> Result<(Answer, u64), Trouble> {
        let approver = self.approver.as_ref();
        let (place, cookie) = match (credential, approver) {
            (Credential::Approver, Some((place, cookie))) => (place, Some(cookie)),
            (Credential::Page, _) => (&self.desk, Some(&self.page)),
            _ => (&self.desk, None),
        };
        let mut sent = http::Request::builder()
            .method(request.method.as_str())
            .uri(format!("{}{}", place.reached, request.path))
            .header(header::HOST, host(&place.origin));
        if let Credential::Token(token) = credential {
            sent = sent.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        if let Some(cookie) = cookie {
            sent = sent.header(header::COOKIE, cookie).header(header::ORIGIN, &place.origin);
        }
        for (name, value) in &request.headers {
            sent = sent.header(name, value);
        }
        let unwritable = |_| Trouble(String::from("A request can't be written."));
        let answered = match (request.method, &request.body) {
            (Method::Post, body) => {
                let body = body.clone().unwrap_or_default();
                let sent = sent.header(header::CONTENT_TYPE, "application/json").body(body);
                self.agent.run(sent.map_err(unwritable)?)
            }
            (Method::Get, _) => self.agent.run(sent.body(()).map_err(unwritable)?),
        };
        let mut answer = answered.map_err(|error| Trouble(format!("The desk did not answer: {error}.")))?;
        let wait = answer.headers().get(header::RETRY_AFTER).and_then(|value| value.to_str().ok());
        let wait = wait.and_then(|seconds| seconds.parse().ok()).unwrap_or(1);
        let body = answer.body_mut().read_to_string();
        let body = body.map_err(|error| Trouble(format!("An answer broke off: {error}.")))?;
        Ok((Answer { status: answer.status().as_u16(), body }, wait))
    }
}

impl Transport for Client {
    async fn carry(&self, credential: &Credential, request: &Request) -> Result<Answer, Trouble> {
        for _ in 0..TRIES {
            let (answer, wait) = self.once(credential, request)?;
            if answer.status != 429 {
                return Ok(answer);
            }
            thread::sleep(Duration::from_secs(wait.min(10)));
        }
        Err(Trouble(String::from("The desk says that too many requests come from here.")))
    }

    fn cannot_approve(&self) -> Option<String> {
        let why = "nobody approves; --approver names who does";
        self.approver.is_none().then(|| String::from(why))
    }
}

/// The first cookie that is set, as it is sent back.
fn cookie(headers: &http::HeaderMap) -> Option<String> {
    let set = headers.get(header::SET_COOKIE)?.to_str().ok()?;
    let pair = set.split(';').next()?.trim();
    pair.contains('=').then(|| pair.to_owned())
}

fn host(origin: &str) -> &str {
    origin.split_once("://").map_or(origin, |(_, host)| host)
}

/// The console, as the desk's page names it; else the desk's host with `console.` before it.
fn console_of(page: &str, desk: &Place) -> Place {
    let named = page
        .split_once("name=\"quarantine-console\" content=\"")
        .and_then(|(_, rest)| rest.split('"').next());
    let origin = match named.filter(|origin| !origin.is_empty()) {
        Some(origin) => origin.trim_end_matches('/').to_owned(),
        None => desk.origin.replacen("://", "://console.", 1),
    };
    // Names below `localhost` are this machine's, also where its resolver does not say so.
    let name = host(&origin).split(':').next().unwrap_or_default();
    let reached = if name.ends_with(".localhost") { desk.reached.clone() } else { origin.clone() };
    Place { origin, reached }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_console_is_where_the_page_says() {
        let desk =
            Place { origin: "http://localhost:8080".to_owned(), reached: "http://localhost:8080".to_owned() };
        let named = "<meta name=\"quarantine-console\" content=\"https://approve.example\">";
        let console = console_of(named, &desk);
        assert_eq!(
            (console.origin.as_str(), console.reached.as_str()),
            ("https://approve.example", "https://approve.example")
        );
        let console = console_of("", &desk);
        assert_eq!(console.origin, "http://console.localhost:8080");
        assert_eq!(console.reached, "http://localhost:8080");
    }

    #[test]
    fn an_address_without_a_host_is_refused() {
        for url in ["localhost:8080", "http://", "http://a/b", ""] {
            assert!(Client::open(url, Approval::Nobody).is_err(), "{url}");
        }
    }
}
