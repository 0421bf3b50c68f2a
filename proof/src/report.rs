//! What came of it.

use serde::Serialize;

use crate::case::Group;

/// What came of one case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// Every step answered as expected.
    Passed,
    /// A step did not.
    Failed,
    /// It could not be run.
    NotRun {
        /// Why.
        because: String,
    },
}

/// One expectation of a step and what came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// What was done.
    pub did: String,
    /// What was expected.
    pub expected: String,
    /// What came.
    pub got: String,
    /// True if it is what was expected.
    pub ok: bool,
}

/// One case that was run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// Its name.
    pub id: String,
    /// Its kind.
    pub group: &'static str,
    /// The ticket it is about.
    pub ticket: String,
    /// Why the expected answer is the right one.
    pub why: String,
    /// What came of it.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Its steps, up to the one that failed.
    pub lines: Vec<Line>,
    /// How many texts of strangers it tried.
    pub variants: usize,
}

impl Checked {
    /// True if every step answered as expected.
    pub fn passed(&self) -> bool {
        self.verdict == Verdict::Passed
    }

    /// True if a step did not answer as expected.
    pub fn failed(&self) -> bool {
        self.verdict == Verdict::Failed
    }
}

/// How many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// Answered as expected.
    pub passed: usize,
    /// Did not.
    pub failed: usize,
    /// Could not be run.
    pub not_run: usize,
}

/// All that was run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// One entry a case.
    pub checks: Vec<Checked>,
}

impl Report {
    /// How many cases passed, failed and were not run. Controls are not among them.
    pub fn totals(&self) -> Totals {
        self.count(|_| true)
    }

    /// The same of one group.
    pub fn totals_of(&self, group: Group) -> Totals {
        self.count(|check| check.group == group.as_str())
    }

    /// How many texts of strangers were tried.
    pub fn variants(&self) -> usize {
        self.checks.iter().map(|check| check.variants).sum()
    }

    fn count(&self, of: impl Fn(&Checked) -> bool) -> Totals {
        let mut totals = Totals::default();
        for check in self.checks.iter().filter(|check| of(check)) {
            match check.verdict {
                Verdict::Passed => totals.passed += 1,
                Verdict::Failed => totals.failed += 1,
                Verdict::NotRun { .. } => totals.not_run += 1,
            }
        }
        totals
    }
}
