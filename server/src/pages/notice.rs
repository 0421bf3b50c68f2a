//! The one line a page shows after a form was sent. Its code comes from a closed list and travels in the address, so
//! that no address can put words of its own on our page.

macro_rules! notices {
    (@ done) => { true };
    (@ not_done) => { false };
    ($($(#[$doc:meta])* $name:ident $code:literal $good:ident $sentence:literal;)*) => {
        /// What happened to a form.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Notice {
            $($(#[$doc])* $name,)*
        }

        impl Notice {
            /// Every notice.
            pub const ALL: &[Notice] = &[$(Notice::$name),*];

            /// The code in the address: `?done=triaged`.
            pub const fn code(self) -> &'static str {
                match self { $(Notice::$name => $code),* }
            }

            /// What the person reads.
            pub const fn sentence(self) -> &'static str {
                match self { $(Notice::$name => $sentence),* }
            }

            /// True if what was asked for was done.
            pub const fn good(self) -> bool {
                match self { $(Notice::$name => notices!(@ $good)),* }
            }
        }
    };
}

notices! {
    /// The ticket was sorted.
    Triaged "triaged" done "Triaged. What an agent holds here has changed.";
    /// The reply went out.
    Replied "replied" done "Your reply was sent.";
    /// The ticket was handed on.
    Escalated "escalated" done "Escalated. A person has to take it from here.";
    /// The ticket was closed.
    Resolved "resolved" done "Resolved.";
    /// The ticket was taken up again.
    Reopened "reopened" done "Reopened. The ticket can be worked on again.";
    /// A message was written.
    Composed "composed" done "Your message is in the queue. Triage it and see what an agent is given.";
    /// The demonstration starts anew.
    Reset "reset" done "The demo was reset. All eight tickets are new again.";
    /// Agents hold no acting tool.
    Stopped "stopped" done "Agents are stopped. They can read; they hold nothing that acts.";
    /// Agents hold what the records permit.
    Resumed "resumed" done "Agents hold again what the records permit.";
    /// The refund was paid.
    Paid "paid" done "Approved and paid. The agent's call has returned with the reference.";
    /// The provider refused.
    Failed "failed" not_done "Approved, but the payment provider refused. No money has moved.";
    /// The provider's answer was lost.
    Unknown "unknown" not_done "Approved, but the provider's answer was lost. It is being asked what happened; do not pay it another way.";
    /// One approval of several.
    OneMore "one-more" done "Your approval counts. Another person has to approve too.";
    /// The refund was rejected.
    Rejected "rejected" done "Rejected. Nothing was paid, and the agent's call has returned with your note.";
    /// The card shows a smaller amount.
    Lowered "lowered" done "The card now shows the smaller amount. Nothing is paid until you approve it.";
    /// What was approved is not what stands there now.
    TermsChanged "terms-changed" not_done "Nothing was decided: the records changed after this card was drawn. Look at it again.";
    /// The policy no longer permits it: the refund ended unpaid.
    NoLonger "no-longer" not_done "Nothing was paid: the rules no longer permit this refund. The agent has been told.";
    /// The tab that asked is away.
    NobodyWaits "nobody-waits" not_done "Nothing was decided: the page that asked is away. Press again once it is back.";
    /// Somebody was faster.
    AlreadyDecided "already-decided" not_done "This refund was decided before you pressed. Nothing was paid twice.";
    /// The approval is not as strong as the amount needs.
    NotStrongEnough "not-strong-enough" not_done "Nothing was decided: this amount needs a stronger approval.";
    /// Not an amount, or more than is left.
    AmountInvalid "amount-invalid" not_done "That is not an amount that can be paid here. Write it like 89 or 89.00, and not more than was asked.";
    /// A form that can't be read.
    BadForm "bad-form" not_done "The form could not be read. A field is missing or too long; nothing was changed.";
    /// Not possible in this state.
    NotAvailable "not-available" not_done "That is not possible while the ticket stands as it does. Nothing was changed.";
    /// Not there.
    NotFound "not-found" not_done "It is no longer there. Nothing was changed.";
    /// Too many at once.
    TooMany "too-many" not_done "Too much at once. Wait a moment and try again; nothing was changed.";
    /// The store did not take it.
    NotStored "not-stored" not_done "The desk could not write that down. Nothing was changed; try again.";
    /// The approver is signed in.
    SignedIn "signed-in" done "You are signed in as an approver.";
    /// The approver is signed out.
    SignedOut "signed-out" done "You are signed out.";
    /// The link was used, or is too old.
    LinkUsed "link-used" not_done "That sign-in link was used before or is too old. Ask for a new one.";
}

impl Notice {
    /// The notice with this code.
    pub fn parse(code: &str) -> Option<Notice> {
        Notice::ALL.iter().copied().find(|notice| notice.code() == code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_names_its_notice() {
        for notice in Notice::ALL {
            assert_eq!(Notice::parse(notice.code()), Some(*notice));
            assert!(notice.sentence().ends_with('.'));
        }
        assert_eq!(Notice::parse("<b>paid</b>"), None);
        assert_eq!(Notice::parse(""), None);
    }
}
