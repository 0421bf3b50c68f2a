//! The seven tools, and sets of them.

/// One of the seven tools an agent can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Tool {
    /// Ids, states and addresses of tickets; no text of strangers.
    ListTickets = 0,
    /// One conversation, the order's record and the refunds so far.
    GetTicket = 1,
    /// Why the refund is or isn't permitted.
    ExplainPolicy = 2,
    /// Moves a new ticket to triaged.
    TriageTicket = 3,
    /// Writes to the customer.
    ReplyToCustomer = 4,
    /// Hands the ticket to a person.
    EscalateTicket = 5,
    /// Asks for a refund and waits for a person.
    IssueRefund = 6,
}

impl Tool {
    /// Every tool, in the order in which they are listed.
    pub const ALL: [Tool; 7] = [
        Tool::ListTickets,
        Tool::GetTicket,
        Tool::ExplainPolicy,
        Tool::TriageTicket,
        Tool::ReplyToCustomer,
        Tool::EscalateTicket,
        Tool::IssueRefund,
    ];

    /// The name an agent calls it by.
    pub const fn name(self) -> &'static str {
        match self {
            Tool::ListTickets => "list_tickets",
            Tool::GetTicket => "get_ticket",
            Tool::ExplainPolicy => "explain_policy",
            Tool::TriageTicket => "triage_ticket",
            Tool::ReplyToCustomer => "reply_to_customer",
            Tool::EscalateTicket => "escalate_ticket",
            Tool::IssueRefund => "issue_refund",
        }
    }

    /// True for the tools that change something: these go when agents are stopped.
    pub const fn acts(self) -> bool {
        matches!(self, Tool::TriageTicket | Tool::ReplyToCustomer | Tool::EscalateTicket | Tool::IssueRefund)
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// A set of tools. Iterates in the order of [`Tool::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ToolSet(u8);

impl ToolSet {
    /// The set with no tool in it.
    pub const EMPTY: ToolSet = ToolSet(0);

    /// This set and one more tool.
    #[must_use]
    pub const fn with(self, tool: Tool) -> ToolSet {
        ToolSet(self.0 | tool.bit())
    }

    /// This set without the tools that change something.
    #[must_use]
    pub fn reading(self) -> ToolSet {
        self.iter().filter(|tool| !tool.acts()).collect()
    }

    /// True if the tool is in the set.
    pub const fn contains(self, tool: Tool) -> bool {
        self.0 & tool.bit() != 0
    }

    /// How many tools there are.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// True if no tool is there.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// True if every tool of this set is in the other.
    pub const fn is_subset(self, other: ToolSet) -> bool {
        self.0 & !other.0 == 0
    }

    /// The tools, in the order of [`Tool::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Tool> {
        Tool::ALL.into_iter().filter(move |tool| self.contains(*tool))
    }
}

impl FromIterator<Tool> for ToolSet {
    fn from_iter<I: IntoIterator<Item = Tool>>(tools: I) -> ToolSet {
        tools.into_iter().fold(ToolSet::EMPTY, ToolSet::with)
    }
}
