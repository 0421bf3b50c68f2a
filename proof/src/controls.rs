//! Controls: each rule of the desk in memory is broken on purpose, and exactly the named cases have to notice.
//!
//! A case that no break can turn red would prove nothing, and a break that turns others red would show that a case
//! checks something else than it says.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::case::{Case, Unreadable};
use crate::door::Door;
use crate::memory::{Break, Memory};
use crate::run;

/// How many texts of strangers each step of that kind tries while a rule is broken.
const VARIANTS: usize = 48;

/// One rule that is broken, and the cases that have to notice.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Control {
    /// The rule; none for the desk as it should be.
    #[serde(rename = "break")]
    pub broken: Option<Break>,
    /// What is wrong then, in one sentence.
    pub says: String,
    /// The cases that have to fail.
    pub red: Vec<String>,
}

/// What came of one control.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Controlled {
    /// What was wrong.
    pub says: String,
    /// How many cases had to fail.
    pub named: usize,
    /// Named, and passed all the same.
    pub missed: Vec<String>,
    /// Not named, and failed or were not run.
    pub stray: Vec<String>,
}

impl Controlled {
    /// True if exactly the named cases failed.
    pub fn behaved(&self) -> bool {
        self.missed.is_empty() && self.stray.is_empty()
    }
}

/// Every control, the unbroken desk first.
///
/// # Errors
/// If the file is not as [`Control`] describes; a test holds that this does not happen.
pub fn all() -> Result<Vec<Control>, Unreadable> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        control: Vec<Control>,
    }
    let file: Result<File, _> = toml::from_str(include_str!("../controls.toml"));
    file.map(|file| file.control)
        .map_err(|error| Unreadable { file: "controls.toml", why: error.to_string() })
}

/// Runs every case on a desk in memory with that rule broken.
pub async fn one(control: &Control, cases: &[Case]) -> Controlled {
    let desk = match control.broken {
        Some(broken) => Memory::broken(broken, VARIANTS),
        None => Memory::new(VARIANTS),
    };
    judge(&desk, control, cases).await
}

async fn judge<D: Door>(door: &D, control: &Control, cases: &[Case]) -> Controlled {
    let report = run::all(door, cases, |_| {}).await;
    let named: BTreeSet<_> = control.red.iter().map(String::as_str).collect();
    let red: BTreeSet<_> =
        report.checks.iter().filter(|check| !check.passed()).map(|check| check.id.as_str()).collect();
    let list = |some: Vec<&&str>| some.into_iter().map(|id| (*id).to_owned()).collect();
    Controlled {
        says: control.says.clone(),
        named: named.len(),
        missed: list(named.difference(&red).collect()),
        stray: list(red.difference(&named).collect()),
    }
}
