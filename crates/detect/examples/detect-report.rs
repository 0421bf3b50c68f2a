//! `cargo xtask detect-report`: recall and false alarms, per set and tier, each with its Wilson interval; and the same
//! with the rules that nobody but the set itself speaks for switched off.

#[expect(
    clippy::unwrap_used,
    dead_code,
    unreachable_pub,
    reason = "shared with the tests, where a set that can't be read should fail"
)]
#[path = "../tests/it/sets.rs"]
mod sets;

use std::collections::{BTreeMap, BTreeSet};

use detect::{Finding, Tier};
use sets::{Entry, Figures, Share};

const ABOUT: &str = "\
How the rules were made: by hand, over concepts, not fitted by a program. They were tuned on our own cases and on the
shared corpora together, so a set's own figure is a figure on data that was seen. The second table is the nearest a
fixed set of rules comes to leaving a source out: before a source is measured, every rule that no malicious entry of
any other source sets off is switched off (our own cases speak for no rule there). Words added to a rule's lists stay,
so the figure is a lower bound on what the rules owe to the source, not a proof of what they do on unseen text.
Hard: keeps a tool in quarantine by itself. Any: hard or soft. Intervals: Wilson, 95 %.
cisco_overt says openly what it does and is mostly no attack through the text: it is reported, not aimed at.";

fn main() {
    let verbose: BTreeSet<String> = std::env::args().skip(1).collect();
    let mut sets = sets::shared();
    let missing = sets.is_empty();
    sets.insert("own".to_owned(), sets::own());
    let scanned: BTreeMap<String, Vec<(Entry, Vec<Finding>)>> = sets
        .into_iter()
        .map(|(name, entries)| {
            let scanned = entries
                .into_iter()
                .map(|entry| {
                    let findings = sets::scan(&entry);
                    (entry, findings)
                })
                .collect();
            (name, scanned)
        })
        .collect();

    println!("{ABOUT}\n");
    if missing {
        println!(
            "The shared corpora are not at {}: only our own cases are measured.\n",
            sets::corpora().display()
        );
    }
    println!("Per set");
    println!("{:24} {:>34} {:>34}", "", "recall", "false alarms");
    println!("{:24} {:>17}{:>17} {:>17}{:>17}", "set", "hard", "any", "hard", "any");
    let mut benign = Figures::default();
    for (name, entries) in &scanned {
        let figures = Figures::of(entries.iter().map(|(entry, findings)| (entry, findings)), None);
        line(name, &figures);
        if name != "own" {
            benign.benign.hard.hits += figures.benign.hard.hits;
            benign.benign.hard.of += figures.benign.hard.of;
            benign.benign.any.hits += figures.benign.any.hits;
            benign.benign.any.of += figures.benign.any.of;
        }
    }
    if !missing {
        line("all benign of the corpora", &benign);
        leave_one_out(&scanned);
    }
    by_rule(&scanned);
    if verbose.contains("--errors") {
        errors(&scanned);
    }
}

fn line(name: &str, figures: &Figures) {
    let cell = |share: Share| {
        if share.of == 0 {
            return "–".to_owned();
        }
        let (low, high) = share.wilson();
        format!("{}/{} {:.0}–{:.0} %", share.hits, share.of, low * 100.0, high * 100.0)
    };
    println!(
        "{name:24} {:>17}{:>17} {:>17}{:>17}",
        cell(figures.malicious.hard),
        cell(figures.malicious.any),
        cell(figures.benign.hard),
        cell(figures.benign.any)
    );
}

