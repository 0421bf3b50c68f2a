//! What an approver is shown, and the digest that ties an approval to it.

use alloc::string::String;

use sha2::{Digest as _, Sha256};

use crate::id::{PaymentId, RefundId};
use crate::money::{Currency, Minor};
use crate::ticket::Versions;

/// All that an approval is bound to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The refund.
    pub refund: RefundId,
    /// What would be paid. A person may have lowered it.
    pub amount: Minor,
    /// In this currency.
    pub currency: Currency,
    /// From this payment.
    pub payment: PaymentId,
    /// On these records.
    pub versions: Versions,
    /// Under this version of the rules.
    pub rules: u64,
}

/// SHA-256 of the terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digest(String);

impl Digest {
    /// 64 lower-case hexadecimal digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Terms {
    /// The digest of exactly these terms. Every part is preceded by its length, so that no two terms share a form.
    pub fn digest(&self) -> Digest {
        let mut hash = Sha256::new();
        let mut part = |bytes: &[u8]| {
            hash.update(u64::try_from(bytes.len()).unwrap_or(u64::MAX).to_be_bytes());
            hash.update(bytes);
        };
        part(b"quarantine refund terms 1");
        part(self.refund.as_str().as_bytes());
        part(&self.amount.0.to_be_bytes());
        part(&self.currency.letters());
        part(self.payment.as_str().as_bytes());
        part(&self.versions.order.to_be_bytes());
        part(&self.versions.ticket.to_be_bytes());
        part(&self.rules.to_be_bytes());
        Digest(hex(&hash.finalize()))
    }
}

fn hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 0x0f)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms() -> Terms {
        Terms {
            refund: RefundId::try_from("r1").unwrap(),
            amount: Minor(8_900),
            currency: Currency::USD,
            payment: PaymentId::try_from("p1").unwrap(),
            versions: Versions { order: 1, ticket: 2 },
            rules: 3,
        }
    }

    #[test]
    fn every_part_of_the_terms_changes_the_digest() {
        let base = terms();
        let changed = [
            Terms { refund: RefundId::try_from("r2").unwrap(), ..base.clone() },
            Terms { amount: Minor(8_899), ..base.clone() },
            Terms { currency: crate::money::currency("EUR").unwrap(), ..base.clone() },
            Terms { payment: PaymentId::try_from("p2").unwrap(), ..base.clone() },
            Terms { versions: Versions { order: 2, ticket: 2 }, ..base.clone() },
            Terms { versions: Versions { order: 1, ticket: 3 }, ..base.clone() },
            Terms { rules: 4, ..base.clone() },
        ];
        let mut digests: Vec<_> = changed.iter().map(|terms| terms.digest().as_str().to_owned()).collect();
        digests.push(base.digest().as_str().to_owned());
        digests.sort();
        digests.dedup();
        assert_eq!(digests.len(), 8);
    }

    #[test]
    fn the_digest_is_a_plain_sha_256() {
        // Computed with Python's hashlib over the length-prefixed parts.
        assert_eq!(
            terms().digest().as_str(),
            "bef38f93b6e10ff13b46578112be5e8858680ec56b1c6245d27f158787894349"
        );
        assert_eq!(hex(&[0x00, 0x9f, 0xff]), "009fff");
    }
}
