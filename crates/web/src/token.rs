//! Random tokens, their hashes, and signed tokens.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};

/// 256 random bits as 43 characters.
pub fn random() -> String {
    URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>())
}

/// 128 random bits as 22 characters: unguessable names.
pub fn random_name() -> String {
    URL_SAFE_NO_PAD.encode(rand::random::<[u8; 16]>())
}

/// SHA-256 of a purpose and a token as lower-case hexadecimal digits. Only this is stored.
pub fn hash(purpose: &str, token: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(purpose.as_bytes());
    hash.update([0]);
    hash.update(token.as_bytes());
    hash.finalize().iter().fold(String::new(), |mut text, byte| {
        for nibble in [byte >> 4, byte & 15] {
            text.push(char::from_digit(u32::from(nibble), 16).unwrap_or('0'));
        }
        text
    })
}

/// Signs and checks tokens with a secret of this installation.
#[derive(Clone)]
pub struct Signer {
    mac: Hmac<Sha256>,
}

impl std::fmt::Debug for Signer {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Signer")
    }
}

impl Signer {
    /// A signer with this secret.
    pub fn new(secret: &[u8; 32]) -> Signer {
        // HMAC pads a short key with zeros to the block size; doing so here makes the length a matter of types.
        let mut block = [0; 64];
        for (to, from) in block.iter_mut().zip(secret) {
            *to = *from;
        }
        Signer { mac: Hmac::new(&block.into()) }
    }

    /// `PREFIXpayload.mac`, both parts base64url.
    pub fn sign(&self, prefix: &str, payload: &str) -> String {
        let mac = self.mac(prefix, payload).finalize().into_bytes();
        format!("{prefix}{}.{}", URL_SAFE_NO_PAD.encode(payload), URL_SAFE_NO_PAD.encode(mac))
    }

    /// The payload of a token that this installation signed with this prefix.
    pub fn open(&self, prefix: &str, token: &str) -> Option<String> {
        let (payload, mac) = token.strip_prefix(prefix)?.split_once('.')?;
        let payload = String::from_utf8(URL_SAFE_NO_PAD.decode(payload).ok()?).ok()?;
        let mac = URL_SAFE_NO_PAD.decode(mac).ok()?;
        self.mac(prefix, &payload).verify_slice(&mac).ok()?;
        Some(payload)
    }

    fn mac(&self, prefix: &str, payload: &str) -> Hmac<Sha256> {
        let mut mac = self.mac.clone();
        mac.update(prefix.as_bytes());
        mac.update(&[0]);
        mac.update(payload.as_bytes());
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_good_only_whole_and_for_its_purpose() {
        let signer = Signer::new(&[7; 32]);
        let token = signer.sign("qa_", "demo|T-101");
        assert_eq!(signer.open("qa_", &token), Some("demo|T-101".into()));
        assert_eq!(signer.open("qp_", &token), None);
        assert_eq!(signer.open("qa_", &token[..token.len() - 1]), None);
        assert_eq!(Signer::new(&[8; 32]).open("qa_", &token), None);
        let other = signer.sign("qa_", "demo|T-102");
        let (head, _) = token.split_once('.').unwrap();
        let (_, tail) = other.split_once('.').unwrap();
        assert_eq!(signer.open("qa_", &format!("{head}.{tail}")), None);
    }

    #[test]
    fn tokens_are_long_and_never_the_same() {
        assert_eq!((random().len(), random_name().len()), (43, 22));
        assert_ne!(random(), random());
        assert_ne!(hash("page", "x"), hash("nonce", "x"));
        assert_eq!(hash("page", "x").len(), 64);
    }
}
