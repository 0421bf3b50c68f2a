//! What a scan answers with.

use std::ops::Range;

use serde::Serialize;

/// How sure a rule is by its nature. A hard finding alone is reason to keep something in quarantine; a soft one
/// asks a person to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// Worth a look.
    Soft,
    /// Not found in honest text.
    Hard,
}

/// One signal at one place.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// The rule's identifier, such as `unicode.hidden`. Stable.
    pub rule: &'static str,
    /// How sure this finding is by its nature.
    pub tier: Tier,
    /// 0 to 1. Comparable between findings of one tier.
    pub confidence: f64,
    /// Which string: a JSON path such as `$.description` or `$.inputSchema.properties.city.enum[0]`. A member's
    /// name, as opposed to its value, has a `~` behind it. `$` alone is the whole text.
    pub path: String,
    /// Bytes of that string the finding is about. Always on character boundaries and inside the string.
    #[serde(skip)]
    pub span: Range<usize>,
    /// What stands there, about 80 characters at most, secrets masked, hidden characters made visible.
    pub excerpt: String,
    /// One sentence for a person.
    pub says: String,
}

/// What the findings come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// No finding.
    Clean,
    /// Soft findings only.
    Warning,
    /// At least one hard finding.
    Dangerous,
}

impl Verdict {
    /// The verdict on some findings.
    #[must_use]
    pub fn of(findings: &[Finding]) -> Self {
        match findings.iter().map(|finding| finding.tier).max() {
            None => Self::Clean,
            Some(Tier::Soft) => Self::Warning,
            Some(Tier::Hard) => Self::Dangerous,
        }
    }
}

/// The answer about one tool, prompt, resource or text.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// What the findings come to.
    pub verdict: Verdict,
    /// Hard before soft, then by confidence, then by place.
    pub findings: Vec<Finding>,
}

impl Report {
    /// Puts findings in order and draws the verdict.
    #[must_use]
    pub fn new(mut findings: Vec<Finding>) -> Self {
        findings.sort_by(|a, b| {
            b.tier
                .cmp(&a.tier)
                .then(b.confidence.total_cmp(&a.confidence))
                .then_with(|| a.path.cmp(&b.path))
                .then(a.span.start.cmp(&b.span.start))
                .then(a.rule.cmp(b.rule))
        });
        Self { verdict: Verdict::of(&findings), findings }
    }
}
