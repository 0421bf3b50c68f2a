//! A report as Markdown.

use std::fmt::Write as _;

use detect::Tier;

use super::Report;

pub(super) fn written(report: &Report) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "## Quarantine report");
    let _ = writeln!(out, "**Source:** {} ({})", report.source, report.untrusted_because);
    let _ = writeln!(out, "**Kind of content:** {}", report.kind.word());
    let _ = writeln!(out, "\n**Summary (data only):** {}", report.summary.join(" "));
    let _ = writeln!(out, "\n**Risks:**");
    if report.risks.is_empty() {
        let _ = writeln!(out, "- none seen");
    }
    for risk in &report.risks {
        let sure = if risk.tier == Tier::Hard { "" } else { " (worth a look)" };
        let _ =
            writeln!(out, "- line {}: {}{sure} \"{}\" [{}]", risk.line, risk.says, risk.quotation, risk.rule);
    }
    if report.more_risks > 0 {
        let _ = writeln!(out, "- and {} more", report.more_risks);
    }
    let _ = writeln!(out, "\n**Safe to use:**");
    for safe in &report.safe_to_use {
        let _ = writeln!(out, "- {safe}");
    }
    let _ = writeln!(out, "\n**Recommendation:** {}", report.recommendation);
    out
}
