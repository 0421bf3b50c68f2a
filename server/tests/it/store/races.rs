//! Many at the same instant, each through connections of their own.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use desk::refund::State;
use policy::Code;
use server::payments::Answer;
use server::store::{Actor, Approved, Staged, Store, StoreError, Workspace};
use tokio::sync::Barrier;

use crate::store::fixture::{Desk, Told, agent, approver, on_each_database, press, sandbox, ticket};

on_each_database!(
    fifty_approvals_at_once_are_one_payment,
    fifty_presses_of_one_nonce_are_one_payment,
    two_tickets_of_one_payment_never_hold_both,
    equal_calls_at_once_are_one_hold,
    approve_and_reject_at_once_are_one_of_them,
    withdraw_and_approve_at_once_are_one_of_them,
    a_sandbox_is_made_once,
    every_event_has_a_place_of_its_own,
    processes_that_start_at_once_all_start,
);

/// As many stores as processes would have.
async fn processes(desk: &Desk) -> Vec<Store> {
    let mut stores = vec![desk.store.clone()];
    for _ in 0..4 {
        stores.push(desk.another().await);
    }
    stores
}

/// Runs `count` of them at the same instant, spread over the processes.
async fn at_once<T: Send + 'static, F>(
    stores: &[Store],
    count: usize,
    each: impl Fn(usize, Store) -> F,
) -> Vec<T>
where
    F: Future<Output = T> + Send + 'static,
{
    let barrier = Arc::new(Barrier::new(count));
    let tasks: Vec<_> = (0..count)
        .map(|number| {
            let (barrier, work) = (barrier.clone(), each(number, stores[number % stores.len()].clone()));
            tokio::spawn(async move {
                barrier.wait().await;
                work.await
            })
        })
        .collect();
    let mut done = Vec::new();
    for task in tasks {
        done.push(task.await.unwrap());
    }
    done
}

async fn fifty_approvals_at_once_are_one_payment(desk: Desk) {
    let desk = Arc::new(desk);
    let held = desk.held("T-101", 8_900).await;
    let mut nonces = Vec::new();
    for number in 0..50 {
        let by = approver(&format!("person-{number}"));
        nonces.push((desk.nonce(&held.id, &by).await.unwrap(), by));
    }
    let provider = Arc::new(Told::to(Answer::Paid("RF-222222".to_owned())));
    let answers = at_once(&processes(&desk).await, 50, |number, store| {
        let (desk, provider, (nonce, by)) = (desk.clone(), provider.clone(), nonces[number].clone());
        async move {
            match store.approve(press(&nonce, &by), &desk.rules, desk.now()).await {
                Ok(Approved::Claimed(claimed)) => {
                    Ok(store.pay(&*provider, claimed, &*desk.clock).await.unwrap().state)
                }
                Ok(Approved::More(..)) => panic!("one person is enough"),
                Err(error) => Err(error),
            }
        }
    })
    .await;
    let paid = answers.iter().filter(|answer| **answer == Ok(State::Paid)).count();
    let late = answers.iter().filter(|answer| **answer == Err(StoreError::AlreadyDecided)).count();
    assert_eq!((paid, late), (1, 49), "{answers:?}");
    assert_eq!(provider.asked.load(Ordering::SeqCst), 1);
    assert_eq!(desk.money("T-101").await, (8_900, 0));
}

async fn fifty_presses_of_one_nonce_are_one_payment(desk: Desk) {
    let desk = Arc::new(desk);
    let by = approver("ann");
    let held = desk.held("T-101", 8_900).await;
    let nonce = desk.nonce(&held.id, &by).await.unwrap();
    let answers = at_once(&processes(&desk).await, 50, |_, store| {
        let (desk, nonce, by) = (desk.clone(), nonce.clone(), by.clone());
        async move { store.approve(press(&nonce, &by), &desk.rules, desk.now()).await.map(|_| ()) }
    })
    .await;
    let claimed = answers.iter().filter(|answer| answer.is_ok()).count();
    let bad = answers.iter().filter(|answer| **answer == Err(StoreError::BadNonce)).count();
    assert_eq!((claimed, bad), (1, 49), "{answers:?}");
}

async fn two_tickets_of_one_payment_never_hold_both(desk: Desk) {
    let desk = Arc::new(desk);
    desk.triage(&sandbox(), "T-103").await;
    desk.triage(&sandbox(), "T-107").await;
    let stores = processes(&desk).await;
    for round in 0..5 {
        let answers = at_once(&stores, 10, |number, store| {
            let desk = desk.clone();
            async move {
                let by = agent(&format!("tab-{round}-{number}"));
                let name = ticket(if number % 2 == 0 { "T-103" } else { "T-107" });
                let amount = desk::money::Minor(14_950 - round);
                let ask = server::store::Ask { by: &by, ticket: &name, amount, words: None };
                (by.clone(), store.stage(&sandbox(), ask, &desk.rules, desk.now()).await)
            }
        })
        .await;
        let mut held = Vec::new();
        for (by, answer) in answers {
            match answer {
                Ok(Staged::Held(refund)) => held.push((by, refund)),
                Err(StoreError::Policy { code: Code::ReservedElsewhere, .. }) => {}
                other => panic!("neither held nor reserved elsewhere: {other:?}"),
            }
        }
        assert_eq!(held.len(), 1);
        assert_eq!(desk.money("T-103").await, (0, 14_950 - round));
        let (by, refund) = &held[0];
        desk.store.withdraw(&refund.id, by, desk.now()).await.unwrap();
        assert_eq!(desk.money("T-103").await, (0, 0));
    }
}

