//! Identifiers: 1 to 64 of `A–Z a–z 0–9 . _ -`, so that none can carry a sentence.

use alloc::string::String;
use core::fmt;

/// Why a text is not an identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAnId;

impl fmt::Display for NotAnId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an identifier has 1 to 64 letters, digits, dots, dashes or underscores")
    }
}

impl core::error::Error for NotAnId {}

fn valid(text: &str) -> bool {
    (1..=64).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// The identifier as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<&str> for $name {
            type Error = NotAnId;

            fn try_from(text: &str) -> Result<$name, NotAnId> {
                if valid(text) { Ok($name(String::from(text))) } else { Err(NotAnId) }
            }
        }

        impl TryFrom<String> for $name {
            type Error = NotAnId;

            fn try_from(text: String) -> Result<$name, NotAnId> {
                if valid(&text) { Ok($name(text)) } else { Err(NotAnId) }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str(&self.0)
            }
        }
    };
}

id! {
    /// A ticket: `T-101`.
    TicketId
}
id! {
    /// An order: `A-5510`.
    OrderId
}
id! {
    /// A payment. The ledger is keyed by it, not by the order's name.
    PaymentId
}
id! {
    /// A customer, as the shop counts them. Not a name.
    CustomerId
}
id! {
    /// A refund. Unguessable.
    RefundId
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_cannot_carry_a_sentence() {
        assert!(TicketId::try_from("T-101").is_ok());
        assert!(TicketId::try_from("a".repeat(64)).is_ok());
        for text in ["", " ", "T 101", "T-101\n", "é", "a/b", "T-101<", &"a".repeat(65)] {
            assert_eq!(TicketId::try_from(text), Err(NotAnId), "{text:?}");
            assert_eq!(OrderId::try_from(String::from(text)), Err(NotAnId), "{text:?}");
        }
        assert_eq!(TicketId::try_from("T-101").unwrap().to_string(), "T-101");
        assert_eq!(PaymentId::try_from("p.1_x").unwrap().as_str(), "p.1_x");
        assert!(NotAnId.to_string().contains("1 to 64"));
    }
}
