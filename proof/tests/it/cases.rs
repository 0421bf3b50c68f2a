use std::collections::BTreeSet;

use proof::case::{self, Do};
use proof::memory::Memory;
use proof::report::Totals;
use proof::{Group, ready, run};

#[test]
fn every_case_passes_in_memory() {
    let cases = case::all().unwrap();
    let report = ready::now(run::all(&Memory::new(1_000), &cases, |_| {}));
    let red: Vec<_> = report.checks.iter().filter(|check| !check.passed()).collect();
    assert!(red.is_empty(), "{red:#?}");
    assert_eq!(report.totals(), Totals { passed: cases.len(), failed: 0, not_run: 0 });
    assert!(report.variants() >= 4_000, "{} texts", report.variants());
}

#[test]
fn every_case_has_a_name_of_its_own_and_a_reason_in_words() {
    let mut ids = BTreeSet::new();
    for case in case::all().unwrap() {
        assert!(case.why.len() > 40 && case.why.ends_with('.'), "{}: {}", case.id, case.why);
        assert!(!case.steps.is_empty(), "{}", case.id);
        assert!(
            case.id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        );
        assert!(ids.insert(case.id.clone()), "{} is there twice", case.id);
    }
}

#[test]
fn all_eight_tickets_are_handled_and_half_is_independent_of_the_rules() {
    let cases = case::all().unwrap();
    for ticket in 101..=108 {
        let name = format!("T-{ticket}");
        let handled = cases.iter().any(|case| case.ticket == name && case.group == Group::Availability);
        assert!(handled, "{name}");
    }
    let count = |group| cases.iter().filter(|case| case.group == group).count();
    assert!(cases.len() > 20);
    assert!(count(Group::Independent) * 2 >= cases.len());
    assert!(Group::ALL.into_iter().all(|group| count(group) > 0));
}

#[test]
fn every_step_that_looks_at_an_answer_expects_something_of_it() {
    for case in case::all().unwrap() {
        let looks = case.steps.iter().filter(|step| {
            let says = step.status.is_some() || step.body.is_some() || step.are.is_some() || step.open;
            let says = says || !step.has.is_empty() || !step.none.is_empty() || !step.lacks.is_empty();
            let judges_itself =
                [Do::Hold, Do::NeverTold, Do::Replay, Do::Mutate, Do::MutateHeaders, Do::MutateTriage];
            says || judges_itself.contains(&step.act)
        });
        assert!(looks.count() > 0, "{}", case.id);
    }
}

#[test]
fn only_cases_that_need_an_approver_are_left_out_without_one() {
    let cases = case::all().unwrap();
    let without = cases.iter().filter(|case| !case.needs_approver()).count();
    assert!(without > 20, "{without} cases run without an approver");
}
