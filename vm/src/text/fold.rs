//! Simple Unicode case folding (CaseFolding.txt, statuses C and S): one character folds to one
//! character, so positions stay comparable.

/// Folds one character.
#[must_use]
pub(crate) fn fold_char(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    unicode_case_mapping::case_folded(c).and_then(|n| char::from_u32(n.get())).unwrap_or(c)
}

/// The characters of a text, folded.
fn folded(text: &str) -> impl DoubleEndedIterator<Item = char> + Clone {
    text.chars().map(fold_char)
}

/// Folds every character of `text` onto the end of `out`.
pub fn fold_into(text: &str, out: &mut String) {
    out.extend(folded(text));
}

/// Whether two strings are equal when folded. Allocates nothing.
#[must_use]
pub fn eq(a: &str, b: &str) -> bool {
    a == b || folded(a).eq(folded(b))
}

/// Whether `text` starts with `prefix`, both folded. Allocates nothing.
#[must_use]
pub fn starts_with(text: &str, prefix: &str) -> bool {
    begins(folded(text), folded(prefix))
}

/// Whether `text` ends with `suffix`, both folded. Allocates nothing.
#[must_use]
pub fn ends_with(text: &str, suffix: &str) -> bool {
    begins(folded(text).rev(), folded(suffix).rev())
}

fn begins(mut text: impl Iterator<Item = char>, mut prefix: impl Iterator<Item = char>) -> bool {
    prefix.all(|c| text.next() == Some(c))
}

/// Needles up to this many bytes are tried at every character; longer ones
/// pay for a folded copy and get a search in linear time.
const SHORT: usize = 32;

/// Whether `needle` occurs in `text`, both folded.
#[must_use]
pub fn contains(text: &str, needle: &str) -> bool {
    let mut rest = folded(needle);
    let Some(first) = rest.next() else { return true };
    if needle.len() > SHORT {
        return both_folded(text, needle);
    }
    let mut text = text.chars();
    while let Some(c) = text.next() {
        if fold_char(c) == first && begins(folded(text.as_str()), rest.clone()) {
            return true;
        }
    }
    false
}

/// The text is folded part by part: a copy of all of it may be as long as an event.
fn both_folded(text: &str, needle: &str) -> bool {
    let mut wanted = String::with_capacity(needle.len());
    fold_into(needle, &mut wanted);
    let (mut part, mut chars) = (String::new(), folded(text).peekable());
    while chars.peek().is_some() {
        // What can be the start of an occurrence stays for the next part.
        let keep = part.len().saturating_sub(wanted.len());
        let start = (keep..part.len()).find(|at| part.is_char_boundary(*at));
        part.drain(..start.unwrap_or(part.len()));
        let full = wanted.len().saturating_mul(2).max(PART);
        while part.len() < full
            && let Some(c) = chars.next()
        {
            part.push(c);
        }
        if part.contains(&wanted) {
            return true;
        }
    }
    false
}

/// Bytes of text that are folded at a time; fewer under Miri, whose texts are shorter.
const PART: usize = if cfg!(miri) { 1 << 10 } else { 64 << 10 };

/// Every character that folds like `c`, including `c`; some can occur twice. Most are the simple
/// case mappings of the folded character.
pub(super) fn variants(c: char) -> impl Iterator<Item = char> {
    let folded = fold_char(c);
    let single = |mapped: [u32; 3]| match mapped {
        [n, 0, 0] => char::from_u32(n),
        _ => None,
    };
    let lower = unicode_case_mapping::to_lowercase(folded);
    let mapped = [
        Some(folded),
        single(unicode_case_mapping::to_uppercase(folded)),
        unicode_case_mapping::to_titlecase(folded).first().copied().and_then(char::from_u32),
        lower.first().copied().and_then(char::from_u32),
    ];
    let variants = mapped.into_iter().flatten().chain(ODD.iter().copied());
    variants.filter(move |other| fold_char(*other) == folded)
}

/// The characters that [`variants`] does not find through the case mappings of the folded
/// character; a test compares this list with CaseFolding.txt.
const ODD: &[char] = &[
    '\u{b5}', '\u{17f}', '\u{345}', '\u{3d0}', '\u{3d1}', '\u{3d5}', '\u{3d6}', '\u{3f0}', '\u{3f1}',
    '\u{3f4}', '\u{3f5}', '\u{3c2}', '\u{1c80}', '\u{1c81}', '\u{1c82}', '\u{1c83}', '\u{1c84}', '\u{1c85}',
    '\u{1c86}', '\u{1c87}', '\u{1c88}', '\u{1e9b}', '\u{1e9e}', '\u{1fbe}', '\u{1fd3}', '\u{1fe3}',
    '\u{2126}', '\u{212a}', '\u{212b}', '\u{fb05}',
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use hookc_corpus::{amount, effort};

    use super::*;

    #[test]
    fn variants_are_complete() {
        let mut classes = BTreeMap::<char, Vec<char>>::new();
        let last = char::from_u32(amount(effort(char::MAX as usize, 0x1_ffff), 0x17f) as u32).unwrap();
        for c in '\0'..=last {
            classes.entry(fold_char(c)).or_default().push(c);
        }
        for (folded, class) in classes.iter().filter(|(_, class)| class.len() > 1) {
            let mut found: Vec<char> = variants(*folded).filter(|c| *c <= last).collect();
            found.sort_unstable();
            found.dedup();
            assert_eq!(&found, class, "variants of {folded:?}");
        }
    }

    #[test]
    fn folding_is_simple() {
        assert!(eq("Straße", "STRAẞE"));
        assert!(!eq("Straße", "STRASSE"), "full folding is not simple folding");
        assert!(!eq("İ", "i"), "Turkic rules are excluded");
        assert!(eq("ΣΊΣΥΦΟΣ", "σίσυφος"));
        assert!(starts_with("KELVIN \u{212a}", "kel") && ends_with("KELVIN \u{212a}", "n k"));
        assert!(!starts_with("ke", "kel") && starts_with("x", "") && ends_with("x", ""));
    }

    #[test]
    fn contains_short_and_long() {
        let long = "ÄÖÜ".repeat(20);
        assert!(contains(&format!("xx{long}yy"), &"äöü".repeat(20)));
        assert!(!contains("xxäö", &long));
        // Across the ends of parts, wherever the characters of two bytes begin.
        for before in (PART - 130..PART + 3).step_by(amount(1, 22)) {
            assert!(contains(&format!("{}{long}{}", "x".repeat(before), "y".repeat(PART)), &long));
            assert!(!contains(&format!("{}{}", "x".repeat(before), long.strip_suffix('Ü').unwrap()), &long));
        }
        assert!(contains("abAB", "baB") && !contains("abab", "bb") && contains("", ""));
    }
}
