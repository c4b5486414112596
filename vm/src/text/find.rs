//! Search for a text in another.
//!
//! A searcher of the standard library or of `memchr` is made for one needle and many texts. A condition has
//! one text of some hundred bytes for each needle, so making the searcher costs more than the search. Here,
//! the byte of the needle that is probably rarest in texts is searched for, and the needle compared there.

/// Comparisons that fail before the search is left to a searcher that is linear for every text.
const FAILURES: usize = 16;

/// Bytes of a needle among which the rarest is chosen.
const CHOICE: usize = 16;

/// Whether `needle` is in `text`. Costs time linear in both.
#[must_use]
pub fn contains(text: &[u8], needle: &[u8]) -> bool {
    let Some((offset, rare)) = rarest(needle) else { return true };
    let Some(last) = text.len().checked_sub(needle.len()) else { return false };
    // The positions at which the rare byte can be.
    let end = last.saturating_add(offset).saturating_add(1);
    let mut at = offset;
    for _ in 0..FAILURES {
        let Some(found) = text.get(at..end).and_then(|rest| memchr::memchr(rare, rest)) else {
            return false;
        };
        let place = at.saturating_add(found);
        let start = place.saturating_sub(offset);
        if text.get(start..).is_some_and(|rest| rest.starts_with(needle)) {
            return true;
        }
        at = place.saturating_add(1);
    }
    let rest = text.get(at.saturating_sub(offset)..).unwrap_or_default();
    memchr::memmem::find(rest, needle).is_some()
}

/// The byte of a text that is probably rarest, and its offset; `None` if the text is empty.
fn rarest(text: &[u8]) -> Option<(usize, u8)> {
    let mut best = (0, *text.first()?);
    let mut least = frequency_of(best.1);
    for (offset, byte) in text.iter().take(CHOICE).enumerate() {
        let frequency = frequency_of(*byte);
        if frequency < least {
            (best, least) = ((offset, *byte), frequency);
        }
    }
    Some(best)
}

fn frequency_of(byte: u8) -> u8 {
    FREQUENCIES.get(usize::from(byte)).copied().unwrap_or_default()
}

/// [`frequency`] by byte.
static FREQUENCIES: [u8; 256] = {
    let mut all = [0; 256];
    let mut byte = 0_u8;
    loop {
        #[allow(clippy::indexing_slicing, reason = "a constant: it fails while the crate is compiled")]
        {
            all[byte as usize] = frequency(byte);
        }
        match byte.checked_add(1) {
            Some(next) => byte = next,
            None => break all,
        }
    }
};

/// How frequent a byte is in texts, roughly: letters by their frequency in English, digits, the separators of
/// paths and words.
const fn frequency(byte: u8) -> u8 {
    match byte {
        b' ' => 9,
        b'e' | b't' | b'a' => 8,
        b'o' | b'i' | b'n' | b's' | b'r' => 7,
        b'h' | b'l' | b'd' | b'c' | b'u' => 6,
        b'm' | b'f' | b'p' | b'g' | b'w' => 5,
        b'y' | b'b' | b'v' | b'k' => 4,
        b'0'..=b'9' => 4,
        b'/' | b'-' | b'_' | b'.' | b',' | b'"' | b'\n' => 3,
        b'A'..=b'Z' => 2,
        b'j' | b'q' | b'x' | b'z' => 2,
        // Parts of characters in other scripts share their first bytes.
        128.. => 5,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use hookc_corpus::amount;

    use super::contains;

    #[test]
    fn as_the_standard_library() {
        let texts = [
            "",
            "a",
            "ab",
            "aab",
            "abab",
            "needle-1; needle-12",
            "ééé",
            "x-y-z-needle",
            "-",
            "--------------------",
            "-a-b-a-b-a-b-a-b-a-b-a-b-a-b-a-b-a-b-a-c",
        ];
        for text in texts {
            let needles = texts.iter().flat_map(|text| {
                (0..=text.len())
                    .flat_map(move |start| (start..=text.len()).map(move |end| text.get(start..end)))
            });
            for needle in needles.step_by(amount(1, 23)) {
                let Some(needle) = needle else { continue };
                assert_eq!(
                    contains(text.as_bytes(), needle.as_bytes()),
                    text.contains(needle),
                    "{text} {needle}"
                );
            }
        }
    }

    #[test]
    fn after_many_failures() {
        let text = format!("{}-b", "-a".repeat(100));
        for needle in ["-b", "a-b", "-a-b", "-a-a-a-b"] {
            assert!(contains(text.as_bytes(), needle.as_bytes()), "{needle}");
        }
        for needle in ["-c", "-b-", "b-a"] {
            assert!(!contains(text.as_bytes(), needle.as_bytes()), "{needle}");
        }
    }
}
