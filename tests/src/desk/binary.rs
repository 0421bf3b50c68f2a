//! Where the program under test is.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::SystemTime;

/// The program `quarantine` of this build: beside the folder that this test program is in. It is built if it is
/// missing or older than what it was made from; `cargo test --workspace` has built it already.
pub fn quarantine() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        let own = std::env::current_exe().expect("the path of this program");
        let deps = own.parent().expect("a folder");
        let folder = if deps.ends_with("deps") { deps.parent().expect("a folder above it") } else { deps };
        let binary = folder.join(format!("quarantine{}", std::env::consts::EXE_SUFFIX));
        if !current(&binary) {
            build(folder);
        }
        assert!(binary.is_file(), "{} was not built", binary.display());
        binary
    })
}

fn build(folder: &Path) {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--workspace", "--bin", "quarantine", "--locked"]);
    if folder.ends_with("release") {
        cargo.arg("--release");
    }
    cargo.arg("--target-dir").arg(folder.parent().expect("the target folder"));
    let status = cargo.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).status();
    assert!(status.is_ok_and(|status| status.success()), "`cargo build --bin quarantine` failed");
}

/// Cargo writes beside a program what it was made from.
fn current(binary: &Path) -> bool {
    let Ok(built) = std::fs::metadata(binary).and_then(|file| file.modified()) else { return false };
    let Ok(list) = std::fs::read_to_string(binary.with_extension("d")) else { return false };
    let Some((_, sources)) = list.split_once(": ") else { return false };
    // A space inside a path is written with a backslash before it.
    let sources = sources.trim().replace("\\ ", "\0");
    sources.split(' ').all(|source| newest(Path::new(&source.replace('\0', " "))) <= Some(built))
}

fn newest(path: &Path) -> Option<SystemTime> {
    let own = std::fs::metadata(path).and_then(|file| file.modified()).ok()?;
    let inside = std::fs::read_dir(path).into_iter().flatten().flatten();
    inside.filter_map(|entry| newest(&entry.path())).max().max(Some(own))
}
