//! The crate can't read a clock, a file or the network: it does not link the standard library.

use std::fs;
use std::path::Path;

#[test]
fn it_builds_without_the_standard_library() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let crate_root = fs::read_to_string(source.join("lib.rs")).unwrap();
    assert!(crate_root.lines().any(|line| line == "#![cfg_attr(not(test), no_std)]"));
    let mut files = 0;
    for entry in fs::read_dir(source).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        // Unit tests stand last in a file and may use it.
        let shipped = text.split("#[cfg(test)]").next().unwrap_or_default();
        assert!(!shipped.contains("std::"), "{}", path.display());
        assert!(!shipped.contains("extern crate std"), "{}", path.display());
        files += 1;
    }
    assert!(files > 9, "looked at {files} files");
}
