//! Values whose text is made when it is read.
//!
//! Long strings with escapes are some. An event can have a text several times (a patch, and the text before
//! and after it), so decoded copies of all of them would take several times its size: one is decoded
//! at a time, when it is read.

use std::hash::{BuildHasher, RandomState};

use super::Item;
use super::parsed::Parsed;
use super::string::Raw;
use crate::limits::LATE_BYTES;
use crate::rows::NONE;
use crate::text::fold;
use hookc_base::text::Case;

/// The value of a slot.
#[derive(Clone, Copy)]
pub(crate) enum Stored<'a> {
    /// As it is used.
    Item(Item<'a>),
    /// A long string between its quotes.
    Escaped(Escaped<'a>),
    /// A number, an array or an object of a parsed event.
    Parsed(Parsed<'a>),
}

impl<'a> Stored<'a> {
    pub(super) const fn escaped(text: &'a str) -> Self {
        Self::Escaped(Escaped(Raw { text, escaped: true }))
    }

    /// Whether the event has a value here, `null` included.
    pub(crate) const fn is_present(self) -> bool {
        !matches!(self, Self::Item(Item::Absent))
    }

    /// The value; `buffer` receives the text that is to be made.
    pub(crate) fn item<'b>(self, buffer: &'b mut String) -> Item<'b>
    where
        'a: 'b,
    {
        match self {
            Self::Item(item) => item,
            Self::Escaped(text) => {
                buffer.clear();
                text.decode_into(buffer);
                Item::Str(buffer)
            }
            Self::Parsed(parsed) => parsed.item(buffer),
        }
    }
}

/// A long string with escapes, as it is written.
#[derive(Clone, Copy)]
pub(crate) struct Escaped<'a>(Raw<'a>);

impl<'a> Escaped<'a> {
    /// The bytes of the string, as it is written.
    pub(crate) const fn written(self) -> usize {
        self.0.text.len()
    }

    /// A lower bound of the bytes of the string: an escape sequence has at most six bytes for one.
    pub(crate) const fn least(self) -> usize {
        self.0.text.len() / 6
    }

    /// Whether two strings are equal.
    pub(crate) fn equals(self, other: Escaped<'_>, case: Case) -> bool {
        let (a, b) = (self.0, other.0);
        match case.is_ignored() {
            _ if a.text == b.text => true,
            true => a.chars().map(fold::fold_char).eq(b.chars().map(fold::fold_char)),
            false => a.chars().eq(b.chars()),
        }
    }

    /// Whether the string starts with another one.
    pub(crate) fn starts_with(self, prefix: Escaped<'_>, case: Case) -> bool {
        let folded = |c| if case.is_ignored() { fold::fold_char(c) } else { c };
        let mut text = self.0.chars().map(folded);
        prefix.0.chars().map(folded).all(|c| text.next() == Some(c))
    }

    /// Whether the string ends with another one.
    pub(crate) fn ends_with(self, suffix: Escaped<'_>, case: Case) -> bool {
        let folded = |c| if case.is_ignored() { fold::fold_char(c) } else { c };
        let Some(skip) = self.0.chars().count().checked_sub(suffix.0.chars().count()) else { return false };
        self.0.chars().skip(skip).map(folded).eq(suffix.0.chars().map(folded))
    }

    /// Whether another string occurs in the string: the sums of as many characters as that one has
    /// are compared first (Rabin and Karp). The base is random, so that no event can be made whose
    /// sums are equal for different texts.
    pub(crate) fn contains(self, needle: Escaped<'_>, case: Case) -> bool {
        let folded = |c| if case.is_ignored() { fold::fold_char(c) } else { c };
        let chars = |text: Self| text.0.chars().map(folded);
        let base = (RandomState::new().hash_one(0u8) >> 4) | BASES;
        let sum = |before: u64, c: char| product(before, base).saturating_add(u64::from(c)) % PRIME;
        let (mut wanted, mut most) = (0, 1);
        for c in needle.0.chars().map(folded) {
            wanted = sum(wanted, c);
            most = product(most, base);
        }
        let (mut ahead, mut at) = (chars(self), chars(self));
        let mut found = 0;
        for _ in needle.0.chars() {
            let Some(c) = ahead.next() else { return false };
            found = sum(found, c);
        }
        loop {
            if found == wanted {
                let mut here = at.clone();
                if needle.0.chars().map(folded).all(|c| here.next() == Some(c)) {
                    return true;
                }
            }
            let (Some(first), Some(next)) = (at.next(), ahead.next()) else { return false };
            let gone = product(most, u64::from(first));
            found = (sum(found, next).saturating_add(PRIME).saturating_sub(gone)) % PRIME;
        }
    }

    /// The string between its quotes, escapes as written.
    pub(super) const fn raw(self) -> &'a str {
        self.0.text
    }

    /// Appends the string.
    pub(crate) fn decode_into(self, out: &mut String) {
        // Growing step by step would copy what is decoded already.
        out.reserve_exact(self.0.text.len());
        self.0.decode_into(out);
    }

    /// Appends the string folded.
    pub(crate) fn fold_into(self, out: &mut String) {
        out.reserve_exact(self.0.text.len());
        out.extend(self.0.chars().map(fold::fold_char));
    }
}

/// Sums are polynomials of the characters, modulo this prime.
const PRIME: u64 = (1 << 61) - 1;
/// A bit of every base, so that it is above all characters.
const BASES: u64 = 1 << 21;

fn product(a: u64, b: u64) -> u64 {
    let (wide, prime) = (u128::from(a).saturating_mul(u128::from(b)), u128::from(PRIME));
    // A power of two that is one above the prime counts as one.
    u64::try_from((wide & prime).saturating_add(wide >> 61)).unwrap_or(0) % PRIME
}

