//! The state file: read when it changed, written whole under a lock, so that a reader never sees half of it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use super::state::{State, VERSION};

/// Why the state can't be read or written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StoreError {
    #[error("The state file {0} can't be read: {1}.")]
    Unreadable(PathBuf, io::Error),
    #[error(
        "The state file {0} is not what this program wrote; move it away to begin anew, with everything in quarantine."
    )]
    Damaged(PathBuf),
    #[error("The state file {0} was written by a newer version of this program.")]
    Newer(PathBuf),
    #[error("The state file {0} can't be written: {1}. Nothing was changed.")]
    Unwritable(PathBuf, io::Error),
}

/// What tells one version of the file from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    modified: Option<SystemTime>,
    length: u64,
    #[cfg(unix)]
    inode: u64,
}

#[derive(Debug)]
struct Known {
    stamp: Option<Stamp>,
    state: Arc<State>,
}

/// The state file of one configuration.
#[derive(Debug)]
pub(crate) struct Store {
    path: PathBuf,
    known: Mutex<Option<Known>>,
    /// The last complaint that was logged, so that each is logged once.
    said: Mutex<String>,
}

impl Store {
    /// A store at this path; the file need not be there yet.
    pub(crate) fn at(path: PathBuf) -> Store {
        Store { path, known: Mutex::new(None), said: Mutex::default() }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The state as the file has it now. No file: nothing is known.
    ///
    /// # Errors
    /// The file is there and can't be used.
    pub(crate) fn read(&self) -> Result<Arc<State>, StoreError> {
        let stamp = self.stamp()?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.as_ref().filter(|known| known.stamp == stamp) {
            return Ok(Arc::clone(&known.state));
        }
        let state = Arc::new(self.load()?);
        *known = Some(Known { stamp, state: Arc::clone(&state) });
        Ok(state)
    }

    /// The state or, if the file can't be used, one in which nothing is open.
    pub(crate) fn read_or_closed(&self) -> Arc<State> {
        let read = self.read();
        let complaint = read.as_ref().map_or_else(ToString::to_string, |_| String::new());
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        if *said != complaint {
            if !complaint.is_empty() {
                tracing::error!(%complaint, "everything stays closed");
            }
            *said = complaint;
        }
        read.unwrap_or_else(|_| Arc::new(State::new()))
    }

    /// Changes the state: the function sees the newest one, and what it made of it is on the disk before this
    /// returns. If it changes nothing, nothing is written.
    ///
    /// # Errors
    /// The file can't be read or written; then nothing is changed.
    pub(crate) fn change<T>(&self, with: impl FnOnce(&mut State) -> T) -> Result<T, StoreError> {
        let unwritable = |error| StoreError::Unwritable(self.path.clone(), error);
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder).map_err(unwritable)?;
        }
        let lock = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(self.path.with_extension("lock"))
            .map_err(unwritable)?;
        lock.lock().map_err(unwritable)?;
        let before = self.read()?;
        let mut state = State::clone(&before);
        let outcome = with(&mut state);
        if state != *before {
            self.write(&state).map_err(unwritable)?;
            let stamp = self.stamp()?;
            *self.known.lock().unwrap_or_else(PoisonError::into_inner) =
                Some(Known { stamp, state: Arc::new(state) });
        }
        Ok(outcome)
    }

    fn stamp(&self) -> Result<Option<Stamp>, StoreError> {
        match fs::metadata(&self.path) {
            Ok(meta) => Ok(Some(Stamp {
                modified: meta.modified().ok(),
                length: meta.len(),
                #[cfg(unix)]
                inode: std::os::unix::fs::MetadataExt::ino(&meta),
            })),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(StoreError::Unreadable(self.path.clone(), error)),
        }
    }

    fn load(&self) -> Result<State, StoreError> {
        let bytes = match fs::read(&self.path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(State::new()),
            Err(error) => return Err(StoreError::Unreadable(self.path.clone(), error)),
        };
        let state: State =
            serde_json::from_slice(&bytes).map_err(|_| StoreError::Damaged(self.path.clone()))?;
        match state.version {
            VERSION => Ok(state),
            newer if newer > VERSION => Err(StoreError::Newer(self.path.clone())),
            _ => Err(StoreError::Damaged(self.path.clone())),
        }
    }

    fn write(&self, state: &State) -> io::Result<()> {
        let temporary = self.path.with_extension("new");
        let mut options = OpenOptions::new();
        options.create(true).truncate(true).write(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&temporary)?;
        file.write_all(&serde_json::to_vec(state)?)?;
        file.sync_all()?;
        fs::rename(&temporary, &self.path)?;
        // The name too has to survive a loss of power. Where folders can't be synced, the rename is all there is.
        if let Some(folder) = self.path.parent().and_then(|folder| File::open(folder).ok()) {
            let _ = folder.sync_all();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_writes_the_other_reads_and_nothing_is_lost_between_many() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/state.json");
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let path = path.clone();
                scope.spawn(move || {
                    let store = Store::at(path);
                    for number in 0..25 {
                        let name = format!("{writer}-{number}");
                        store.change(|state| state.tell("server_new", &name, "", "", "now")).unwrap();
                    }
                });
            }
        });
        let state = Store::at(path).read().unwrap();
        assert_eq!((state.seq, state.events.len()), (100, 100));
    }

    #[test]
    fn a_damaged_file_opens_nothing_and_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.json");
        std::fs::write(&path, "{\"version\":1").unwrap();
        let store = Store::at(path.clone());
        assert!(matches!(store.read(), Err(StoreError::Damaged(_))));
        assert!(matches!(store.change(|state| state.seq = 9), Err(StoreError::Damaged(_))));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "{\"version\":1");
        std::fs::write(&path, "{\"version\":99,\"seq\":0}").unwrap();
        assert!(matches!(store.read(), Err(StoreError::Newer(_))));
    }
}
