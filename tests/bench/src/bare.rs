//! The reference: one axum handler that answers fixed JSON, as a process of its own.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use axum::routing::get;
use axum::{Json, Router};
use serde_json::Value;

/// Serves what is read from standard input, and says its port.
pub(crate) fn serve() {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).expect("the answer to give");
    let answer: Value = serde_json::from_str(&line).expect("JSON");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let app = Router::new().route("/", get(move || std::future::ready(Json(answer.clone()))));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        println!("{}", listener.local_addr().expect("a port").port());
        axum::serve(listener, app).await.expect("it serves");
    });
}

/// That process, from outside.
pub(crate) struct Bare {
    child: Child,
    pub(crate) port: u16,
}

impl Bare {
    pub(crate) fn start(answer: &Value) -> Bare {
        use std::io::Write;
        let mut child = Command::new(std::env::current_exe().expect("this program"))
            .arg("bare")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        writeln!(child.stdin.as_mut().expect("its input"), "{answer}").expect("it listens");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("its output"))
            .read_line(&mut line)
            .expect("it says its port");
        Bare { port: line.trim().parse().expect("a port"), child }
    }

    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Resident memory of a process in KiB.
pub(crate) fn resident(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).unwrap_or(0)
}
