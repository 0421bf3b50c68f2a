//! A server that is a program: started in a process group of its own, so that it goes with everything it started.

use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWriteExt as _, BufReader};
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::mpsc;

use super::connection::{Connection, FromServer, Wire};
use super::lines::{self, Line};
use crate::config::{Launch, Limits};

/// How long a program may take to end by itself once its input is closed.
const GRACE: Duration = Duration::from_millis(1500);

/// Starts a program and gives the connection to it.
///
/// # Errors
/// It can't be started.
pub(super) fn start(
    name: &str,
    launch: &Launch,
    limits: Limits,
    said: mpsc::Sender<FromServer>,
) -> std::io::Result<Connection> {
    let mut command = Command::new(&launch.command);
    command
        .args(&launch.args)
        .envs(&launch.env)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    if let Some(cwd) = &launch.cwd {
        command.current_dir(cwd);
    }
    #[cfg(unix)]
    command.process_group(0);
    let mut child = command.spawn()?;
    let missing = || std::io::Error::other("a pipe is missing");
    let stdin = child.stdin.take().ok_or_else(missing)?;
    let stdout = child.stdout.take().ok_or_else(missing)?;
    let stderr = child.stderr.take().ok_or_else(missing)?;
    let (lines, to_write) = mpsc::channel(256);
    let connection = Connection::new(Wire::Lines(lines), limits, said);
    tokio::spawn(write(stdin, to_write, connection.clone()));
    tokio::spawn(read(stdout, connection.clone()));
    tokio::spawn(pass_on(stderr, name.to_owned()));
    tokio::spawn(attend(child, connection.clone()));
    Ok(connection)
}

async fn write(mut stdin: ChildStdin, mut lines: mpsc::Receiver<String>, connection: Connection) {
    loop {
        let line = tokio::select! {
            line = lines.recv() => line,
            _ = connection.closed() => None,
        };
        let Some(mut line) = line else { break };
        // Between its strings a JSON text may have line ends; here a line is a message.
        if line.contains(['\n', '\r']) {
            line = line.replace(['\n', '\r'], " ");
        }
        line.push('\n');
        let sent = tokio::select! {
            sent = stdin.write_all(line.as_bytes()) => sent,
            _ = connection.closed() => break,
        };
        if sent.is_err() {
            connection.close("it no longer reads its input");
            break;
        }
    }
}

async fn read(stdout: impl AsyncRead + Unpin, connection: Connection) {
    let mut stdout = BufReader::with_capacity(16 * 1024, stdout);
    let mut buffer = Vec::new();
    let longest = connection.limits().message_bytes;
    loop {
        let line = tokio::select! {
            line = lines::next(&mut stdout, longest, &mut buffer) => line,
            _ = connection.closed() => break,
        };
        match line {
            Ok(Line::Text(text)) if text.trim().is_empty() => {}
            Ok(Line::Text(text)) => connection.take(&text),
            Ok(Line::NotText) => connection.nonsense(),
            Ok(Line::TooLong) => connection.close("it sent a message larger than the limit"),
            Ok(Line::End) | Err(_) => connection.close("it stopped"),
        }
    }
}

/// What a server writes to its standard error goes to ours, as it would without us; at most 200 lines in a row.
async fn pass_on(stderr: impl AsyncRead + Unpin, name: String) {
    let mut stderr = BufReader::new(stderr);
    let mut buffer = Vec::new();
    let bucket = super::bucket::Bucket::new(200);
    loop {
        match lines::next(&mut stderr, 64 * 1024, &mut buffer).await {
            Ok(Line::Text(text)) => {
                if bucket.take() {
                    eprintln!("[{name}] {}", detect::visible(&text));
                }
            }
            Ok(Line::NotText) => {}
            Ok(Line::TooLong) => {
                // The rest is thrown away without being kept.
                let _ = tokio::io::copy(&mut stderr, &mut tokio::io::sink()).await;
                break;
            }
            Ok(Line::End) | Err(_) => break,
        }
    }
}

async fn attend(mut child: Child, connection: Connection) {
    #[cfg(unix)]
    let group = child.id().and_then(|id| i32::try_from(id).ok());
    let ended = tokio::select! {
        _ = child.wait() => true,
        _ = connection.closed() => false,
    };
    if ended {
        connection.close("it stopped");
    } else if tokio::time::timeout(GRACE, child.wait()).await.is_err() {
        let _ = child.start_kill();
    }
    // What it started and left behind goes too.
    #[cfg(unix)]
    if let Some(group) = group.and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.wait().await;
    connection.set_gone();
}
