//! Rules that can be broken on purpose, one at a time.

use serde::Deserialize;

/// One rule of the desk in memory, broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Break {
    /// Nothing is ever permitted.
    NothingPermitted,
    /// Every tool is listed, and those that are not permitted are refused when they are called.
    RefusedInsteadOfAbsent,
    /// The refund window is not looked at.
    WindowIgnored,
    /// The customer's refunds before are not looked at.
    PriorLimitIgnored,
    /// Refunds paid here are not counted for the customer.
    PriorNotCounted,
    /// What has not arrived counts as delivered.
    NotDeliveredIgnored,
    /// What is held is not reserved on the payment.
    ReservationIgnored,
    /// What was paid is not written on the order.
    PaidNotCounted,
    /// The amount is not compared with what remains.
    AmountNotBounded,
    /// A rejection leaves no trace on the ticket.
    RejectionForgotten,
    /// An escalated ticket is treated as if it were not.
    ClosedIgnored,
    /// A refund can be staged before triage.
    TriageNotNeeded,
    /// Stopping agents changes nothing.
    StopIgnored,
    /// While agents are stopped, people can't decide either.
    StopBindsPeople,
    /// The reply tool stays while a refund is held.
    ReplyWhileHeld,
    /// A message that claims an approval is believed.
    MessageReachesPolicy,
    /// A message that looks like an attack takes the refund away.
    SuspicionReachesPolicy,
    /// Triage's category lifts a limit.
    SummaryReachesPolicy,
    /// A header says how old the order is.
    HeaderReachesPolicy,
    /// An order that a message names becomes the ticket's.
    OrderFromMessage,
    /// The tool list is not rebuilt after it was first shown.
    ToolListNotRebuilt,
    /// A staged refund is paid at once.
    ApprovalNotNeeded,
    /// Any nonce will do.
    NonceNotChecked,
    /// A nonce works more than once.
    NonceReusable,
    /// The nonce is made at staging and told in its answer.
    NonceLeaked,
    /// A decision changes what has ended.
    DecidedAgain,
    /// The terms that were shown are not compared with those that are.
    DigestNotChecked,
    /// The approved amount is not the one that is paid.
    LowerAmountIgnored,
    /// A person can approve more than was asked.
    HigherAmountAllowed,
    /// What an agent may not do is not looked at.
    RoleNotChecked,
    /// A header says who somebody is.
    HeaderClaimsRole,
    /// A caller without a credential is taken for the person at the page.
    AnonymousIsPage,
    /// A session may reach every ticket.
    SubjectNotChecked,
    /// Escalating leaves what is held as it is.
    TermsNotRechecked,
    /// Taking back answers, and does nothing.
    WithdrawStaysPayable,
    /// An equal call does not join.
    JoinIgnored,
    /// A known outcome is not repeated.
    RepeatIgnored,
    /// The internal note goes along with the other.
    InternalNoteTold,
    /// Subjects stand in the list of tickets.
    TextInList,
    /// The agent's words stand among the records of the card.
    WordsAmongRecords,
    /// Refusals repeat what was sent.
    RefusalsEcho,
    /// Reading a new ticket sorts it.
    ReadingActs,
    /// Unknown fields of a request are ignored.
    UnknownFieldsIgnored,
    /// Amounts are read as floating-point numbers.
    MoneyAsFloat,
    /// The explanation names the tool.
    ExplanationNamesTool,
}