/// The place of a text that is not that of a slot: a module has fewer slots.
const NO_SLOT: u32 = NONE - 1;

/// The texts of slots that were made last.
#[derive(Debug)]
pub(crate) struct Decoded {
    slot: u32,
    text: String,
    written: Written,
}

impl Default for Decoded {
    fn default() -> Self {
        Self { slot: NONE, text: String::new(), written: Written::default() }
    }
}

impl Decoded {
    /// The value of a slot, decoded unless the slot is that of the last call.
    pub(crate) fn read<'b>(&'b mut self, slot: u32, value: Stored<'b>) -> Item<'b> {
        match value {
            Stored::Escaped(_) if self.slot == slot => Item::Str(&self.text),
            Stored::Escaped(text) => {
                self.slot = slot;
                Stored::Escaped(text).item(&mut self.text)
            }
            Stored::Parsed(parsed) => self.written.read(slot, parsed),
            Stored::Item(item) => item,
        }
    }

    /// The value of a node: the next one can have the same slot.
    pub(crate) fn read_node<'b>(&'b mut self, value: Stored<'b>) -> Item<'b> {
        match value {
            Stored::Item(item) => item,
            text => {
                self.slot = NO_SLOT;
                text.item(&mut self.text)
            }
        }
    }

    /// Frees the decoded string.
    #[inline]
    pub(crate) fn release(&mut self) {
        if self.slot != NONE {
            self.slot = NONE;
            self.text = String::new();
        }
    }

    /// Forgets the event.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.release();
        self.written.clear();
    }
}

/// The texts of values of a parsed event: one is written once, if only a few are read.
#[derive(Debug, Default)]
struct Written {
    texts: Vec<(u32, String)>,
    /// Texts of this event: the first ones.
    count: usize,
}

/// Texts that are kept at one time. Each may be as long as the event.
const KEPT_TEXTS: usize = 4;

impl Written {
    fn read<'b>(&'b mut self, slot: u32, parsed: Parsed<'b>) -> Item<'b> {
        let known = self.texts.iter().take(self.count).position(|(known, _)| *known == slot);
        let place = known.unwrap_or(if self.count < KEPT_TEXTS { self.count } else { 0 });
        if self.texts.len() <= place {
            self.texts.push((slot, String::new()));
        }
        let Some((owner, text)) = self.texts.get_mut(place) else { return Item::Absent };
        if known.is_some() {
            return parsed.again(text);
        }
        self.count = place.saturating_add(1);
        *owner = slot;
        parsed.item(text)
    }

    #[inline]
    fn clear(&mut self) {
        if self.count > 0 {
            self.forget();
        }
    }

    #[inline(never)]
    fn forget(&mut self) {
        self.count = 0;
        self.texts.retain(|(_, text)| text.capacity() <= LATE_BYTES);
    }
}

#[cfg(test)]
mod tests {
    use hookc_base::text::Case;
    use hookc_corpus::amount;

    use super::{Escaped, Stored};
    use crate::event::Item;
    use crate::text::fold;

    fn escaped(text: &str) -> Escaped<'_> {
        match Stored::escaped(text) {
            Stored::Escaped(text) => text,
            Stored::Item(_) | Stored::Parsed(_) => panic!("not escaped"),
        }
    }

    #[test]
    fn two_strings_compare_as_their_texts() {
        let texts = [
            "",
            "a",
            "ab\\nab",
            "\\u0061b",
            "aab\\na",
            "A\\u0042\\n",
            "\\ud83d\\ude00x",
            "x\\u00c4",
            "\u{e4}",
        ];
        let pairs = texts.iter().flat_map(|left| texts.iter().map(move |right| (*left, *right)));
        for (left, right) in pairs.step_by(amount(1, 4)) {
            let (mut a, mut b) = (String::new(), String::new());
            let (Item::Str(a), Item::Str(b)) =
                (Stored::escaped(left).item(&mut a), Stored::escaped(right).item(&mut b))
            else {
                panic!("not a string");
            };
            let (left, right) = (escaped(left), escaped(right));
            assert_eq!(left.equals(right, Case::Respected), a == b, "{a} {b}");
            assert_eq!(left.equals(right, Case::Ignored), fold::eq(a, b), "{a} {b}");
            assert_eq!(left.starts_with(right, Case::Respected), a.starts_with(b), "{a} {b}");
            assert_eq!(left.starts_with(right, Case::Ignored), fold::starts_with(a, b), "{a} {b}");
            assert_eq!(left.ends_with(right, Case::Respected), a.ends_with(b), "{a} {b}");
            assert_eq!(left.ends_with(right, Case::Ignored), fold::ends_with(a, b), "{a} {b}");
            assert_eq!(left.contains(right, Case::Respected), a.contains(b), "{a} {b}");
            assert_eq!(left.contains(right, Case::Ignored), fold::contains(a, b), "{a} {b}");
            assert!(left.least() <= a.len());
            let mut folded = String::new();
            left.fold_into(&mut folded);
            assert!(fold::eq(&folded, a));
        }
        // Sums of many windows, most of them equal but for one character.
        let (text, needle) = ("ab".repeat(amount(5_000, 300)), "ab".repeat(40));
        assert!(escaped(&text).contains(escaped(&needle), Case::Respected));
        assert!(!escaped(&text).contains(escaped(&format!("{needle}b")), Case::Respected));
        assert!(
            escaped(&format!("{text}b{needle}bb")).contains(escaped(&format!("{needle}bb")), Case::Respected)
        );
    }
}
