//! `cargo xtask test`: everything that has to hold, on a machine that has Rust and nothing else.

use std::fs;

use crate::Outcome;
use crate::command::{cargo, command, output, root, run as step};
use crate::programs;

pub(crate) fn run() -> Outcome {
    programs::provide()?;
    step(&mut cargo(["fmt", "--all", "--check"]))?;
    step(&mut cargo(["clippy", "--workspace", "--all-targets", "--locked", "--", "--deny", "warnings"]))?;
    deny()?;
    lock_file()?;
    step(cargo(["test", "--workspace", "--locked", "--no-fail-fast"]).env("QUARANTINE_TESTS", "all"))
}

fn deny() -> Outcome {
    if output(&mut command("cargo-deny", ["--version"])).is_none() {
        println!("xtask: cargo deny is not installed; bans, licences and sources are not checked here.");
        return Ok(());
    }
    step(&mut cargo(["deny", "check", "bans", "licenses", "sources"]))
}

/// The lock file of the npm packages names no registry: each machine uses its own.
fn lock_file() -> Outcome {
    let lock = fs::read_to_string(root().join("tests/package-lock.json")).unwrap_or_default();
    if lock.contains("\"resolved\"") {
        return Err(
            "tests/package-lock.json names a registry: make it anew with tests/.npmrc in force.".to_owned()
        );
    }
    Ok(())
}
