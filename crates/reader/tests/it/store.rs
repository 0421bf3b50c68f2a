//! Sealed values.

use reader::{Code, Name, Origin, Session};

fn origin(field: &str) -> Origin {
    Origin { namespace: "mcp__zendesk".into(), tool: "mcp__zendesk__get".into(), field: field.into() }
}

fn name(text: &str) -> Name {
    Name::parse(text).unwrap()
}

#[test]
fn a_name_stands_for_one_value_for_ever() {
    let state = tempfile::tempdir().unwrap();
    let session = Session::open(state.path(), "s").unwrap();
    let seal = |text: &str, field: &str| {
        let value = (origin(field), name("TC42_BODY"), text.to_owned());
        session.seal(&[value]).unwrap()[0].as_str().to_owned()
    };
    assert_eq!(seal("one", "body"), "TC42_BODY");
    assert_eq!(seal("two", "body"), "TC42_BODY_2");
    assert_eq!(seal("one", "body"), "TC42_BODY");
    // The same words from another place are another value.
    assert_eq!(seal("one", "subject"), "TC42_BODY_3");
    assert_eq!(session.open_reference(&name("TC42_BODY")).unwrap().unwrap().text, "one");
    assert_eq!(session.count(), Ok(3));
    assert_eq!(session.open_reference(&name("TC42_NONE")), Ok(None));
}

#[test]
fn threads_that_seal_at_the_same_time_lose_nothing() {
    let state = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for number in 0..64 {
            let state = state.path();
            scope.spawn(move || {
                let session = Session::open(state, "s").unwrap();
                assert_eq!(session.key().unwrap(), session.key().unwrap());
                let value = |field| (origin(field), name("TC42_BODY"), format!("{number}"));
                session.seal(&[value("a"), value("b")]).unwrap();
            });
        }
    });
    assert_eq!(Session::open(state.path(), "s").unwrap().count(), Ok(128));
}

#[test]
fn what_was_changed_behind_our_back_is_not_given_out() {
    let state = tempfile::tempdir().unwrap();
    let session = Session::open(state.path(), "../../etc").unwrap();
    session.seal(&[(origin("body"), name("TC42_BODY"), "one".to_owned())]).unwrap();
    let folder = std::fs::read_dir(state.path().join("sessions")).unwrap().next().unwrap().unwrap().path();
    let value = std::fs::read_dir(folder.join("values")).unwrap().next().unwrap().unwrap().path();
    std::fs::write(value, "two").unwrap();
    assert_eq!(session.open_reference(&name("TC42_BODY")), Err(Code::Store));
    std::fs::write(folder.join("index.json"), "{\"references\":{\"TC42_BODY\":{\"origin\":{\"namespace\":\"a\",\"tool\":\"b\",\"field\":\"c\"},\"digest\":\"../../../etc/passwd\"}}}").unwrap();
    assert_eq!(session.open_reference(&name("TC42_BODY")), Err(Code::Store));
    assert_eq!(session.seal(&[(origin("body"), name("TC42_BODY"), "one".to_owned())]), Err(Code::Store));
}