/// Each set by the rules that other sources speak for.
fn leave_one_out(scanned: &BTreeMap<String, Vec<(Entry, Vec<Finding>)>>) {
    println!("\nLeave one source out");
    println!("{:24} {:>17}{:>17} {:>17}{:>17}   rules switched off", "set", "hard", "any", "hard", "any");
    let rules: BTreeSet<&str> = scanned
        .values()
        .flatten()
        .flat_map(|(_, findings)| findings.iter().map(|finding| finding.rule))
        .collect();
    for (name, entries) in scanned
        .iter()
        .filter(|(name, entries)| *name != "own" && entries.iter().any(|(entry, _)| entry.malicious))
    {
        let allowed: BTreeSet<&str> = scanned
            .iter()
            .filter(|(other, _)| *other != name && *other != "own")
            .flat_map(|(_, entries)| entries)
            .filter(|(entry, _)| entry.malicious)
            .flat_map(|(_, findings)| findings.iter().map(|finding| finding.rule))
            .collect();
        let figures = Figures::of(entries.iter().map(|(entry, findings)| (entry, findings)), Some(&allowed));
        let off: Vec<&str> = rules.difference(&allowed).copied().collect();
        let cell = |share: Share| {
            if share.of == 0 {
                "–".to_owned()
            } else {
                let (low, high) = share.wilson();
                format!("{}/{} {:.0}–{:.0} %", share.hits, share.of, low * 100.0, high * 100.0)
            }
        };
        println!(
            "{name:24} {:>17}{:>17} {:>17}{:>17}   {}",
            cell(figures.malicious.hard),
            cell(figures.malicious.any),
            cell(figures.benign.hard),
            cell(figures.benign.any),
            if off.is_empty() { "none".to_owned() } else { off.join(", ") }
        );
    }
}

/// How often each rule speaks, on what is malicious and on what is not.
fn by_rule(scanned: &BTreeMap<String, Vec<(Entry, Vec<Finding>)>>) {
    let mut rules: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    for (entry, findings) in scanned.values().flatten() {
        let mut seen = BTreeSet::new();
        for finding in findings.iter().filter(|finding| seen.insert((finding.rule, finding.tier))) {
            let place = usize::from(!entry.malicious) * 2 + usize::from(finding.tier == Tier::Soft);
            if let Some(count) = rules.entry(finding.rule).or_default().get_mut(place) {
                *count += 1;
            }
        }
    }
    println!("\nPer rule, entries it speaks on: malicious hard, soft; benign hard, soft");
    for (rule, counts) in rules {
        println!("{rule:28} {:>6}{:>6} {:>6}{:>6}", counts[0], counts[1], counts[2], counts[3]);
    }
}

/// What was missed and what was called wrongly.
fn errors(scanned: &BTreeMap<String, Vec<(Entry, Vec<Finding>)>>) {
    let only = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    println!("\nMissed, and wrongly told");
    for (entry, findings) in scanned.values().flatten() {
        if only.as_deref().is_some_and(|only| !entry.set.starts_with(only)) {
            continue;
        }
        if entry.malicious && findings.is_empty() {
            println!("MISSED {} {} ({}): {}", entry.set, entry.id, entry.category, shown(entry));
        }
        if entry.malicious
            && !findings.is_empty()
            && !findings.iter().any(|finding| finding.tier == Tier::Hard)
        {
            println!(
                "SOFT   {} {} ({}): {} || {}",
                entry.set,
                entry.id,
                entry.category,
                shown(entry),
                findings
                    .iter()
                    .map(|finding| format!("{} {}", finding.rule, finding.confidence))
                    .collect::<Vec<_>>()
                    .join(", ")
            );
        }
        if !entry.malicious {
            for finding in findings {
                println!(
                    "FALSE  {} {} {:?} {} {} at {}: {}",
                    entry.set,
                    entry.id,
                    finding.tier,
                    finding.rule,
                    finding.confidence,
                    finding.path,
                    finding.excerpt
                );
            }
        }
    }
}

fn shown(entry: &Entry) -> String {
    match &entry.subject {
        sets::Subject::Text(text) => text.chars().take(400).collect::<String>().replace('\n', "⏎"),
        sets::Subject::Tool { tool, .. } => tool.to_string().chars().take(700).collect(),
    }
}
