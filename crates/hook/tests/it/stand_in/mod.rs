//! A stand-in for a reading model: a process of its own on this machine, which speaks the protocol, really reads the text,
//! and can be steered or broken in every way we know.

mod extractor;
mod mode;
mod serve;

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

pub(crate) use mode::Mode;

/// The running process.
pub(crate) struct StandIn {
    url: String,
    child: Child,
}

impl StandIn {
    /// Starts this test program again as the stand-in. It ends when this process does.
    fn start() -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["stand_in::process_of_its_own", "--exact", "--ignored", "--nocapture"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let url =
            lines.find_map(|line| line.unwrap().strip_prefix("listening on ").map(str::to_owned)).unwrap();
        // Whatever else it prints is read, so that it never waits for a reader.
        std::thread::spawn(move || lines.for_each(drop));
        Self { url, child }
    }

    /// The one of this test run.
    pub(crate) fn shared() -> &'static Self {
        static SHARED: OnceLock<StandIn> = OnceLock::new();
        SHARED.get_or_init(Self::start)
    }

    pub(crate) fn url(&self) -> &str {
        assert!(self.child.id() > 0);
        &self.url
    }
}

#[test]
#[ignore = "the stand-in's own process, started by the tests that ask it"]
fn process_of_its_own() {
    serve::until_stdin_ends();
}
