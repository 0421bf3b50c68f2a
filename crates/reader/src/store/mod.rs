//! Sealed values, a folder per session.
//!
//! `index.json` says which reference stands for what, `values/` holds the texts by their SHA-256. Folders are 0700,
//! files 0600; a change is made under a lock and appears whole. A reference never changes its value and is never given
//! twice for different ones.

mod files;
mod index;

use std::path::{Path, PathBuf};

use rand::Rng as _;
use sha2::{Digest as _, Sha256};

use crate::code::Code;
use crate::names::Name;
pub use index::Origin;
use index::{Entry, Index};

/// References of one session.
const MOST: usize = 8192;
/// Days after which a session that never ended is swept away.
const KEPT_DAYS: u64 = 7;

/// The sealed values of one session.
#[derive(Debug, Clone)]
pub struct Session {
    folder: PathBuf,
}

/// A reference that was looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opened {
    /// Where it came from.
    pub origin: Origin,
    /// What it stands for.
    pub text: String,
}

impl Session {
    /// The session of that name below a state folder. Its name is hashed: nothing in it becomes a path.
    ///
    /// # Errors
    /// The folder can't be made.
    pub fn open(state: &Path, session: &str) -> Result<Self, Code> {
        let folder = Self::folder(state, session);
        files::private_folder(&folder.join("values")).map_err(|_| Code::Store)?;
        Ok(Self { folder })
    }

    /// The same, only if it is there.
    #[must_use]
    pub fn existing(state: &Path, session: &str) -> Option<Self> {
        let folder = Self::folder(state, session);
        folder.join("values").is_dir().then_some(Self { folder })
    }

    fn folder(state: &Path, session: &str) -> PathBuf {
        let name: String = hex(&Sha256::digest(session.as_bytes())).chars().take(32).collect();
        state.join("sessions").join(name)
    }

    /// 32 random bytes that only this session has, made when they are first asked for.
    ///
    /// # Errors
    /// They can't be kept.
    pub fn key(&self) -> Result<Vec<u8>, Code> {
        if let Some(key) = self.known_key() {
            return Ok(key);
        }
        let _lock = files::lock(&self.folder).map_err(|_| Code::Store)?;
        if let Some(key) = self.known_key() {
            return Ok(key);
        }
        let mut key = vec![0_u8; 32];
        rand::rng().fill_bytes(&mut key);
        files::replace(&self.folder.join("key"), &key).map_err(|_| Code::Store)?;
        Ok(key)
    }

    /// The same where they were made before. This never waits.
    #[must_use]
    pub fn known_key(&self) -> Option<Vec<u8>> {
        std::fs::read(self.folder.join("key")).ok().filter(|key| key.len() == 32)
    }

    /// Seals the values of one result, all of them or none, and gives the reference of each. The same value from the
    /// same place keeps its reference; a name that stands for something else gets a number behind it.
    ///
    /// # Errors
    /// The store can't be read or written, or is full: then nothing was sealed that anybody can name.
    pub fn seal(&self, values: &[(Origin, Name, String)]) -> Result<Vec<Name>, Code> {
        if values.is_empty() {
            return Ok(Vec::new());
        }
        let digests: Vec<String> = values.iter().map(|(_, _, text)| digest(text)).collect();
        for ((_, _, text), digest) in values.iter().zip(&digests) {
            let path = self.folder.join("values").join(digest);
            if !path.is_file() {
                files::replace(&path, text.as_bytes()).map_err(|_| Code::Store)?;
            }
        }
        let _lock = files::lock(&self.folder).map_err(|_| Code::Store)?;
        let mut index = Index::read(&self.folder)?;
        let mut given = Vec::new();
        for ((origin, wanted, _), digest) in values.iter().zip(digests) {
            let entry = Entry { origin: origin.clone(), digest };
            let numbered = (2..=MOST).map(|number| wanted.numbered(number));
            let name = std::iter::once(wanted.clone())
                .chain(numbered)
                .find(|name| index.get(name).is_none_or(|there| *there == entry))
                .ok_or(Code::StoreFull)?;
            index.set(&name, entry);
            given.push(name);
        }
        if index.len() > MOST {
            return Err(Code::StoreFull);
        }
        index.write(&self.folder)?;
        Ok(given)
    }

    /// Looks a reference up.
    ///
    /// # Errors
    /// The store can't be read, or a value is not the one that was sealed.
    pub fn open_reference(&self, name: &Name) -> Result<Option<Opened>, Code> {
        let index = Index::read(&self.folder)?;
        let Some(entry) = index.get(name) else { return Ok(None) };
        let bytes = std::fs::read(self.folder.join("values").join(&entry.digest)).map_err(|_| Code::Store)?;
        let text = String::from_utf8(bytes).map_err(|_| Code::Store)?;
        if digest(&text) != entry.digest {
            return Err(Code::Store);
        }
        Ok(Some(Opened { origin: entry.origin.clone(), text }))
    }

    /// How many references there are.
    ///
    /// # Errors
    /// The store can't be read.
    pub fn count(&self) -> Result<usize, Code> {
        Index::read(&self.folder).map(|index| index.len())
    }

    /// Remembers a mark: a short word about a call, such as that we refused it.
    ///
    /// # Errors
    /// It can't be written.
    pub fn mark(&self, word: &str) -> Result<(), Code> {
        let marks = self.folder.join("marks");
        files::private_folder(&marks).map_err(|_| Code::Store)?;
        files::replace(&marks.join(digest(word)), b"").map_err(|_| Code::Store)
    }

    /// Whether a mark was made.
    #[must_use]
    pub fn is_marked(&self, word: &str) -> bool {
        self.folder.join("marks").join(digest(word)).is_file()
    }

    /// Deletes everything of this session.
    ///
    /// # Errors
    /// Something is left.
    pub fn erase(&self) -> Result<(), Code> {
        std::fs::remove_dir_all(&self.folder).map_err(|_| Code::Store)
    }

    /// Deletes sessions that nothing was written to for a week.
    pub fn sweep(state: &Path) {
        let Ok(entries) = std::fs::read_dir(state.join("sessions")) else { return };
        for entry in entries.flatten() {
            let touched = |path: PathBuf| path.metadata().and_then(|data| data.modified()).ok();
            let newest = ["", "index.json", "values", "marks"]
                .into_iter()
                .filter_map(|inside| touched(entry.path().join(inside)))
                .max();
            let age = newest.and_then(|at| at.elapsed().ok()).unwrap_or_default();
            if age.as_secs() > KEPT_DAYS * 24 * 60 * 60 {
                let _ = std::fs::remove_dir_all(entry.path());
            }
        }
    }
}

fn digest(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

fn hex(bytes: &[u8]) -> String {
    use core::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
