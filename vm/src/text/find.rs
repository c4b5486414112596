//! The search for one text in another. A searcher of `memchr` costs more to make than most searches.

use memchr::{memchr, memmem};

/// So often, and the search continues with an algorithm whose cost does not depend on the texts.
const MOST: usize = 16;

/// Whether a text has another one: looks for the byte of it that is likely the rarest, and compares the text
/// around it.
pub(crate) fn contains(text: &[u8], part: &[u8]) -> bool {
    let Some(last) = text.len().checked_sub(part.len()) else { return false };
    let Some((offset, byte)) = rarest(part) else { return true };
    let mut start = 0_usize;
    for _ in 0..MOST {
        // The byte of a match that starts at `start` or later, and ends in the text.
        let places = text.get(start.saturating_add(offset)..=last.saturating_add(offset));
        let Some(found) = places.and_then(|places| memchr(byte, places)) else { return false };
        start = start.saturating_add(found);
        if text.get(start..).is_some_and(|rest| rest.starts_with(part)) {
            return true;
        }
        start = start.saturating_add(1);
    }
    memmem::find(text.get(start..).unwrap_or_default(), part).is_some()
}

/// The byte of a text that other texts likely have least, and its first position.
fn rarest(part: &[u8]) -> Option<(usize, u8)> {
    part.iter().copied().enumerate().min_by_key(|(_, byte)| commonness(*byte))
}

/// How common a byte is in texts of events: prose, paths and command lines.
const fn commonness(byte: u8) -> u8 {
    match byte {
        b' ' | b'e' | b't' | b'a' | b'o' | b'i' | b'n' | b's' | b'r' => 5,
        b'b'..=b'd' | b'f'..=b'h' | b'l' | b'm' | b'p' | b'u' | b'w' | b'y' | b'/' => 4,
        b'a'..=b'z' | b'-' | b'.' | b'_' | b'0' | b'1' => 3,
        b'2'..=b'9' | b'"' | b',' => 2,
        b'A'..=b'Z' | b'\n' | b'\'' | b'=' | b':' => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_as_the_standard_library() {
        let mut texts: Vec<String> =
            ["", "a", "aa", "ab", "aab", "e-1 e-2 e-12", "é", "xé", "ééx", "-", "--", "a-b-c"]
                .map(str::to_owned)
                .to_vec();
        texts.extend([1, 15, 16, 17, 40].map(|count| "ab-".repeat(count)));
        texts.extend([15, 16, 17].map(|count| format!("{}abc", "ab-".repeat(count))));
        texts.extend(["ab-ab-abc", "-abc", "bab-", "b-a"].map(str::to_owned));
        for text in &texts {
            for part in &texts {
                assert_eq!(
                    contains(text.as_bytes(), part.as_bytes()),
                    text.contains(part.as_str()),
                    "{text} {part}"
                );
            }
        }
    }

    #[test]
    fn rare_bytes() {
        assert_eq!(rarest(b"needle-7"), Some((7, b'7')));
        assert_eq!(rarest(b"rm -rf"), Some((3, b'-')));
        assert_eq!(rarest(b""), None);
    }
}
