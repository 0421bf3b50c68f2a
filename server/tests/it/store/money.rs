//! Whatever is done in whatever order, the money adds up: an account of it is kept in memory and compared.

use std::collections::BTreeMap;

use desk::id::RefundId;
use desk::money::Minor;
use desk::refund::State;
use proptest::prelude::*;
use server::payments::Answer;
use server::store::{Actor, Approved, Staged, Workspace};

use crate::store::fixture::{Desk, agent, approver, press, ticket};

#[derive(Clone, Debug)]
enum Step {
    Stage { ticket: usize, amount: u64, caller: u8 },
    Withdraw(usize),
    Gone(usize),
    Lower(usize, u64),
    Approve(usize, Ending),
    Settle(usize, Ending),
    Reject(usize),
    Escalate(usize),
    Resolve(usize),
    Reopen(usize),
    Pass(u64),
    Reset,
}

#[derive(Clone, Copy, Debug)]
enum Ending {
    Paid,
    Refused,
    Lost,
    /// The process stops before it asks.
    Crash,
}

/// Two tickets of one order, and two of their own.
const TICKETS: [&str; 4] = ["T-103", "T-107", "T-101", "T-106"];

fn step() -> impl Strategy<Value = Step> {
    let ending = prop::sample::select(vec![Ending::Paid, Ending::Refused, Ending::Lost, Ending::Crash]);
    let ticket = 0..TICKETS.len();
    let amount = prop_oneof![1..200_u64, 1..16_000_u64, Just(14_950), Just(8_900), Just(2_499)];
    prop_oneof![
        6 => (ticket.clone(), amount.clone(), 0..2_u8)
            .prop_map(|(ticket, amount, caller)| Step::Stage { ticket, amount, caller }),
        1 => any::<usize>().prop_map(Step::Withdraw),
        1 => any::<usize>().prop_map(Step::Gone),
        1 => (any::<usize>(), amount).prop_map(|(of, amount)| Step::Lower(of, amount)),
        4 => (any::<usize>(), ending.clone()).prop_map(|(of, ending)| Step::Approve(of, ending)),
        2 => (any::<usize>(), ending).prop_map(|(of, ending)| Step::Settle(of, ending)),
        1 => any::<usize>().prop_map(Step::Reject),
        1 => ticket.clone().prop_map(Step::Escalate),
        1 => ticket.clone().prop_map(Step::Resolve),
        2 => ticket.prop_map(Step::Reopen),
        1 => (0..5_000_u64).prop_map(Step::Pass),
        1 => Just(Step::Reset),
    ]
}

/// What the answers alone say happened to the money.
#[derive(Default)]
struct Account {
    open: BTreeMap<RefundId, (usize, u64)>,
    refunded: BTreeMap<&'static str, u64>,
    all: Vec<(RefundId, u8)>,
}

/// The order a ticket's money comes from.
fn source(ticket: usize) -> &'static str {
    ["A-6203", "A-6203", "A-5510", "A-9014"][ticket]
}

impl Account {
    fn heard(&mut self, id: &RefundId, state: State, amount: u64) {
        match state {
            State::Held | State::Paying | State::Unknown => {
                if let Some(open) = self.open.get_mut(id) {
                    open.1 = amount;
                }
            }
            State::Paid => {
                if let Some((ticket, _)) = self.open.remove(id) {
                    *self.refunded.entry(source(ticket)).or_default() += amount;
                }
            }
            _ => {
                self.open.remove(id);
            }
        }
    }

    fn pick(&self, of: usize) -> Option<(RefundId, u8)> {
        self.all.get(of.checked_rem(self.all.len())?).cloned()
    }
}

fn caller(number: u8) -> server::store::Agent {
    agent(&format!("tab-{number}"))
}

