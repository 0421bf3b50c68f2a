//! What a call for a refund comes to.

use desk::Millis;
use desk::call::{Call, Earlier, Refusal, call};
use desk::money::Minor;
use desk::refund::State;
use policy::{
    Age, Code, Currency, OrderFacts, OwnRefund, Permit, Purpose, Rules, Stage, TicketState, policy,
};

const NOW: Millis = Millis(1_800_000_000_000);
const DAY: u64 = 86_400;

/// The permit of a triaged ticket about an $89 order of six days.
fn permit(change: impl FnOnce(&mut OrderFacts, &mut TicketState)) -> Permit {
    let age = Age { at_receipt: 6 * DAY, now: 6 * DAY };
    let mut order = OrderFacts {
        currency: Currency::USD,
        captured: 8_900,
        refunded: 0,
        reserved: 0,
        held_elsewhere: false,
        purchase: age,
        delivery: Some(age),
        record_age: None,
        final_sale: false,
        disputed: false,
        prior_refunds: 0,
        customer_day: 0,
        workspace_day: 0,
    };
    let mut ticket = TicketState { stage: Stage::Triaged, ..TicketState::default() };
    change(&mut order, &mut ticket);
    policy(&Rules::demo(), Some(&order), &ticket, Purpose::Agents)
}

fn open() -> Permit {
    permit(|_, _| {})
}

fn own_held() -> Permit {
    permit(|_, ticket| ticket.own = OwnRefund::Held)
}

/// A refund of $89 that this caller staged and that ended an hour ago, its outcome received.
fn earlier(state: State) -> Earlier {
    let ended_at = state.ended().then(|| NOW.minus_seconds(3_600));
    Earlier { state, asked: Minor(8_900), same_caller: true, ended_at, received: state.ended() }
}

fn comes_to(permit: &Permit, amount: u64, refunds: &[Earlier]) -> Call<usize> {
    call(permit, Minor(amount), refunds.iter().copied().enumerate(), NOW)
}

fn refused(code: Code) -> Call<usize> {
    Call::Refuse(Refusal::Policy(code))
}

#[test]
fn a_first_call_within_what_is_permitted_is_held() {
    assert_eq!(comes_to(&open(), 8_900, &[]), Call::Stage);
    assert_eq!(comes_to(&open(), 1, &[]), Call::Stage);
    assert_eq!(comes_to(&open(), 8_901, &[]), Call::Refuse(Refusal::MoreThanRemaining));
}

#[test]
fn a_call_that_is_not_permitted_gets_the_code_that_decides() {
    let late = permit(|order, _| order.purchase = Age { at_receipt: 91 * DAY, now: 91 * DAY });
    assert_eq!(comes_to(&late, 100, &[]), refused(Code::OutsideWindow));
    let new = permit(|_, ticket| ticket.stage = Stage::New);
    assert_eq!(comes_to(&new, 100, &[]), refused(Code::NotTriaged));
    // Too much of what is not permitted is first of all not permitted.
    assert_eq!(comes_to(&late, 100_000, &[]), refused(Code::OutsideWindow));
}

#[test]
fn an_equal_call_joins_the_refund_that_is_open() {
    for state in [State::Held, State::Paying, State::Unknown] {
        assert_eq!(comes_to(&own_held(), 8_900, &[earlier(state)]), Call::Join(0), "{state:?}");
    }
}

#[test]
fn a_call_that_is_not_equal_waits_for_nothing() {
    for state in [State::Held, State::Paying, State::Unknown] {
        let another_amount = earlier(state);
        assert_eq!(comes_to(&own_held(), 8_899, &[another_amount]), refused(Code::ReservedElsewhere));
        let another_caller = Earlier { same_caller: false, ..earlier(state) };
        assert_eq!(comes_to(&own_held(), 8_900, &[another_caller]), refused(Code::ReservedElsewhere));
    }
}

#[test]
fn nobody_joins_while_agents_are_stopped() {
    let stopped = permit(|_, ticket| (ticket.own, ticket.stopped) = (OwnRefund::Held, true));
    assert_eq!(comes_to(&stopped, 8_900, &[earlier(State::Held)]), refused(Code::Stopped));
    assert_eq!(comes_to(&stopped, 1, &[earlier(State::Held)]), refused(Code::Stopped));
}