async fn equal_calls_at_once_are_one_hold(desk: Desk) {
    let desk = Arc::new(desk);
    desk.triage(&sandbox(), "T-101").await;
    let answers = at_once(&processes(&desk).await, 10, |_, store| {
        let desk = desk.clone();
        async move {
            let (by, name) = (agent("tab-1"), ticket("T-101"));
            let ask =
                server::store::Ask { by: &by, ticket: &name, amount: desk::money::Minor(8_900), words: None };
            store.stage(&sandbox(), ask, &desk.rules, desk.now()).await.unwrap()
        }
    })
    .await;
    let held = answers.iter().filter(|answer| matches!(answer, Staged::Held(_))).count();
    let joined = answers.iter().filter(|answer| matches!(answer, Staged::Joined(_))).count();
    assert_eq!((held, joined), (1, 9));
    let refunds = desk.store.refunds(&sandbox(), &ticket("T-101")).await.unwrap();
    assert_eq!((refunds.len(), refunds[0].callers), (1, 10));
    assert_eq!(desk.money("T-101").await, (0, 8_900));
}

async fn approve_and_reject_at_once_are_one_of_them(desk: Desk) {
    let desk = Arc::new(desk);
    let held = desk.held("T-101", 8_900).await;
    let mut nonces = Vec::new();
    for number in 0..10 {
        let by = approver(&format!("person-{number}"));
        nonces.push((desk.nonce(&held.id, &by).await.unwrap(), by));
    }
    let answers = at_once(&processes(&desk).await, 10, |number, store| {
        let (desk, (nonce, by)) = (desk.clone(), nonces[number].clone());
        async move {
            let press = press(&nonce, &by);
            if number % 2 == 0 {
                store.approve(press, &desk.rules, desk.now()).await.map(|_| State::Paying)
            } else {
                store.reject(press, &desk.rules, desk.now()).await.map(|refund| refund.state)
            }
        }
    })
    .await;
    let decided: Vec<_> = answers.iter().flatten().collect();
    assert_eq!(decided.len(), 1, "{answers:?}");
    assert_eq!(desk.refund(&held.id).await.state, *decided[0]);
}

async fn withdraw_and_approve_at_once_are_one_of_them(desk: Desk) {
    let desk = Arc::new(desk);
    desk.triage(&sandbox(), "T-101").await;
    let stores = processes(&desk).await;
    for round in 0..5 {
        let by = agent("tab-1");
        let held = desk.hold("T-101", 1_000 + round).await;
        let person = approver("ann");
        let nonce = desk.nonce(&held.id, &person).await.unwrap();
        let id = held.id.clone();
        let answers = at_once(&stores, 2, |number, store| {
            let (desk, nonce, person) = (desk.clone(), nonce.clone(), person.clone());
            let (by, id) = (by.clone(), id.clone());
            async move {
                if number == 0 {
                    store.withdraw(&id, &by, desk.now()).await.unwrap().state == State::Withdrawn
                } else {
                    store.approve(press(&nonce, &person), &desk.rules, desk.now()).await.is_ok()
                }
            }
        })
        .await;
        assert_ne!(answers[0], answers[1]);
        let settled = desk.store.settle(&id, Answer::Refused, desk.now()).await.unwrap();
        assert_eq!(settled.state, if answers[0] { State::Withdrawn } else { State::Failed });
        desk.store.receive(&id, &by, desk.now()).await.unwrap();
        assert_eq!(desk.money("T-101").await, (0, 0));
    }
}

async fn a_sandbox_is_made_once(desk: Desk) {
    let desk = Arc::new(desk);
    let made = at_once(&processes(&desk).await, 20, |_, store| {
        let desk = desk.clone();
        async move { store.stop(&sandbox(), &Actor::Person, false, desk.now()).await }
    })
    .await;
    assert!(made.iter().all(Result::is_ok), "{made:?}");
    assert_eq!(desk.number("SELECT COUNT(*) FROM ticket WHERE workspace = 'a1b2c3'").await, 8);
    assert_eq!(desk.number("SELECT seq FROM workspace WHERE id = 'a1b2c3'").await, 20);
}

async fn every_event_has_a_place_of_its_own(desk: Desk) {
    let desk = Arc::new(desk);
    let stores = processes(&desk).await;
    at_once(&stores, 30, |number, store| {
        let desk = desk.clone();
        async move {
            let workspace = Workspace::try_from(if number % 2 == 0 { "even" } else { "odd" }).unwrap();
            if number == 7 {
                store.stop_everywhere(&Actor::Desk, false, desk.now()).await.unwrap();
            } else {
                store.stop(&workspace, &Actor::Person, false, desk.now()).await.unwrap();
            }
        }
    })
    .await;
    for name in ["even", "odd"] {
        let workspace = Workspace::try_from(name).unwrap();
        let all = desk.store.events(&workspace, 0, 100).await.unwrap();
        let places: Vec<_> = all.events.iter().map(|event| event.seq).collect();
        assert_eq!(places, (1..=all.newest).collect::<Vec<_>>());
        assert!((14..=16).contains(&all.newest), "{}", all.newest);
    }
}

async fn processes_that_start_at_once_all_start(desk: Desk) {
    let desk = Arc::new(desk);
    let opened = at_once(std::slice::from_ref(&desk.store), 6, |_, _| {
        let desk = desk.clone();
        async move { Store::open(&desk.database, server::store::Limits::default(), desk.now()).await.is_ok() }
    })
    .await;
    assert_eq!(opened, [true; 6]);
    assert_eq!(desk.number("SELECT COUNT(*) FROM ticket WHERE workspace = 'pristine'").await, 8);
}