async fn apply(desk: &Desk, ws: &Workspace, account: &mut Account, step: Step) {
    let (store, now, by) = (&desk.store, desk.now(), approver("ann"));
    match step {
        Step::Stage { ticket, amount, caller: number } => {
            let staged = desk.stage(ws, TICKETS[ticket], amount, &caller(number)).await;
            if let Ok(Staged::Held(refund)) = staged {
                assert_eq!(refund.amount, Minor(amount));
                account.open.insert(refund.id.clone(), (ticket, amount));
                account.all.push((refund.id, number));
            }
        }
        Step::Withdraw(of) => {
            if let Some((id, number)) = account.pick(of) {
                let refund = store.withdraw(&id, &caller(number), now).await.unwrap();
                account.heard(&id, refund.state, refund.amount.0);
            }
        }
        Step::Gone(of) => {
            if let Some((id, _)) = account.pick(of) {
                let refund = store.gone(&id, &Actor::Desk, now).await.unwrap();
                account.heard(&id, refund.state, refund.amount.0);
            }
        }
        Step::Lower(of, amount) => {
            if let Some((id, _)) = account.pick(of)
                && let Ok(card) = store.lower(&id, &by, Minor(amount), &desk.rules, now).await
            {
                account.heard(&id, card.refund.state, card.refund.amount.0);
            }
        }
        Step::Approve(of, ending) => {
            if let Some((id, _)) = account.pick(of)
                && let Ok(card) = store.card(&id, &desk.rules, now).await
                && let Ok(nonce) = desk.nonce_for(&id, &by, card.digest.as_str()).await
            {
                if let Ok(Approved::Claimed(claimed)) = desk.press(&nonce, &by).await {
                    assert_eq!(claimed.amount(), card.refund.amount);
                    settle(desk, account, &id, ending).await;
                } else {
                    let refund = desk.refund(&id).await;
                    assert_eq!(refund.state, State::TermsChanged);
                    account.heard(&id, refund.state, refund.amount.0);
                }
            }
        }
        Step::Settle(of, ending) => {
            if let Some((id, _)) = account.pick(of)
                && matches!(desk.refund(&id).await.state, State::Paying | State::Unknown)
            {
                settle(desk, account, &id, ending).await;
            }
        }
        Step::Reject(of) => {
            if let Some((id, _)) = account.pick(of)
                && let Ok(card) = store.card(&id, &desk.rules, now).await
                && let Ok(nonce) = desk.nonce_for(&id, &by, card.digest.as_str()).await
            {
                let refund = store.reject(press(&nonce, &by), &desk.rules, now).await.unwrap();
                account.heard(&id, refund.state, refund.amount.0);
            }
        }
        Step::Escalate(of) => {
            let name = ticket(TICKETS[of]);
            if store.escalate(ws, &Actor::Person, &name, "x", &desk.rules, now).await.is_ok() {
                closed(desk, account, of).await;
            }
        }
        Step::Resolve(of) => {
            if store.resolve(ws, &ticket(TICKETS[of]), now).await.is_ok() {
                closed(desk, account, of).await;
            }
        }
        Step::Reopen(of) => {
            let _ = store.reopen(ws, &ticket(TICKETS[of]), now).await;
        }
        Step::Pass(seconds) => {
            desk.pass(seconds);
            for refund in store.sweep(desk.now()).await.unwrap() {
                assert_eq!(refund.state, State::Expired);
                account.heard(&refund.id, refund.state, refund.amount.0);
            }
        }
        Step::Reset => {
            store.reset(ws, &Actor::Person, now).await.unwrap();
            for name in TICKETS {
                desk.triage(ws, name).await;
            }
            account.open.clear();
            account.refunded.clear();
        }
    }
}

async fn settle(desk: &Desk, account: &mut Account, id: &RefundId, ending: Ending) {
    let answer = match ending {
        Ending::Paid => Answer::Paid("RF-222222".to_owned()),
        Ending::Refused => Answer::Refused,
        Ending::Lost => Answer::Lost,
        Ending::Crash => return,
    };
    let refund = desk.store.settle(id, answer, desk.now()).await.unwrap();
    account.heard(id, refund.state, refund.amount.0);
}

/// A ticket that closed took what it held along, but nothing that is being paid.
async fn closed(desk: &Desk, account: &mut Account, of: usize) {
    let open: Vec<_> =
        account.open.iter().filter(|(_, (at, _))| *at == of).map(|(id, _)| id.clone()).collect();
    for id in open {
        let refund = desk.refund(&id).await;
        assert_ne!(refund.state, State::Held);
        account.heard(&id, refund.state, refund.amount.0);
    }
}

async fn adds_up(desk: &Desk, ws: &Workspace, account: &Account) {
    for (number, name) in TICKETS.iter().enumerate() {
        let payment = desk.payment(ws, name).await;
        let order = source(number);
        let reserved: u64 =
            account.open.values().filter(|(at, _)| source(*at) == order).map(|(_, amount)| *amount).sum();
        let refunded = account.refunded.get(order).copied().unwrap_or_default();
        assert!(payment.refunded.0 + payment.reserved.0 <= payment.captured.0);
        assert_eq!((payment.refunded.0, payment.reserved.0), (refunded, reserved), "{order}");
    }
    for (id, (_, amount)) in &account.open {
        let refund = desk.refund(id).await;
        assert!(refund.state.reserves() && refund.amount.0 == *amount);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, max_shrink_iters: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_done_the_money_adds_up(steps in prop::collection::vec(step(), 1..60)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut desk = Desk::sqlite().await;
            desk.rules.rules.prior_refunds = None;
            let ws = crate::store::fixture::sandbox();
            let mut account = Account::default();
            apply(&desk, &ws, &mut account, Step::Reset).await;
            for step in steps {
                apply(&desk, &ws, &mut account, step).await;
                adds_up(&desk, &ws, &account).await;
            }
        });
    }
}
