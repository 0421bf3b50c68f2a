//! A small disk of the test's own, that can be full or read-only.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::programs;

/// A file system in memory of 4 MiB; unmounted when dropped.
#[derive(Debug)]
pub struct Disk {
    folder: TempDir,
}

impl Disk {
    /// Mounts one, or gives none (and a line that says so) where that is not allowed.
    pub fn small() -> Option<Disk> {
        let folder = TempDir::with_prefix("quarantine-disk-").expect("a folder to mount on");
        if mount(&["-t", "tmpfs", "-o", "size=4m", "tmpfs"], folder.path()) {
            return Some(Disk { folder });
        }
        programs::cannot("a small disk can't be mounted here");
        None
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    fn filler(&self) -> PathBuf {
        self.folder.path().join("filler")
    }

    /// Fills it up.
    pub fn fill(&self) {
        let _ = std::fs::write(self.filler(), vec![1; 4 << 20]);
    }

    /// Makes room again.
    pub fn free(&self) {
        let _ = std::fs::remove_file(self.filler());
    }

    /// Nothing can be written any more.
    pub fn read_only(&self) {
        assert!(mount(&["-o", "remount,ro"], self.folder.path()), "the disk was not made read-only");
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.folder.path()).status();
    }
}

fn mount(arguments: &[&str], on: &Path) -> bool {
    let mut mount = Command::new("mount");
    mount.args(arguments).arg(on).stdout(Stdio::null()).stderr(Stdio::null());
    mount.status().is_ok_and(|status| status.success())
}
