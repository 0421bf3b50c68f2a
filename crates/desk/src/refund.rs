//! The states of a refund, as a pure transition function.

/// Where a refund stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// It waits for a person.
    Held,
    /// A person approved; the provider is being asked.
    Paying,
    /// The provider paid.
    Paid,
    /// The bank sent it back after it was paid.
    Returned,
    /// The provider refused.
    Failed,
    /// The provider's answer was lost; it has to be asked what happened.
    Unknown,
    /// A person said no.
    Rejected,
    /// Nobody decided in time.
    Expired,
    /// Whoever asked took it back or went away.
    Withdrawn,
    /// What it stood on no longer holds.
    TermsChanged,
}

/// What happens to a refund.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// Enough people approved, and the policy still permits it.
    Claim,
    /// The provider says it paid.
    Paid,
    /// The provider says it will not pay.
    Refused,
    /// The provider's answer did not arrive.
    Lost,
    /// A person says no.
    Reject,
    /// Its time is over.
    Expire,
    /// Whoever asked took it back or went away.
    Withdraw,
    /// The policy no longer permits it, or the ticket was escalated or closed.
    TermsChange,
    /// The bank sent it back.
    Return,
}

impl State {
    /// Every state.
    pub const ALL: [State; 10] = [
        State::Held,
        State::Paying,
        State::Paid,
        State::Returned,
        State::Failed,
        State::Unknown,
        State::Rejected,
        State::Expired,
        State::Withdrawn,
        State::TermsChanged,
    ];

    /// The state an event leads to; none if the event can't happen there.
    pub const fn after(self, event: Event) -> Option<State> {
        match (self, event) {
            (State::Held, Event::Claim) => Some(State::Paying),
            (State::Held, Event::Reject) => Some(State::Rejected),
            (State::Held, Event::Expire) => Some(State::Expired),
            (State::Held, Event::Withdraw) => Some(State::Withdrawn),
            (State::Held, Event::TermsChange) => Some(State::TermsChanged),
            (State::Paying | State::Unknown, Event::Paid) => Some(State::Paid),
            (State::Paying | State::Unknown, Event::Refused) => Some(State::Failed),
            (State::Paying, Event::Lost) => Some(State::Unknown),
            (State::Paid, Event::Return) => Some(State::Returned),
            _ => None,
        }
    }

    /// True while its amount is reserved on the payment.
    pub const fn reserves(self) -> bool {
        matches!(self, State::Held | State::Paying | State::Unknown)
    }

    /// True once a call that waits for it gets its answer. An unknown outcome is not one.
    pub const fn ended(self) -> bool {
        !self.reserves()
    }

    /// The word it is stored and shown as.
    pub const fn as_str(self) -> &'static str {
        match self {
            State::Held => "held",
            State::Paying => "paying",
            State::Paid => "paid",
            State::Returned => "returned",
            State::Failed => "failed",
            State::Unknown => "unknown",
            State::Rejected => "rejected",
            State::Expired => "expired",
            State::Withdrawn => "withdrawn",
            State::TermsChanged => "terms_changed",
        }
    }

    /// The state stored as this word.
    pub fn parse(word: &str) -> Option<State> {
        State::ALL.into_iter().find(|state| state.as_str() == word)
    }

    /// What the policy sees of it.
    pub const fn own(self) -> policy::OwnRefund {
        match self {
            State::Held => policy::OwnRefund::Held,
            State::Paying => policy::OwnRefund::Paying,
            State::Unknown => policy::OwnRefund::Unknown,
            _ => policy::OwnRefund::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVENTS: [Event; 9] = [
        Event::Claim,
        Event::Paid,
        Event::Refused,
        Event::Lost,
        Event::Reject,
        Event::Expire,
        Event::Withdraw,
        Event::TermsChange,
        Event::Return,
    ];

    #[test]
    fn every_way_from_one_state_to_the_next() {
        let mut ways = Vec::new();
        for state in State::ALL {
            for event in EVENTS {
                if let Some(next) = state.after(event) {
                    ways.push((state.as_str(), event, next.as_str()));
                }
            }
        }
        assert_eq!(
            ways,
            [
                ("held", Event::Claim, "paying"),
                ("held", Event::Reject, "rejected"),
                ("held", Event::Expire, "expired"),
                ("held", Event::Withdraw, "withdrawn"),
                ("held", Event::TermsChange, "terms_changed"),
                ("paying", Event::Paid, "paid"),
                ("paying", Event::Refused, "failed"),
                ("paying", Event::Lost, "unknown"),
                ("paid", Event::Return, "returned"),
                ("unknown", Event::Paid, "paid"),
                ("unknown", Event::Refused, "failed"),
            ]
        );
    }

    #[test]
    fn money_is_reserved_until_the_outcome_is_known() {
        let reserving: Vec<_> = State::ALL.into_iter().filter(|state| state.reserves()).collect();
        assert_eq!(reserving, [State::Held, State::Paying, State::Unknown]);
        assert!(State::ALL.into_iter().all(|state| state.ended() != state.reserves()));
    }

    #[test]
    fn no_call_is_answered_before_the_outcome_is_known() {
        use policy::OwnRefund;
        for (state, own) in [
            (State::Held, OwnRefund::Held),
            (State::Paying, OwnRefund::Paying),
            (State::Unknown, OwnRefund::Unknown),
            (State::Paid, OwnRefund::None),
            (State::Rejected, OwnRefund::None),
        ] {
            assert_eq!(state.own(), own);
        }
    }

    #[test]
    fn words_name_states_both_ways() {
        for state in State::ALL {
            assert_eq!(State::parse(state.as_str()), Some(state));
        }
        assert_eq!(State::parse("pending"), None);
    }
}
