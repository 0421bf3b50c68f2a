//! Findings as SARIF 2.1.0, which code hosts and editors read.

use std::collections::BTreeSet;

use detect::{Finding, Tier};
use serde_json::{Value, json};

/// One item and what was found in it.
#[derive(Debug)]
pub(crate) struct Scanned {
    pub(crate) server: String,
    /// A tool's name; another kind's key.
    pub(crate) tool: String,
    pub(crate) verdict: &'static str,
    pub(crate) findings: Vec<Finding>,
}

/// The log of one scan of a file.
pub(crate) fn sarif(file: &str, scanned: &[Scanned]) -> Value {
    let rules: BTreeSet<&str> =
        scanned.iter().flat_map(|one| &one.findings).map(|finding| finding.rule).collect();
    let rules: Vec<Value> = rules.into_iter().map(|rule| json!({ "id": rule })).collect();
    let results: Vec<Value> = scanned
        .iter()
        .flat_map(|one| one.findings.iter().map(move |finding| result(file, one, finding)))
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "quarantine-gateway",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "results": results,
        }],
    })
}

fn result(file: &str, one: &Scanned, finding: &Finding) -> Value {
    let place = format!("{}/{}{}", one.server, one.tool, finding.path.trim_start_matches('$'));
    json!({
        "ruleId": finding.rule,
        "level": if finding.tier == Tier::Hard { "error" } else { "warning" },
        "message": { "text": format!("{} {}", finding.says, finding.excerpt) },
        "locations": [{
            "physicalLocation": { "artifactLocation": { "uri": file } },
            "logicalLocations": [{ "fullyQualifiedName": detect::visible(&place), "kind": "member" }],
        }],
        "properties": { "confidence": finding.confidence },
    })
}
