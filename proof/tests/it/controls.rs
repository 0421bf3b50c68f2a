use std::collections::BTreeSet;

use proof::{case, controls, ready};

#[test]
fn each_broken_rule_turns_exactly_its_named_cases_red() {
    let cases = case::all().unwrap();
    let mut astray = Vec::new();
    for control in controls::all().unwrap() {
        let controlled = ready::now(controls::one(&control, &cases));
        if !controlled.behaved() {
            astray.push((control.broken, controlled));
        }
    }
    assert!(astray.is_empty(), "{astray:#?}");
}

#[test]
fn no_case_is_one_that_nothing_could_turn_red() {
    let controls = controls::all().unwrap();
    let red: BTreeSet<_> = controls.iter().flat_map(|control| &control.red).collect();
    for case in case::all().unwrap() {
        assert!(red.contains(&case.id), "{} is named by no control", case.id);
    }
}

#[test]
fn the_first_control_is_the_desk_as_it_should_be_and_no_rule_is_broken_twice() {
    let controls = controls::all().unwrap();
    assert!(controls.iter().take(1).all(|control| control.broken.is_none() && control.red.is_empty()));
    let mut broken = BTreeSet::new();
    for control in controls.iter().skip(1) {
        assert!(broken.insert(format!("{:?}", control.broken.unwrap())));
        assert!(control.says.ends_with('.') && !control.red.is_empty(), "{}", control.says);
    }
}
