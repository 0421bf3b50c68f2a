//! How a person decides.

use desk::money::Minor;
use desk::refund::State;
use policy::{Budget, Code, Currency, Strength, Tier};
use server::store::{Actor, Approved, Approver, Changed, Press, StoreError, Workspace};

use crate::store::fixture::{Desk, agent, approver, on_each_database, press, sandbox, ticket};

on_each_database!(
    a_nonce_is_good_for_one_press,
    a_nonce_is_bound_to_its_approver_and_expires,
    nothing_in_the_shared_demonstration_is_payable,
    a_stale_digest_says_what_changed,
    a_stale_nonce_is_used_up,
    the_policy_decides_again_at_the_press,
    stopping_agents_does_not_stop_people,
    a_person_lowers_the_amount,
    two_people_are_two_people,
    an_approval_of_other_terms_does_not_count,
    a_weaker_approval_is_not_enough,
    stricter_rules_hold_for_what_is_held,
    notes_are_kept_apart,
    a_newer_message_marks_the_card,
    a_rejection_needs_a_nonce_too,
    a_list_of_cards_says_what_each_card_says,
);

async fn a_nonce_is_good_for_one_press(desk: Desk) {
    let by = approver("ann");
    assert_eq!(desk.press("i-guessed-this", &by).await.unwrap_err(), StoreError::BadNonce);
    let held = desk.held("T-101", 8_900).await;
    let (one, two) = (desk.nonce(&held.id, &by).await.unwrap(), desk.nonce(&held.id, &by).await.unwrap());
    assert_eq!(desk.store.pressed(&one, &by, desk.now()).await.unwrap().id, held.id);
    assert!(matches!(desk.press(&one, &by).await, Ok(Approved::Claimed(_))));
    assert_eq!(desk.press(&one, &by).await.unwrap_err(), StoreError::BadNonce);
    assert_eq!(desk.press(&two, &by).await.unwrap_err(), StoreError::AlreadyDecided);
    assert_eq!(desk.nonce(&held.id, &by).await.unwrap_err(), StoreError::AlreadyDecided);
    let reject = desk.store.reject(press(&one, &by), &desk.rules, desk.now()).await;
    assert_eq!(reject.unwrap_err(), StoreError::BadNonce);
}

async fn a_nonce_is_bound_to_its_approver_and_expires(desk: Desk) {
    let (ann, bob) = (approver("ann"), approver("bob"));
    let held = desk.held("T-101", 8_900).await;
    let nonce = desk.nonce(&held.id, &ann).await.unwrap();
    assert_eq!(desk.press(&nonce, &bob).await.unwrap_err(), StoreError::BadNonce);
    assert_eq!(desk.store.pressed(&nonce, &bob, desk.now()).await, Err(StoreError::BadNonce));
    desk.pass(60);
    assert_eq!(desk.press(&nonce, &ann).await.unwrap_err(), StoreError::BadNonce);
    desk.store.sweep(desk.now()).await.unwrap();
    assert_eq!(desk.number("SELECT COUNT(*) FROM nonce").await, 0, "what expired is not kept");
    assert_eq!(desk.press(&nonce, &ann).await.unwrap_err(), StoreError::BadNonce);
    assert!(matches!(desk.approve(&held.id, &ann).await, Ok(Approved::Claimed(_))));
}

async fn nothing_in_the_shared_demonstration_is_payable(desk: Desk) {
    desk.triage(&Workspace::DEMO, "T-101").await;
    let staged = desk.stage(&Workspace::DEMO, "T-101", 8_900, &agent("anonymous")).await.unwrap();
    let server::store::Staged::Held(held) = staged else { panic!("not held") };
    let by = approver("ann");
    assert_eq!(desk.nonce(&held.id, &by).await.unwrap_err(), StoreError::NotPayable);
    let lowered = desk.store.lower(&held.id, &by, Minor(1), &desk.rules, desk.now()).await;
    assert_eq!(lowered.unwrap_err(), StoreError::NotPayable);
    assert!(desk.store.cards_everywhere(&desk.rules, desk.now(), 9).await.unwrap().is_empty());
    // Not even with a nonce that somebody put into the tables.
    desk.sql(
        "INSERT INTO nonce (hash, refund, approver, digest, expires_at) \
         SELECT 'planted', id, 'ann', 'x', 9000000000000 FROM refund",
    )
    .await;
    assert_eq!(desk.press("planted", &by).await.unwrap_err(), StoreError::NotPayable);
    assert_eq!(desk.refund(&held.id).await.state, State::Held);
}

