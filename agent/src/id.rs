//! Ids of sessions, messages and events.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

/// A random id in the form of a UUID (version 4), which clients of Claude Code expect.
pub(crate) fn uuid() -> String {
    let [a, b] = [random(), random()];
    let (a, b) = ((a & 0xffff_ffff_ffff_0fff) | 0x4000, (b & 0x3fff_ffff_ffff_ffff) | (1 << 63));
    let hex = format!("{a:016x}{b:016x}");
    let part = |from: usize, to: usize| hex.get(from..to).unwrap_or_default();
    format!("{}-{}-{}-{}-{}", part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32))
}

/// The standard library seeds each state from the system's random source.
fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// Whether a text can be the id of a session: it becomes a file's name.
pub(crate) fn is_session(text: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    !text.is_empty() && text.len() <= 64 && text.chars().all(allowed)
}

/// Why a text cannot be the id of a session.
pub(crate) fn wrong(text: &str) -> String {
    format!("`{text}` cannot be the id of a session: expected at most 64 letters, digits, `-` and `_`")
}

#[cfg(test)]
mod tests {
    use super::{is_session, uuid};

    #[test]
    fn ids() {
        let (one, other) = (uuid(), uuid());
        assert!(one != other && one.len() == 36 && is_session(&one), "{one} {other}");
        assert_eq!(one.as_bytes()[14], b'4');
        assert!("89ab".contains(one.as_bytes()[19] as char), "{one}");
        assert!(!is_session("../x") && !is_session("") && !is_session(&"a".repeat(65)));
    }
}
