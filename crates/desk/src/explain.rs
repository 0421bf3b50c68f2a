//! One sentence for each code. Only the window's, fixed by the HTTP contract, has a threshold in it; all other
//! thresholds are for staff.

use alloc::{format, string::String};

use policy::{Code, Permit};

/// What a code means here, for an agent or a person.
pub fn sentence(code: Code, permit: &Permit) -> String {
    let text = match code {
        Code::Stopped => "Agents are stopped; a person has to resume them.",
        Code::NoOrder => "No order is on record for this ticket.",
        Code::StaleRecord => "The shop has not confirmed the order's record recently enough.",
        Code::NotDelivered => "The order has not been delivered.",
        Code::OutsideWindow => {
            return match permit.window {
                Some(age) => {
                    format!("Order is {} days old; the refund window is {} days.", age.days, age.window)
                }
                None => String::from("The order is outside the refund window."),
            };
        }
        Code::FinalSale => "The order was sold as final.",
        Code::Disputed => "The payment is disputed at the bank.",
        Code::AlreadyRefunded => "Nothing is left to refund on this order.",
        Code::RefundLimit => "The customer has reached the number of refunds the shop allows.",
        Code::ReservedElsewhere => "A refund for this order is already waiting.",
        Code::Rejected => "A person rejected the refund, and nothing on record has changed since.",
        Code::Budget => "The shop's refund budget for the last 24 hours is used up.",
        Code::TicketClosed => "The ticket is closed; a person has to reopen it.",
        Code::NotTriaged => "The ticket has not been triaged yet.",
        Code::Eligible => "The order can be refunded once a person approves.",
    };
    String::from(text)
}

#[cfg(test)]
mod tests {
    use policy::{Purpose, Rules, TicketState, policy};

    use super::*;

    #[test]
    fn no_sentence_names_a_tool_or_a_threshold() {
        let permit = policy(&Rules::demo(), None, &TicketState::default(), Purpose::Agents);
        let mut seen = std::collections::BTreeSet::new();
        for code in Code::REASONS.into_iter().chain([Code::Eligible]) {
            let text = sentence(code, &permit);
            assert!(text.ends_with('.'), "{text}");
            assert!(seen.insert(text.clone()), "two codes share: {text}");
            for tool in policy::Tool::ALL {
                assert!(!text.contains(tool.name()), "{text}");
            }
            let digits = text.replace("24 hours", "");
            assert!(!digits.bytes().any(|byte| byte.is_ascii_digit()), "{text}");
        }
    }
}
