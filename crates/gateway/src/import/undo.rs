//! Writing an import, and putting back what was there.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::plan::Plan;

/// What is kept of an import.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    path: PathBuf,
    before: String,
    after: String,
}

fn kept_at(folder: &Path, path: &Path) -> PathBuf {
    let name: String = web::token::hash("gateway import", &path.to_string_lossy()).chars().take(16).collect();
    folder.join(format!("import-{name}.json"))
}

/// Writes the plan: first what was there is kept, then the gateway's configuration, then the host's file.
///
/// # Errors
/// A file can't be written, or the host's file is another by now.
pub(crate) fn apply(plan: &Plan, config: &Path, folder: &Path) -> io::Result<()> {
    if fs::read_to_string(&plan.path)? != plan.before {
        return Err(io::Error::other("it was changed while this was read; run it again"));
    }
    fs::create_dir_all(folder)?;
    if let Some(parent) = config.parent() {
        fs::create_dir_all(parent)?;
    }
    let kept = Kept { path: plan.path.clone(), before: plan.before.clone(), after: plan.after.clone() };
    write(&kept_at(folder, &plan.path), &serde_json::to_string(&kept)?)?;
    write(config, &plan.config_after)?;
    write(&plan.path, &plan.after)
}

/// Puts back what was there before the last import of this file. The gateway's own configuration stays.
///
/// # Errors
/// A sentence.
pub(crate) fn put_back(path: &Path, folder: &Path) -> Result<(), String> {
    let path =
        fs::canonicalize(path).map_err(|error| format!("{} can't be read: {error}.", path.display()))?;
    let place = kept_at(folder, &path);
    let text =
        fs::read_to_string(&place).map_err(|_| format!("Nothing was imported from {}.", path.display()))?;
    let kept: Kept =
        serde_json::from_str(&text).map_err(|_| format!("{} can't be used.", place.display()))?;
    let now =
        fs::read_to_string(&path).map_err(|error| format!("{} can't be read: {error}.", path.display()))?;
    if now != kept.after {
        return Err(format!(
            "{} was changed since the import, so it is left alone. What was there before is in {}.",
            path.display(),
            place.display()
        ));
    }
    write(&path, &kept.before).map_err(|error| format!("{} can't be written: {error}.", path.display()))?;
    // Done; that the note of it stays behind would do no harm.
    let _ = fs::remove_file(place);
    Ok(())
}

/// Writes a file whole, with the permissions it has; a new one is for its owner only, since it may hold secrets.
fn write(path: &Path, text: &str) -> io::Result<()> {
    let temporary = path.with_extension("quarantine-new");
    let mut options = fs::OpenOptions::new();
    options.create(true).truncate(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&temporary)?;
    file.write_all(text.as_bytes())?;
    if let Ok(meta) = fs::metadata(path) {
        file.set_permissions(meta.permissions())?;
    }
    file.sync_all()?;
    fs::rename(temporary, path)
}
