//! A desk of the test's own: the real program, its own port, its own data.

pub mod binary;
pub mod disk;
pub mod people;
pub mod postgres;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;

use tempfile::TempDir;

use crate::deadline::DEADLINE;
use crate::http::Client;

/// How a desk is started.
#[derive(Debug)]
pub struct Settings {
    arguments: Vec<String>,
    database: Option<String>,
    data: Option<PathBuf>,
}

/// A desk.
#[derive(Debug)]
pub struct Desk {
    settings: Settings,
    folder: TempDir,
    running: Option<Running>,
    port: u16,
}

#[derive(Debug)]
struct Running {
    child: Child,
    /// What it said after the first line, if anything.
    said: mpsc::Receiver<String>,
}

impl Settings {
    /// The demonstration, on SQLite.
    pub fn demo() -> Settings {
        Settings { arguments: Vec::new(), database: None, data: None }
    }

    /// With a further flag.
    #[must_use]
    pub fn flag(mut self, flag: &str, value: &str) -> Settings {
        self.arguments.extend([flag.to_owned(), value.to_owned()]);
        self
    }

    /// On this database.
    #[must_use]
    pub fn database(mut self, url: String) -> Settings {
        self.database = Some(url);
        self
    }

    /// With its data in a folder of the test's choice.
    #[must_use]
    pub fn data(mut self, folder: &Path) -> Settings {
        self.data = Some(folder.join("data"));
        self
    }

    /// Starts it, and waits until it says that it is ready.
    pub fn start(self) -> Desk {
        let folder = TempDir::with_prefix("quarantine-desk-").expect("a folder for the desk");
        let mut desk = Desk { settings: self, folder, running: None, port: 0 };
        desk.start();
        desk
    }
}

impl Desk {
    /// The demonstration, on SQLite, started.
    pub fn demo() -> Desk {
        Settings::demo().start()
    }

    /// Starts it again, on the same port and data.
    pub fn start(&mut self) {
        if let Err(why) = self.try_start() {
            panic!("{why}\n{}", self.logged());
        }
    }

    /// As [`Desk::start`]; that it ends without being ready is an error.
    pub fn try_start(&mut self) -> Result<(), String> {
        assert!(self.running.is_none(), "the desk runs already");
        let mut child = Command::new(binary::quarantine())
            .args(["serve", "--listen", &format!("127.0.0.1:{}", self.port)])
            .arg("--data")
            .arg(self.data())
            .args(self.settings.database.iter().flat_map(|url| ["--database", url.as_str()]))
            .args(&self.settings.arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(self.log())
            .spawn()
            .expect("the desk starts");
        let said = lines(&mut child);
        let Ok(ready) = said.recv_timeout(DEADLINE) else {
            let _ = child.kill();
            let _ = child.wait();
            return Err("the desk did not say that it is ready".to_owned());
        };
        let port = ready.strip_prefix("Quarantine is listening on http://localhost:");
        let port = port.and_then(|port| port.trim().parse().ok());
        self.running = Some(Running { child, said });
        self.port = port.ok_or_else(|| format!("the desk said {ready:?}"))?;
        Ok(())
    }

    fn log(&self) -> Stdio {
        let log = std::fs::OpenOptions::new().create(true).append(true).open(self.folder.path().join("log"));
        log.map_or_else(|_| Stdio::null(), Stdio::from)
    }

    /// All that it wrote to its log so far.
    pub fn logged(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    /// Its data folder.
    pub fn data(&self) -> PathBuf {
        self.settings.data.clone().unwrap_or_else(|| self.folder.path().join("data"))
    }

    /// The next line it says after the one that says it is ready.
    pub fn says(&self) -> String {
        let running = self.running.as_ref().expect("the desk runs");
        running.said.recv_timeout(DEADLINE).expect("the desk says one line more")
    }

    /// Its process, for measuring.
    pub fn process(&self) -> u32 {
        self.running.as_ref().expect("the desk runs").child.id()
    }

    /// Ends it at once, in whatever it is doing.
    pub fn kill(&mut self) {
        if let Some(mut running) = self.running.take() {
            let _ = running.child.kill();
            let _ = running.child.wait();
        }
    }

    /// The port it listens on.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// A page's address.
    pub fn url(&self, path: &str) -> String {
        format!("http://localhost:{}{path}", self.port)
    }

    /// The address of a page of the console.
    pub fn console(&self, path: &str) -> String {
        format!("http://console.localhost:{}{path}", self.port)
    }

    /// Somebody without any credential.
    pub fn client(&self) -> Client {
        Client::anonymous(self.port)
    }

    /// A command of the same program, on the same data.
    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(binary::quarantine());
        command.args(words).current_dir(self.folder.path());
        command
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        self.kill();
        if std::thread::panicking() {
            eprintln!("the desk's log:\n{}", self.logged());
        }
    }
}

fn lines(child: &mut Child) -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    let stdout = child.stdout.take().expect("the desk's output");
    std::thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    receiver
}

/// The folder of the workspace.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace")
}
