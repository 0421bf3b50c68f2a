//! Files that are ours alone, and appear whole.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use rand::Rng as _;

/// Makes a folder, and what is above it, for this user alone.
pub(super) fn private_folder(path: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// Writes a file beside and moves it into place: whoever reads sees the old one or the new one.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = path.with_extension(format!("{:016x}.new", rand::rng().next_u64()));
    let written = private(OpenOptions::new().write(true).create_new(true))
        .open(&beside)
        .and_then(|mut file| file.write_all(bytes))
        .and_then(|()| std::fs::rename(&beside, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&beside);
    }
    written
}

/// Waits until nobody else changes this folder. The lock goes with the returned file, also when the process dies.
pub(super) fn lock(folder: &Path) -> io::Result<File> {
    let file =
        private(OpenOptions::new().write(true).create(true).truncate(false)).open(folder.join("lock"))?;
    file.lock()?;
    Ok(file)
}
