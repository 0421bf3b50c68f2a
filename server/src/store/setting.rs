//! Settings of the whole desk: secrets, and the active rules.

use policy::Rules;

use super::{Store, StoreError};

/// The rules that decide now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActiveRules {
    /// Counts activations; 0 for the rules of the demonstration.
    pub version: u64,
    /// The rules.
    pub rules: Rules,
}

impl ActiveRules {
    /// What decides until rules are activated.
    pub fn demo() -> ActiveRules {
        ActiveRules { version: 0, rules: Rules::demo() }
    }
}

impl Store {
    /// The version and text of the active rules; none until some are activated.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn active_rules(&self) -> Result<Option<(u64, String)>, StoreError> {
        Err(StoreError::Unavailable)
    }

    /// Makes rules the active ones. The text has been read as rules before. Answers their version.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn activate_rules(&self, _text: &str, _: desk::Millis) -> Result<u64, StoreError> {
        Err(StoreError::Unavailable)
    }

    /// A secret of this desk, by name: the stored one, or `fresh` stored now. Every process gets the same.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn secret(&self, _name: &str, _fresh: &[u8]) -> Result<Vec<u8>, StoreError> {
        Err(StoreError::Unavailable)
    }
}
