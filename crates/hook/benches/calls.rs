//! One call of a hook, the whole process, beside the same notice under Node in the same run: `cargo bench -p hook`.
#![expect(clippy::unwrap_used, reason = "a measurement ends where its set-up fails")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

const RESULT: &str = include_str!("../tests/events/post-mcp-blocks.json");
const CALL: &str = include_str!("../tests/events/pre-tool-use.json");

fn main() {
    let home = tempfile::tempdir().unwrap();
    let hook = env!("CARGO_BIN_EXE_quarantine-hook");
    let glass = [hook, "post-tool-use", "--security-dir", "security"];
    registry(home.path(), &instant_model());
    let notice = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/notice.cjs");
    let notice = notice.to_string_lossy().into_owned();
    let unlisted = RESULT.replace("mcp__zendesk__get_ticket", "Edit");
    let sealed = RESULT.replace("mcp__zendesk__get_ticket", "mcp__zendesk__sealed");
    let reference = CALL.replace("Thank you.", "See $TC42_BODY");

    // Each in turn, round by round, so that a busy moment of the machine meets all of them.
    let mut jobs = [
        Job::new("advise, notice given", &[hook, "post-tool-use"], RESULT),
        Job::new("advise, tool not looked at", &[hook, "post-tool-use"], &unlisted),
        Job::new("extract, instant model on this machine", &glass, RESULT),
        Job::new("extract, sealed as one reference", &glass, &sealed),
        Job::new(
            "reference resolved before a tool",
            &[hook, "pre-tool-use", "--security-dir", "security"],
            &reference,
        ),
        Job::new("the same notice under Node", &["node", &notice], RESULT),
        Job::new("node -e 0", &["node", "-e", "0"], ""),
    ];
    for round in 0..60 {
        for job in jobs.iter_mut().filter(|job| round % 2 == 0 || !job.words.contains(&"node".to_owned())) {
            job.run(home.path());
        }
    }
    let ours = jobs[0].median();
    println!("{:<42} {:>9} {:>9} {:>9}", "whole process, ms", "median", "p90", "least");
    for job in &jobs {
        println!("{job}");
    }
    if let Some(node) = jobs[5].median() {
        let ratio = node.as_secs_f64() / ours.unwrap_or_default().as_secs_f64();
        println!("\nNode / ours: {ratio:.1}");
    } else {
        println!("\nnode is not on the path: there is nothing to compare with");
    }
    let started = Instant::now();
    let mut hundred = Job::new("", &[hook, "post-tool-use"], RESULT);
    (0..100).for_each(|_| hundred.run(home.path()));
    println!("100 calls one after another: {:.0} ms", started.elapsed().as_secs_f64() * 1000.0);
}

struct Job {
    name: String,
    words: Vec<String>,
    event: String,
    times: Vec<Duration>,
}

impl Job {
    fn new(name: &str, words: &[&str], event: &str) -> Self {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        Self { name: name.to_owned(), words, event: event.to_owned(), times: Vec::new() }
    }

    fn run(&mut self, home: &Path) {
        let started = Instant::now();
        let child = Command::new(&self.words[0])
            .args(&self.words[1..])
            .env("HOME", home)
            .current_dir(home)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let Ok(mut child) = child else { return };
        let _ = child.stdin.take().unwrap().write_all(self.event.as_bytes());
        let output = child.wait_with_output().unwrap();
        self.times.push(started.elapsed());
        assert!(output.status.success());
        let quiet = self.event.is_empty() || self.event.contains("\"Edit\"");
        assert_eq!(
            output.stdout.is_empty(),
            quiet,
            "{}: {}",
            self.name,
            String::from_utf8_lossy(&output.stdout)
        );
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(!said.contains("withheld") && !said.contains("deny"), "{}: {said}", self.name);
    }

    fn at(&self, part: f64) -> Option<Duration> {
        let mut times = self.times.clone();
        times.sort();
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a place in a short list"
        )]
        let place = (times.len() as f64 * part) as usize;
        times.get(place.min(times.len().saturating_sub(1))).copied()
    }

    fn median(&self) -> Option<Duration> {
        self.at(0.5)
    }
}

impl std::fmt::Display for Job {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ms = |time: Option<Duration>| {
            time.map_or_else(|| "-".to_owned(), |time| format!("{:.2}", time.as_secs_f64() * 1000.0))
        };
        write!(f, "{:<42} {:>9} {:>9} {:>9}", self.name, ms(self.at(0.5)), ms(self.at(0.9)), ms(self.at(0.0)))
    }
}

fn registry(home: &Path, url: &str) {
    let folder = home.join("security");
    std::fs::create_dir(&folder).unwrap();
    let listed = json!({
        "post_tool_use": {
            "mcp__zendesk__get_ticket": {"config": "ticket.toml", "prefix_from": "ticket_id"},
            "mcp__zendesk__sealed": {"config": "sealed.toml", "prefix_from": "ticket_id"},
        },
        "pre_tool_use": {"mcp__zendesk__reply": {}},
    });
    std::fs::write(folder.join("tool-registry.json"), listed.to_string()).unwrap();
    std::fs::write(folder.join("ticket.toml"), format!("api_url = \"{url}\"\nmodel = \"instant\"\n"))
        .unwrap();
    let fields = "[urgent]\ntype = \"boolean\"\n[category]\ntype = \"enum\"\nvalues = [\"refund\", \"other\"]\n[body]\ntype = \"text\"\n";
    std::fs::write(folder.join("ticket.fields.toml"), fields).unwrap();
    std::fs::write(folder.join("sealed.toml"), "").unwrap();
}

/// A model that answers at once with the same fields.
fn instant_model() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1/chat/completions", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let _ = answer(stream);
        }
    });
    url
}

fn answer(mut stream: TcpStream) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let (mut line, mut length) = (String::new(), 0);
    while reader.read_line(&mut line)? > 2 {
        if let Some(value) = line.strip_prefix("Content-Length: ") {
            length = value.trim().parse().unwrap();
        }
        line.clear();
    }
    reader.read_exact(&mut vec![0; length])?;
    let content = r#"{"urgent":false,"category":"refund","body":"The mug arrived broken."}"#;
    let body = json!({"choices": [{"message": {"content": content}, "finish_reason": "stop"}]}).to_string();
    write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len())
}
