//! The gate: our own cases one by one, and the figures of the shared corpora where they are.

use detect::Tier;

use crate::sets::{self, Entry, Figures};

#[test]
fn every_case_of_our_own_is_told_as_it_says() {
    let mut wrong = Vec::new();
    for entry in sets::own() {
        let findings = sets::scan(&entry);
        let said: Vec<String> = findings
            .iter()
            .map(|finding| format!("{} {:?} {}", finding.rule, finding.tier, finding.confidence))
            .collect();
        let told = findings.iter().any(|finding| {
            entry.rule.as_deref().is_none_or(|rule| rule == finding.rule)
                && entry.tier.is_none_or(|tier| {
                    tier == finding.tier || (tier == Tier::Soft && finding.tier == Tier::Hard)
                })
        });
        if told != entry.malicious || (!entry.malicious && !findings.is_empty()) {
            wrong.push(format!("{} / {}: {said:?}", entry.category, entry.id));
        }
    }
    assert!(wrong.is_empty(), "{} cases:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_shared_corpora_keep_their_figures() {
    let sets = sets::shared();
    if sets.is_empty() {
        println!(
            "The shared corpora are not at {}: their figures are not held in this run.",
            sets::corpora().display()
        );
        return;
    }
    let mut benign = Figures::default();
    let mut seen = 0;
    for (name, entries) in &sets {
        let scanned: Vec<_> = entries.iter().map(|entry| (entry, sets::scan(entry))).collect();
        let figures = Figures::of(scanned.iter().map(|(entry, findings)| (*entry, findings)), None);
        let (malicious, honest) = (figures.malicious, figures.benign);
        let told: Vec<&Entry> = scanned
            .iter()
            .filter(|(entry, findings)| !entry.malicious && !findings.is_empty())
            .map(|(entry, _)| *entry)
            .collect();
        let told: Vec<&str> = told.iter().map(|entry| entry.id.as_str()).collect();
        assert_eq!(honest.hard.hits, 0, "{name}: hard false alarms among {told:?}");
        benign.benign.any.hits += honest.any.hits;
        benign.benign.any.of += honest.any.of;
        let (hard, any) = match name.as_str() {
            "dvmcp" => (0.95, 0.95),
            "mcpproxy_detect_v1" => (0.90, 0.95),
            "mcpproxy_security_v1" => (0.70, 0.90),
            "cisco_examples" => (0.38, 0.38),
            _ => continue,
        };
        seen += 1;
        assert!(
            malicious.any.value() >= any,
            "{name}: any-tier recall {}/{}",
            malicious.any.hits,
            malicious.any.of
        );
        assert!(
            malicious.hard.value() >= hard,
            "{name}: hard recall {}/{}",
            malicious.hard.hits,
            malicious.hard.of
        );
    }
    let any = benign.benign.any;
    assert!(any.value() <= 0.02, "false alarms of any tier: {}/{}", any.hits, any.of);
    assert!(seen > 0 || sets::corpora().join("dvmcp.json").metadata().is_err(), "no known set was held");
}
