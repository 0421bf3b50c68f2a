//! A PostgreSQL server of the tests' own: one a test program, a database for each desk.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use tempfile::TempDir;
use tokio::sync::OnceCell;

use crate::deadline::until;
use crate::programs;

// As the browser's keeper: the server stops when the tests do, however they do.
const KEEPER: &str = r#"
data="$1"; shift
"$@" >/dev/null 2>&1 </dev/null &
server=$!
cat >/dev/null
kill -INT "$server" 2>/dev/null
wait "$server" 2>/dev/null
rm -rf "$data"
"#;

/// A running server.
#[derive(Debug)]
pub struct Postgres {
    programs: PathBuf,
    port: u16,
    next: AtomicU32,
    keeper: Child,
}

impl Postgres {
    /// The server that all tests of this program share, or none (and a line that says so) where it is not installed.
    pub async fn shared() -> Option<&'static Postgres> {
        static SERVER: OnceCell<Option<Postgres>> = OnceCell::const_new();
        let found = SERVER.get_or_init(Postgres::start).await.as_ref();
        if found.is_none() {
            programs::missing("PostgreSQL");
        }
        found
    }

    async fn start() -> Option<Postgres> {
        let programs = programs::postgres()?;
        let folder = TempDir::with_prefix("quarantine-postgres-").expect("a folder for the database").keep();
        let data = folder.join("data");
        if is_root() {
            done(Command::new("chown").arg("postgres").arg(&folder));
        }
        done(
            as_postgres(&programs.join("initdb"))
                .args(["--auth=trust", "--username=postgres", "--no-sync", "--no-instructions", "-D"])
                .arg(&data),
        );
        let port = std::net::TcpListener::bind(("127.0.0.1", 0))
            .and_then(|listener| listener.local_addr())
            .expect("a free port")
            .port();
        let server = as_postgres(&programs.join("postgres"));
        let keeper = Command::new("sh")
            .args(["-c", KEEPER, "keeper"])
            .arg(&folder)
            .arg(server.get_program())
            .args(server.get_args())
            .arg("-D")
            .arg(&data)
            .args(["-h", "127.0.0.1", "-p", &port.to_string()])
            .args(["-c", "unix_socket_directories=", "-c", "max_connections=200"])
            // The user postgres may not be allowed to look at the folder of the workspace.
            .current_dir("/")
            .stdin(Stdio::piped())
            .spawn()
            .expect("a shell to start PostgreSQL");
        let server = Postgres { programs, port, next: AtomicU32::new(0), keeper };
        until("PostgreSQL to answer", || async { server.sql("select 1").then_some(()) }).await;
        Some(server)
    }

    /// A database of its own, as `postgres://…`.
    pub fn database(&self) -> String {
        let name = format!("desk{}", self.next.fetch_add(1, Ordering::Relaxed));
        assert!(self.sql(&format!("create database {name}")), "the database {name} was not made");
        format!("postgres://postgres@127.0.0.1:{}/{name}", self.port)
    }

    fn sql(&self, statement: &str) -> bool {
        let own = self.programs.join("psql");
        let psql = if own.is_file() { own } else { "psql".into() };
        Command::new(psql)
            .args(["-h", "127.0.0.1", "-p", &self.port.to_string(), "-U", "postgres", "-qc", statement])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// PostgreSQL refuses to run as root; Debian's package brings a user for it.
fn as_postgres(program: &Path) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=postgres", "--regid=postgres", "--init-groups"]).arg(program);
    command.current_dir("/");
    command
}

fn done(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}