#[test]
fn the_open_refund_counts_whatever_ended_before_it() {
    let rejected_before = [earlier(State::Held), earlier(State::Rejected)];
    assert_eq!(comes_to(&own_held(), 8_900, &rejected_before), Call::Join(0));
    let listed_later = [earlier(State::Expired), earlier(State::Held)];
    assert_eq!(comes_to(&own_held(), 8_900, &listed_later), Call::Join(1));
}

#[test]
fn an_equal_call_gets_a_payment_or_a_rejection_again_for_a_day() {
    for state in [State::Paid, State::Returned, State::Rejected] {
        let ended = |seconds| Earlier { ended_at: Some(NOW.minus_seconds(seconds)), ..earlier(state) };
        assert_eq!(comes_to(&open(), 8_900, &[ended(0)]), Call::Repeat(0), "{state:?}");
        assert_eq!(comes_to(&open(), 8_900, &[ended(DAY - 1)]), Call::Repeat(0), "{state:?}");
        assert_eq!(comes_to(&open(), 8_900, &[ended(DAY)]), Call::Stage, "{state:?}: a day is over");
        assert_eq!(comes_to(&open(), 8_900, &[ended(7 * DAY)]), Call::Stage, "{state:?}");
    }
}

#[test]
fn after_any_other_ending_a_new_call_stages_anew() {
    for state in [State::Failed, State::Expired, State::Withdrawn, State::TermsChanged] {
        assert_eq!(comes_to(&open(), 8_900, &[earlier(state)]), Call::Stage, "{state:?}");
    }
}

#[test]
fn an_outcome_that_no_call_has_received_is_given_first() {
    for state in State::ALL.into_iter().filter(|state| state.ended()) {
        let long_ago = Some(NOW.minus_seconds(30 * DAY));
        let lost = Earlier { received: false, ended_at: long_ago, ..earlier(state) };
        assert_eq!(comes_to(&open(), 8_900, &[lost]), Call::Repeat(0), "{state:?}");
        assert_eq!(comes_to(&open(), 8_800, &[lost]), Call::Stage, "{state:?}: another amount");
        let of_another = Earlier { same_caller: false, ..lost };
        assert_eq!(comes_to(&open(), 8_900, &[of_another]), Call::Stage, "{state:?}: another credential");
    }
}

#[test]
fn the_newest_known_outcome_is_repeated() {
    let refunds = [earlier(State::Expired), earlier(State::Rejected), earlier(State::Paid)];
    assert_eq!(comes_to(&open(), 8_900, &refunds), Call::Repeat(1));
}

#[test]
fn an_outcome_is_repeated_also_where_the_tool_has_gone() {
    let rejected = permit(|_, ticket| ticket.rejected = true);
    assert_eq!(comes_to(&rejected, 8_900, &[earlier(State::Rejected)]), Call::Repeat(0));
    let paid = permit(|order, _| order.refunded = 8_900);
    assert_eq!(comes_to(&paid, 8_900, &[earlier(State::Paid)]), Call::Repeat(0));
}

#[test]
fn asking_again_for_a_cent_less_is_not_a_way() {
    let rejected = permit(|_, ticket| ticket.rejected = true);
    let history = [earlier(State::Rejected)];
    assert_eq!(comes_to(&rejected, 8_899, &history), refused(Code::Rejected));
    assert_eq!(comes_to(&rejected, 1, &history), refused(Code::Rejected));
    // Another credential is no way either.
    let of_another = [Earlier { same_caller: false, ..earlier(State::Rejected) }];
    assert_eq!(comes_to(&rejected, 8_900, &of_another), refused(Code::Rejected));
}

#[test]
fn an_ending_without_a_moment_is_not_repeated_for_ever() {
    let undated = Earlier { ended_at: None, ..earlier(State::Paid) };
    assert_eq!(comes_to(&open(), 8_900, &[undated]), Call::Stage);
}
