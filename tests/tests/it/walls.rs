//! The walls of the house: who may know whom, and what is written nowhere.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Who may know whom. `tests` and `xtask` may know anything; a crate that is not named here may know none of ours.
const ARROWS: [(&str, &[&str]); 7] = [
    ("quarantine", &["desk", "policy", "wire", "web", "reader", "audit", "proof"]),
    ("gateway", &["web", "detect", "reader", "audit"]),
    ("hook", &["reader"]),
    ("proof", &["desk", "wire", "policy"]),
    ("page", &["proof", "audit"]),
    ("desk", &["policy"]),
    ("reader", &["detect"]),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_path_buf()
}

fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo metadata runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON");
    metadata["packages"].as_array().expect("a list of packages").clone()
}

#[test]
fn no_crate_knows_another_that_it_may_not_know() {
    let packages = packages();
    let name = |package: &Value| package["name"].as_str().unwrap().to_owned();
    let ours: BTreeSet<String> = packages.iter().map(name).collect();
    let allowed: BTreeMap<&str, &[&str]> = ARROWS.into_iter().collect();
    let mut wrong = Vec::new();
    for package in &packages {
        let from = name(package);
        if from == "tests" || from == "xtask" {
            continue;
        }
        let may = allowed.get(from.as_str()).copied().unwrap_or_default();
        for dependency in package["dependencies"].as_array().unwrap() {
            let to = dependency["name"].as_str().unwrap();
            // A crate's tests may use what its code may not: they ship to nobody. Building does count.
            let ships = dependency["kind"] != "dev";
            if ours.contains(to) && ships && !may.contains(&to) {
                wrong.push(format!("{from} -> {to}"));
            }
        }
    }
    assert!(wrong.is_empty(), "arrows that ARCHITECTURE.md does not allow: {wrong:?}");
    assert!(ours.len() > 5, "cargo metadata lists too few of our crates: {ours:?}");
}

fn sources(folder: &str) -> Vec<(String, String)> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                if !["target", "node_modules", ".git"].iter().any(|skip| path.ends_with(skip)) {
                    walk(&path, found);
                }
            } else if path.extension().is_some_and(|kind| kind == "rs" || kind == "js" || kind == "mjs") {
                found.push(path);
            }
        }
    }
    let root = root();
    let mut found = Vec::new();
    walk(&root.join(folder), &mut found);
    found.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a source file");
        (path.strip_prefix(&root).expect("below the root").display().to_string(), text)
    };
    found.into_iter().map(read).collect()
}

/// The files under a folder that have one of these words outside comments.
fn with_words(folder: &str, words: &[String], apart_from: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in sources(folder) {
        if apart_from.iter().any(|folder| path.starts_with(folder)) {
            continue;
        }
        for (number, line) in text.lines().enumerate() {
            let code = if line.trim_start().starts_with("//") { "" } else { line };
            if words.iter().any(|word| code.contains(word)) {
                found.push(format!("{path}:{}: {}", number + 1, line.trim()));
            }
        }
    }
    found
}

// Words are put together here so that this file does not find itself.
fn word(parts: &[&str]) -> String {
    parts.concat()
}

#[test]
fn no_code_is_unsafe() {
    let words = [word(&["unsafe", " {"]), word(&["unsafe", " fn"]), word(&["unsafe", " impl"])];
    assert_eq!(with_words(".", &words, &[]), [""; 0]);
    for package in packages() {
        let manifest = std::fs::read_to_string(package["manifest_path"].as_str().unwrap()).unwrap();
        let lints = manifest.split("[lints]").nth(1).unwrap_or_default();
        assert!(
            lints.trim_start().starts_with("workspace = true"),
            "{}: no workspace lints",
            package["name"]
        );
    }
}

#[test]
fn what_runs_in_a_page_never_parses_text_as_html() {
    let words: Vec<String> =
        [["inner", "HTML"], ["outer", "HTML"], ["insertAdjacent", "HTML"], ["document.", "write"]]
            .iter()
            .map(|parts| parts.concat())
            .chain([
                word(&["set_inner", "_html"]),
                word(&["insert_adjacent", "_html"]),
                word(&["set", "_css_text"]),
            ])
            .collect();
    for folder in ["widget", "crates/page", "static"] {
        assert_eq!(with_words(folder, &words, &[]), [""; 0]);
    }
}

#[test]
fn the_policys_facts_are_made_in_one_place() {
    let words = [word(&["OrderFacts", " {"]), word(&["TicketState", " {"])];
    let apart_from = ["crates/desk/src/facts.rs", "crates/policy/", "tests/"];
    let found: Vec<String> = with_words(".", &words, &apart_from)
        .into_iter()
        // A function that gives them has them from there.
        .filter(|line| !line.contains("/tests/") && !line.contains("/benches/") && !line.contains("-> "))
        .collect();
    assert_eq!(found, [""; 0]);
}
