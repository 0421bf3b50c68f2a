//! A PostgreSQL server of the tests' own: one a test program, a fresh database for each test.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::OnceCell;

// The server stops when the tests do, however they do: its keeper reads from a pipe that closes then.
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
pub(crate) struct Postgres {
    programs: PathBuf,
    port: u16,
    next: AtomicU32,
    _keeper: Child,
}

impl Postgres {
    /// The server that all tests share; none, and a line that says so, where it is not installed.
    pub(crate) async fn shared() -> Option<&'static Postgres> {
        static SERVER: OnceCell<Option<Postgres>> = OnceCell::const_new();
        let found = SERVER.get_or_init(|| async { Postgres::start() }).await.as_ref();
        if found.is_none() {
            missing();
        }
        found
    }

    fn start() -> Option<Postgres> {
        let programs = programs()?;
        let folder =
            tempfile::TempDir::with_prefix("quarantine-postgres-").expect("a folder for the database").keep();
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
            // Nobody pulls the plug here, so that nothing has to wait for the disk.
            .args(["-c", "unix_socket_directories=", "-c", "max_connections=400", "-c", "fsync=off"])
            .current_dir("/")
            .stdin(Stdio::piped())
            .spawn()
            .expect("a shell to start PostgreSQL");
        let server = Postgres { programs, port, next: AtomicU32::new(0), _keeper: keeper };
        let started = Instant::now();
        while !server.sql("select 1") {
            assert!(started.elapsed() < Duration::from_secs(60), "PostgreSQL does not answer");
            std::thread::yield_now();
        }
        Some(server)
    }

    /// A database of its own, as `postgres://…`.
    pub(crate) fn database(&self) -> String {
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

/// The folder of the server's programs: beside `initdb` on the path, or where Debian puts them.
fn programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let on_path =
        std::env::split_paths(&path).map(|folder| folder.join("initdb")).find(|file| file.is_file());
    if let Some(initdb) = on_path.and_then(|link| link.canonicalize().ok()) {
        return initdb.parent().map(Path::to_path_buf);
    }
    let mut found: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path().join("bin")))
        .filter(|folder| folder.join("initdb").is_file())
        .collect();
    found.sort();
    found.pop()
}

/// Says that a test was not run. Under `QUARANTINE_TESTS=all` what is missing is a failure.
fn missing() {
    use std::io::Write as _;
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    assert!(std::env::var_os("QUARANTINE_TESTS").is_none_or(|value| value != "all"), "PostgreSQL is missing");
    // Past the harness, which swallows what passing tests print.
    let line = format!("{test}: not run, PostgreSQL (initdb, postgres, psql) is not installed\n");
    let _ = std::io::stderr().write_all(line.as_bytes());
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