async fn a_stale_digest_says_what_changed(mut desk: Desk) {
    let by = approver("ann");
    let held = desk.held("T-101", 8_900).await;
    let shown = desk.card(&held.id).await.digest;
    let stale = |result: Result<String, StoreError>| match result {
        Err(StoreError::TermsChanged { changed, ended: false }) => changed,
        other => panic!("not stale: {other:?}"),
    };
    assert_eq!(stale(desk.nonce_for(&held.id, &by, "not a digest").await), []);
    desk.store.lower(&held.id, &by, Minor(8_000), &desk.rules, desk.now()).await.unwrap();
    assert_eq!(stale(desk.nonce_for(&held.id, &by, shown.as_str()).await), [Changed::Amount]);
    let lower = desk.card(&held.id).await.digest;
    desk.sql("UPDATE orders SET version = version + 2 WHERE id = 'A-5510'").await;
    assert_eq!(stale(desk.nonce_for(&held.id, &by, lower.as_str()).await), [Changed::Order]);
    desk.store.reopen(&sandbox(), &ticket("T-101"), desk.now()).await.unwrap();
    desk.rules.version = desk.store.activate_rules("days = 31", desk.now()).await.unwrap();
    assert_eq!(
        stale(desk.nonce_for(&held.id, &by, lower.as_str()).await),
        [Changed::Order, Changed::Ticket, Changed::Rules]
    );
    desk.store.lower(&held.id, &by, Minor(7_000), &desk.rules, desk.now()).await.unwrap();
    assert_eq!(
        stale(desk.nonce_for(&held.id, &by, shown.as_str()).await),
        [Changed::Amount, Changed::Order, Changed::Ticket, Changed::Rules]
    );
    assert_eq!(
        stale(desk.nonce_for(&held.id, &by, lower.as_str()).await),
        [Changed::Amount, Changed::Order, Changed::Ticket, Changed::Rules]
    );
    assert!(desk.nonce(&held.id, &by).await.is_ok());
}

async fn a_stale_nonce_is_used_up(desk: Desk) {
    let by = approver("ann");
    let held = desk.held("T-101", 8_900).await;
    let nonce = desk.nonce(&held.id, &by).await.unwrap();
    desk.sql("UPDATE orders SET version = version + 1 WHERE id = 'A-5510'").await;
    let changed = StoreError::TermsChanged { changed: vec![Changed::Order], ended: false };
    assert_eq!(desk.press(&nonce, &by).await.unwrap_err(), changed);
    assert_eq!(desk.press(&nonce, &by).await.unwrap_err(), StoreError::BadNonce);
    // The digest that the press sends counts as well as the one the nonce was minted for.
    let old = held.id.clone();
    let nonce = desk.nonce(&old, &by).await.unwrap();
    let wrong = Press { digest: Some("0000"), ..press(&nonce, &by) };
    let refused = desk.store.approve(wrong, &desk.rules, desk.now()).await.unwrap_err();
    assert_eq!(refused, StoreError::TermsChanged { changed: Vec::new(), ended: false });
    let digest = desk.card(&old).await.digest;
    let nonce = desk.nonce(&old, &by).await.unwrap();
    let right = Press { digest: Some(digest.as_str()), ..press(&nonce, &by) };
    assert!(matches!(desk.store.approve(right, &desk.rules, desk.now()).await, Ok(Approved::Claimed(_))));
}

async fn the_policy_decides_again_at_the_press(mut desk: Desk) {
    let by = approver("ann");
    let held = desk.held("T-101", 8_900).await;
    let nonce = desk.nonce(&held.id, &by).await.unwrap();
    desk.sql("UPDATE orders SET dispute = 'chargeback', version = version + 1 WHERE id = 'A-5510'").await;
    let ended = StoreError::TermsChanged { changed: vec![Changed::Order], ended: true };
    assert_eq!(desk.press(&nonce, &by).await.unwrap_err(), ended);
    let refund = desk.refund(&held.id).await;
    assert_eq!((refund.state, refund.ended_at), (State::TermsChanged, Some(desk.now())));
    assert_eq!(desk.money("T-101").await, (0, 0));
    let event = desk.store.record(&sandbox(), None, 1).await.unwrap().remove(0);
    assert_eq!(event.code.as_deref(), Some("DISPUTED"));

    // A budget that another refund has used up meanwhile.
    let held = desk.held("T-103", 10_000).await;
    let nonce = desk.nonce(&held.id, &by).await.unwrap();
    desk.rules.rules.budgets = vec![Budget { currency: Currency::USD, per_day: 9_999 }];
    let refused = desk.press(&nonce, &by).await.unwrap_err();
    assert_eq!(refused, StoreError::TermsChanged { changed: Vec::new(), ended: true });
    assert_eq!(desk.money("T-103").await, (0, 0));
}

