//! Which reference stands for what.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::files;
use crate::code::Code;
use crate::names::Name;

/// Where a sealed value came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// The namespace, such as `mcp__zendesk`.
    pub namespace: String,
    /// The tool.
    pub tool: String,
    /// The field.
    pub field: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    pub(super) origin: Origin,
    pub(super) digest: String,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Index {
    references: BTreeMap<String, Entry>,
}

impl Index {
    /// Reads it; none yet is an empty one, one that can't be understood is an error and never an empty one.
    pub(super) fn read(folder: &Path) -> Result<Self, Code> {
        match std::fs::read(folder.join("index.json")) {
            Ok(bytes) => {
                let index: Self = serde_json::from_slice(&bytes).map_err(|_| Code::Store)?;
                let plain =
                    |digest: &str| digest.len() == 64 && digest.bytes().all(|b| b.is_ascii_hexdigit());
                let sound =
                    |(name, entry): (&String, &Entry)| Name::parse(name).is_some() && plain(&entry.digest);
                index.references.iter().all(sound).then_some(index).ok_or(Code::Store)
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Self::default()),
            Err(_) => Err(Code::Store),
        }
    }

    pub(super) fn write(&self, folder: &Path) -> Result<(), Code> {
        let bytes = serde_json::to_vec(self).map_err(|_| Code::Store)?;
        files::replace(&folder.join("index.json"), &bytes).map_err(|_| Code::Store)
    }

    pub(super) fn get(&self, name: &Name) -> Option<&Entry> {
        self.references.get(name.as_str())
    }

    pub(super) fn set(&mut self, name: &Name, entry: Entry) {
        self.references.insert(name.as_str().to_owned(), entry);
    }

    pub(super) fn len(&self) -> usize {
        self.references.len()
    }
}
