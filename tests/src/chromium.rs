//! Chromium, started for the tests: one with WebMCP and one without, each shared by all tests of a program.

use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::json;
use tempfile::TempDir;
use tokio::sync::OnceCell;

use crate::cdp::{Cdp, Session};
use crate::deadline::until;
use crate::page::Page;
use crate::programs;

/// Whether pages find `document.modelContext`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WebMcp {
    /// They do.
    On,
    /// They do not, as in most people's browsers.
    Off,
}

// The shell stands between, so that the browser goes when the tests go, however they go: it reads until our end of the
// pipe closes.
const KEEPER: &str = r#"
profile="$1"; shift
"$@" >/dev/null 2>&1 </dev/null &
browser=$!
cat >/dev/null
kill "$browser" 2>/dev/null
wait "$browser" 2>/dev/null
# Its child processes may write for a moment longer.
for second in 0 1 1 1; do
  sleep "$second"
  rm -rf "$profile" 2>/dev/null
  [ -e "$profile" ] || break
done
"#;

/// A running browser.
#[derive(Debug)]
pub struct Chromium {
    browser: Session,
    websocket: String,
    keeper: Child,
}

impl Chromium {
    /// The browser that all tests of this program share, or none (and a line that says so) where there is no Chromium.
    pub async fn shared(webmcp: WebMcp) -> Option<&'static Chromium> {
        static ON: OnceCell<Option<Chromium>> = OnceCell::const_new();
        static OFF: OnceCell<Option<Chromium>> = OnceCell::const_new();
        let cell = if webmcp == WebMcp::On { &ON } else { &OFF };
        let found = cell.get_or_init(|| Chromium::start(webmcp)).await.as_ref();
        if found.is_none() {
            programs::missing("Chromium");
        }
        found
    }

    /// A browser of one's own, with a fresh profile.
    pub async fn start(webmcp: WebMcp) -> Option<Chromium> {
        let program = programs::chromium()?;
        let profile = TempDir::with_prefix("quarantine-chromium-").expect("a folder for the profile").keep();
        let keeper = Command::new("sh")
            .args(["-c", KEEPER, "keeper"])
            .arg(&profile)
            .arg(program)
            .args(arguments(webmcp))
            .arg(format!("--user-data-dir={}", profile.display()))
            .stdin(Stdio::piped())
            .spawn()
            .expect("a shell to start the browser");
        let websocket = until("the browser to open its debugging port", || async { address(&profile) }).await;
        let browser = Cdp::connect(&websocket).await.browser();
        Some(Chromium { browser, websocket, keeper })
    }

    /// The address of the debugging port, for clients that nobody here wrote.
    pub fn websocket(&self) -> &str {
        &self.websocket
    }

    /// The browser's own session.
    pub fn session(&self) -> &Session {
        &self.browser
    }

    /// The profile it was started with: the only one that some clients look at.
    pub fn own_profile(&self) -> Profile {
        Profile { browser: self.browser.clone(), context: None }
    }

    /// A profile of its own in this browser: its cookies, storage and cache are shared with no other test.
    pub async fn profile(&self) -> Profile {
        let made = self.browser.must("Target.createBrowserContext", json!({"disposeOnDetach": true})).await;
        let context = made["browserContextId"].as_str().map(str::to_owned);
        Profile { browser: self.browser.clone(), context }
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}

fn arguments(webmcp: WebMcp) -> Vec<&'static str> {
    let mut arguments = vec![
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--remote-debugging-port=0",
        "--window-size=1280,900",
    ];
    arguments.push(match webmcp {
        WebMcp::On => "--enable-features=WebMCP",
        // Some builds have it on by themselves.
        WebMcp::Off => "--disable-features=WebMCP,WebMCPTesting",
    });
    arguments
}

fn address(profile: &Path) -> Option<String> {
    let text = std::fs::read_to_string(profile.join("DevToolsActivePort")).ok()?;
    let (port, path) = text.split_once('\n')?;
    path.starts_with("/devtools/").then(|| format!("ws://127.0.0.1:{}{}", port.trim(), path.trim()))
}

/// A browser profile: what one person's browser is.
#[derive(Debug)]
pub struct Profile {
    browser: Session,
    context: Option<String>,
}

impl Profile {
    /// A new tab, still empty.
    pub async fn tab(&self) -> Page {
        let mut tab = json!({"url": "about:blank"});
        if let Some(context) = &self.context {
            tab["browserContextId"] = json!(context);
        }
        let made = self.browser.must("Target.createTarget", tab).await;
        let target = made["targetId"].as_str().unwrap_or_default().to_owned();
        Page::attach(&self.browser, target).await
    }

    /// A new tab that shows this address.
    pub async fn open(&self, url: &str) -> Page {
        let page = self.tab().await;
        page.goto(url).await;
        page
    }
}

impl Drop for Profile {
    fn drop(&mut self) {
        // Not waited for: the browser closes the tabs of this profile by itself.
        if let Some(context) = &self.context {
            drop(self.browser.send("Target.disposeBrowserContext", json!({"browserContextId": context})));
        }
    }
}