async fn stopping_agents_does_not_stop_people(desk: Desk) {
    let held = desk.held("T-101", 8_900).await;
    desk.store.stop_everywhere(&Actor::Desk, true, desk.now()).await.unwrap();
    assert_eq!(desk.code(&sandbox(), "T-101").await, Code::Stopped);
    let paid = desk.paid(&held.id, &desk.ledger()).await;
    assert_eq!(paid.state, State::Paid);
}

async fn a_person_lowers_the_amount(desk: Desk) {
    let by = approver("ann");
    let held = desk.held("T-101", 8_900).await;
    let before = desk.card(&held.id).await;
    for amount in [0, 8_900, 9_000] {
        let refused = desk.store.lower(&held.id, &by, Minor(amount), &desk.rules, desk.now()).await;
        assert_eq!(refused.unwrap_err(), StoreError::AmountInvalid);
    }
    let after = desk.store.lower(&held.id, &by, Minor(2_000), &desk.rules, desk.now()).await.unwrap();
    assert_eq!((after.refund.amount, after.refund.asked), (Minor(2_000), Minor(8_900)));
    assert_ne!(after.digest, before.digest);
    assert_eq!(desk.money("T-101").await, (0, 2_000));
    assert!(desk.nonce_for(&held.id, &by, before.digest.as_str()).await.is_err());
    let paid = desk.paid(&held.id, &desk.ledger()).await;
    assert_eq!((paid.state, paid.amount, paid.asked), (State::Paid, Minor(2_000), Minor(8_900)));
    assert_eq!(desk.money("T-101").await, (2_000, 0));
}

fn two_people() -> Vec<Tier> {
    let (currency, strength) = (Currency::USD, Strength::InPage);
    vec![Tier { currency, up_to: None, people: 2, strength, expires: 3_600 }]
}

async fn two_people_are_two_people(mut desk: Desk) {
    desk.rules.rules.tiers = two_people();
    let held = desk.held("T-101", 8_900).await;
    for _ in 0..3 {
        let Ok(Approved::More(1, refund)) = desk.approve(&held.id, &approver("ann")).await else {
            panic!("one person counts once");
        };
        assert_eq!(refund.state, State::Held);
    }
    assert_eq!(desk.card(&held.id).await.approved_by, 1);
    assert!(matches!(desk.approve(&held.id, &approver("bob")).await, Ok(Approved::Claimed(_))));
    assert_eq!(desk.refund(&held.id).await.state, State::Paying);
}

async fn an_approval_of_other_terms_does_not_count(mut desk: Desk) {
    desk.rules.rules.tiers = two_people();
    let held = desk.held("T-101", 8_900).await;
    assert!(matches!(desk.approve(&held.id, &approver("ann")).await, Ok(Approved::More(1, _))));
    desk.store.lower(&held.id, &approver("bob"), Minor(8_000), &desk.rules, desk.now()).await.unwrap();
    assert_eq!(desk.card(&held.id).await.approved_by, 0);
    assert!(matches!(desk.approve(&held.id, &approver("bob")).await, Ok(Approved::More(1, _))));
    assert!(matches!(desk.approve(&held.id, &approver("ann")).await, Ok(Approved::Claimed(_))));
}

async fn a_weaker_approval_is_not_enough(mut desk: Desk) {
    desk.rules.rules.tiers = vec![Tier { people: 1, strength: Strength::Console, ..two_people()[0] }];
    let held = desk.held("T-101", 8_900).await;
    let page = Approver { id: "page".to_owned(), strength: Strength::InPage };
    assert_eq!(desk.nonce(&held.id, &page).await.unwrap_err(), StoreError::NotStrongEnough);
    let lowered = desk.store.lower(&held.id, &page, Minor(1), &desk.rules, desk.now()).await;
    assert_eq!(lowered.unwrap_err(), StoreError::NotStrongEnough);
    assert!(matches!(desk.approve(&held.id, &approver("ann")).await, Ok(Approved::Claimed(_))));
}

async fn stricter_rules_hold_for_what_is_held(mut desk: Desk) {
    let page = Approver { id: "page".to_owned(), strength: Strength::InPage };
    let held = desk.held("T-101", 8_900).await;
    let nonce = desk.nonce(&held.id, &page).await.unwrap();
    desk.rules.version = desk.store.activate_rules("stricter", desk.now()).await.unwrap();
    desk.rules.rules.tiers = vec![Tier { strength: Strength::Console, ..two_people()[0] }];
    let card = desk.card(&held.id).await;
    assert_eq!((card.people, card.strength), (2, Strength::Console));
    assert_eq!(desk.press(&nonce, &page).await.unwrap_err(), StoreError::NotStrongEnough);
    assert!(matches!(desk.approve(&held.id, &approver("ann")).await, Ok(Approved::More(1, _))));
}

