//! What a call for a refund comes to.

use policy::{Code, Permit};

use crate::Millis;
use crate::money::Minor;
use crate::refund::State;

/// How long an equal call gets a paid or rejected outcome again: one day.
pub const REPEATS_FOR: u64 = 86_400;

/// A refund of the same ticket, as far as it matters for a new call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Earlier {
    /// Where it stands.
    pub state: State,
    /// What was asked for.
    pub asked: Minor,
    /// True if the caller's credential is the one that staged it.
    pub same_caller: bool,
    /// When it ended; none while it has not.
    pub ended_at: Option<Millis>,
    /// True once a call has received its outcome.
    pub received: bool,
}

/// What a call comes to. `Key` names the earlier refund.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call<Key> {
    /// A new refund is held.
    Stage,
    /// It waits with the one that is open.
    Join(Key),
    /// It gets an outcome that is known.
    Repeat(Key),
    /// Nothing is staged.
    Refuse(Refusal),
}

/// Why nothing is staged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The policy does not permit it.
    Policy(Code),
    /// It is more than what may still be refunded.
    MoreThanRemaining,
}

/// Decides what a call for `amount` comes to. `earlier` holds the ticket's refunds, newest first.
pub fn call<Key: Copy>(
    permit: &Permit,
    amount: Minor,
    earlier: impl IntoIterator<Item = (Key, Earlier)>,
    now: Millis,
) -> Call<Key> {
    let mut known = None;
    for (key, one) in earlier {
        let equal = one.same_caller && one.asked == amount;
        if one.state.reserves() {
            return if permit.tools.contains(policy::Tool::IssueRefund) && equal {
                Call::Join(key)
            } else if permit.refund.reasons.contains(Code::Stopped) {
                Call::Refuse(Refusal::Policy(Code::Stopped))
            } else {
                Call::Refuse(Refusal::Policy(Code::ReservedElsewhere))
            };
        }
        if equal && known.is_none() && repeats(&one, now) {
            known = Some(key);
        }
    }
    match known {
        Some(key) => Call::Repeat(key),
        None if !permit.eligible() => Call::Refuse(Refusal::Policy(permit.code())),
        None if amount.0 > permit.refund.remaining => Call::Refuse(Refusal::MoreThanRemaining),
        None => Call::Stage,
    }
}

fn repeats(one: &Earlier, now: Millis) -> bool {
    if !one.received {
        return true;
    }
    let decided = matches!(one.state, State::Paid | State::Returned | State::Rejected);
    decided && one.ended_at.is_some_and(|at| now.seconds_since(at) < REPEATS_FOR)
}
