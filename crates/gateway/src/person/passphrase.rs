//! The passphrase of the page: PBKDF2-HMAC-SHA-256 (RFC 8018), with the number of rounds OWASP names for it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use subtle::ConstantTimeEq as _;

const ROUNDS: u32 = 600_000;

/// The fewest characters a passphrase may have.
pub(crate) const SHORTEST: usize = 12;

/// What is kept of a passphrase.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Passphrase {
    rounds: u32,
    salt: String,
    hash: String,
}

impl Passphrase {
    /// What to keep of this passphrase. `None` if it is too short.
    pub(crate) fn of(text: &str) -> Option<Passphrase> {
        if text.chars().count() < SHORTEST {
            return None;
        }
        let salt = web::token::random_name();
        let hash = STANDARD_NO_PAD.encode(derive(text.as_bytes(), salt.as_bytes(), ROUNDS)?);
        Some(Passphrase { rounds: ROUNDS, salt, hash })
    }

    /// True if it is this one. Takes about half a second, on purpose.
    pub(crate) fn is(&self, text: &str) -> bool {
        let rounds = self.rounds.clamp(1, 10_000_000);
        let Some(hash) = derive(text.as_bytes(), self.salt.as_bytes(), rounds) else { return false };
        STANDARD_NO_PAD.encode(hash).as_bytes().ct_eq(self.hash.as_bytes()).into()
    }
}

/// One block of PBKDF2, which is all of a 32-byte key.
fn derive(password: &[u8], salt: &[u8], rounds: u32) -> Option<[u8; 32]> {
    let mac = Hmac::<Sha256>::new_from_slice(password).ok()?;
    let mut first = mac.clone();
    first.update(salt);
    first.update(&1_u32.to_be_bytes());
    let mut block: [u8; 32] = first.finalize().into_bytes().into();
    let mut key = block;
    for _ in 1..rounds {
        let mut next = mac.clone();
        next.update(&block);
        block = next.finalize().into_bytes().into();
        for (to, from) in key.iter_mut().zip(block) {
            *to ^= from;
        }
    }
    Some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_vectors_come_out_right() {
        // RFC 7914, section 11 (PBKDF2-HMAC-SHA-256), first 32 bytes.
        let key = derive(b"passwd", b"salt", 1).unwrap();
        assert_eq!(key[..8], [0x55, 0xac, 0x04, 0x6e, 0x56, 0xe3, 0x08, 0x9f]);
        let key = derive(b"Password", b"NaCl", 80_000).unwrap();
        assert_eq!(key[..8], [0x4d, 0xdc, 0xd8, 0xf6, 0x0b, 0x98, 0xbe, 0x21]);
    }

    #[test]
    fn a_short_one_is_not_taken() {
        assert!(Passphrase::of("elevenchars").is_none());
    }
}
