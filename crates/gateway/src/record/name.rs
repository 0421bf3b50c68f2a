//! Names: of an item in the state file, and as agents see it.

use crate::pin::Kind;

/// The longest name that hosts take.
const LONGEST: usize = 64;

/// How the state file names an item.
pub(crate) fn item_key(kind: Kind, name: &str) -> String {
    if kind == Kind::Instructions { kind.word().to_owned() } else { format!("{}:{name}", kind.word()) }
}

/// How agents see a tool or prompt: `server__tool`, 64 characters at most. A name with other characters, or a longer
/// one, ends in a piece of its own hash, so that two names never come out alike by being shortened.
pub(crate) fn exposed(alias: &str, name: &str) -> String {
    let whole = format!("{alias}__{name}");
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    if whole.len() <= LONGEST && whole.bytes().all(plain) {
        return whole;
    }
    let hash: String = web::token::hash("gateway name", name).chars().take(8).collect();
    let kept: String = whole
        .chars()
        .map(|character| if character.is_ascii() && plain(character as u8) { character } else { '_' })
        .take(LONGEST - 9)
        .collect();
    format!("{kept}_{hash}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_agents_can_use_stays_and_any_other_gets_a_mark_of_its_own() {
        assert_eq!(exposed("fs", "read_file"), "fs__read_file");
        assert_eq!(exposed("fs", "read.file-2"), "fs__read.file-2");
        let long = exposed("server", &"x".repeat(100));
        assert_eq!(long.len(), 64);
        assert_ne!(long, exposed("server", &"x".repeat(101)));
        assert_ne!(exposed("s", "a b"), exposed("s", "a_b"));
        assert_ne!(exposed("s", "аdd"), exposed("s", "add"));
        assert!(exposed("s", "аdd").is_ascii());
    }
}
