//! What stands between a stranger's text and whoever acts.

/// One of the walls. Each is tested by taking it away and watching the boundary suite fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guard {
    /// Free text becomes a reference.
    Seal,
    /// A member that the schema does not name is dropped.
    KnownOnly,
    /// A choice is one of the schema's own.
    Choice,
    /// An answer that is not exactly one JSON object is withheld.
    Shape,
}

/// The walls that are up: all of them. Only a build for tests (feature `unguarded`) can take one away.
#[derive(Debug, Clone, Copy, Default)]
pub struct Guards {
    #[cfg(feature = "unguarded")]
    off: Option<Guard>,
}

impl Guards {
    /// All walls.
    #[must_use]
    pub fn all() -> Self {
        Self::default()
    }

    /// All walls but one.
    #[cfg(feature = "unguarded")]
    #[must_use]
    pub fn all_but(guard: Guard) -> Self {
        Self { off: Some(guard) }
    }

    /// Whether a wall was taken away.
    #[cfg(feature = "unguarded")]
    pub(crate) fn lacks(self, guard: Guard) -> bool {
        self.off == Some(guard)
    }
}
