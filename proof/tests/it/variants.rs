use std::collections::BTreeSet;

use proof::variants;

#[test]
fn thousands_of_texts_are_all_different_and_always_the_same() {
    let some: Vec<_> = variants::all().take(3_000).collect();
    let again: Vec<_> = variants::all().take(3_000).collect();
    assert_eq!(some, again);
    let distinct: BTreeSet<_> = some.iter().map(|one| (&one.subject, &one.customer, &one.message)).collect();
    assert!(distinct.len() > 2_900, "{} of 3000", distinct.len());
}

#[test]
fn every_text_fits_where_it_is_written() {
    for one in variants::all().take(3_000) {
        assert!(one.subject.chars().count() <= 200 && one.customer.chars().count() <= 80);
        assert!(one.message.len() <= 64 * 1024);
        for (name, value) in one.headers() {
            assert!(name.starts_with("x-"));
            assert!(value.bytes().all(|byte| (b' '..=b'~').contains(&byte)) && value.trim() == value);
        }
    }
}
