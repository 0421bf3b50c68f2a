//! The name of a workspace.

use std::borrow::Cow;
use std::fmt;

/// A workspace: 1 to 40 of `a–z 0–9`. A sandbox is named by the hash of its cookie.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Workspace(Cow<'static, str>);

/// The text is not the name of a workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a workspace has 1 to 40 lower-case letters and digits")]
pub struct NotAWorkspace;

impl Workspace {
    /// The shared sandbox of callers without a credential. Nothing staged here is ever paid.
    pub const DEMO: Workspace = Workspace(Cow::Borrowed("demo"));

    /// What every sandbox looks like before its first change. It can't be named from outside.
    pub(crate) const PRISTINE: Workspace = Workspace(Cow::Borrowed("pristine"));

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// False for the shared sandbox: nothing staged there is ever paid.
    pub fn payable(&self) -> bool {
        *self != Workspace::DEMO
    }

    /// True for what stands for every workspace that is not written yet.
    pub fn is_pristine(&self) -> bool {
        *self == Workspace::PRISTINE
    }

    pub(crate) fn stored(name: String) -> Workspace {
        Workspace(Cow::Owned(name))
    }
}

impl TryFrom<&str> for Workspace {
    type Error = NotAWorkspace;

    fn try_from(name: &str) -> Result<Workspace, NotAWorkspace> {
        let valid = (1..=40).contains(&name.len())
            && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        if valid && name != Workspace::PRISTINE.as_str() {
            Ok(Workspace(Cow::Owned(name.to_owned())))
        } else {
            Err(NotAWorkspace)
        }
    }
}

impl fmt::Display for Workspace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_a_closed_alphabet_and_pristine_is_nobodys() {
        assert!(Workspace::try_from("a1b2").is_ok());
        assert_eq!(Workspace::try_from("demo"), Ok(Workspace::DEMO));
        for name in ["", "pristine", "A", "a-b", "a b", "é", &"a".repeat(41)] {
            assert_eq!(Workspace::try_from(name), Err(NotAWorkspace), "{name:?}");
        }
    }
}