async fn notes_are_kept_apart(desk: Desk) {
    let by = approver("ann");
    let held = desk.held("T-101", 8_900).await;
    let nonce = desk.nonce(&held.id, &by).await.unwrap();
    let noted = Press {
        note_to_customer: Some("Sorry\u{0}"),
        note_internal: Some("Third time"),
        ..press(&nonce, &by)
    };
    let refund = desk.store.reject(noted, &desk.rules, desk.now()).await.unwrap();
    assert_eq!(refund.note_to_customer.as_deref(), Some("Sorry\u{0}"));
    assert_eq!(refund.note_internal.as_deref(), Some("Third time"));
    assert_eq!(desk.refund(&held.id).await, refund);
}

async fn a_newer_message_marks_the_card(desk: Desk) {
    let held = desk.held("T-101", 8_900).await;
    assert!(!desk.card(&held.id).await.newer_message);
    desk.pass(1);
    let (ws, name) = (sandbox(), ticket("T-101"));
    desk.store.reply(&ws, &Actor::Person, &name, "Soon", &desk.rules, desk.now()).await.unwrap();
    assert!(!desk.card(&held.id).await.newer_message, "our own words are not the customer's");
    desk.sql(
        "INSERT INTO message (workspace, ticket, n, author, at, text) SELECT workspace, ticket, 9, author, \
         at + 1000, text FROM message WHERE workspace = 'a1b2c3' AND ticket = 'T-101' AND author = 'customer'",
    )
    .await;
    assert!(desk.card(&held.id).await.newer_message);
}

async fn a_rejection_needs_a_nonce_too(desk: Desk) {
    let by = approver("ann");
    let held = desk.held("T-101", 8_900).await;
    let guessed = desk.store.reject(press("guess", &by), &desk.rules, desk.now()).await;
    assert_eq!(guessed.unwrap_err(), StoreError::BadNonce);
    let nonce = desk.nonce(&held.id, &by).await.unwrap();
    desk.store.lower(&held.id, &by, Minor(8_000), &desk.rules, desk.now()).await.unwrap();
    let stale = desk.store.reject(press(&nonce, &by), &desk.rules, desk.now()).await.unwrap_err();
    assert_eq!(stale, StoreError::TermsChanged { changed: vec![Changed::Amount], ended: false });
    assert_eq!(desk.reject(&held.id).await.state, State::Rejected);
}

async fn a_list_of_cards_says_what_each_card_says(mut desk: Desk) {
    desk.rules.rules.budgets = vec![Budget { currency: Currency::USD, per_day: 20_000 }];
    let paid = desk.held("T-103", 2_000).await;
    desk.paid(&paid.id, &desk.ledger()).await;
    let other = Workspace::try_from("other").unwrap();
    let mut ids = Vec::new();
    for (workspace, name, amount, by, words) in [
        (&sandbox(), "T-103", 3_000, "tab-2", Some("one")),
        (&sandbox(), "T-101", 8_900, "tab-1", None),
        (&other, "T-101", 500, "tab-1", Some("two")),
        (&Workspace::DEMO, "T-101", 700, "tab-1", Some("three")),
    ] {
        let open = desk.store.view(workspace, &ticket(name), desk.now()).await.unwrap();
        if open.ticket.stage == policy::Stage::New {
            desk.triage(workspace, name).await;
        }
        desk.pass(1);
        match desk.say(workspace, name, amount, &agent(by), words).await {
            Ok(server::store::Staged::Held(refund)) => ids.push(refund.id),
            other => panic!("not held: {other:?}"),
        }
    }
    let mut each = Vec::new();
    for id in &ids {
        each.push(desk.card(id).await);
    }
    assert!(each.iter().all(|card| card.permit.eligible()));
    assert_eq!(each[0].permit.refund.remaining, 20_000 - 2_000 - 8_900, "the budget counts the others");
    let demo = each.pop().unwrap();
    assert_eq!(desk.store.cards(&Workspace::DEMO, None, &desk.rules, desk.now()).await.unwrap(), [demo]);
    assert_eq!(desk.store.cards_everywhere(&desk.rules, desk.now(), 9).await.unwrap(), each);
    assert_eq!(desk.store.cards_everywhere(&desk.rules, desk.now(), 1).await.unwrap(), each[..1]);
    assert_eq!(desk.store.cards(&sandbox(), None, &desk.rules, desk.now()).await.unwrap(), each[..2]);
    let one = desk.store.cards(&sandbox(), Some(&ticket("T-101")), &desk.rules, desk.now()).await.unwrap();
    assert_eq!(one, each[1..2]);
}
