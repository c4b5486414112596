//! Sets of patterns: those of a policy, and those that ship with the program.

mod directories;
mod expand;
mod shipped;
mod source;
pub(super) mod variables;

use std::ops::Range;

pub use directories::{below_directory, is_known_file};
pub(super) use expand::{Fault, Sets};
pub use shipped::{ShippedSet, shipped_sets};
pub(super) use source::Source;

use super::pattern::class;

/// The names of the sets in a pattern, with the range of each `@NAME`. An `@` after a letter or digit is a part of a word
/// (`git@github.com`), and one in a class a character (`[@0]`).
pub(super) fn names(pattern: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let bytes = pattern.as_bytes();
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let at = from + bytes.get(from..)?.iter().position(|byte| matches!(*byte, b'@' | b'['))?;
            if bytes.get(at) == Some(&b'[') {
                let is_escaped = at > 0 && bytes.get(at - 1) == Some(&b'\\');
                let class = pattern.get(at..).filter(|_| !is_escaped).and_then(class::read);
                from = at + class.map_or(1, |(_, length)| length);
                continue;
            }
            let before = at.checked_sub(1).and_then(|before| bytes.get(before));
            let length = bytes.get(at + 1..)?.iter().take_while(|byte| is_name(byte)).count();
            from = at + 1 + length;
            if length > 0 && !before.is_some_and(|byte| is_name(byte) || *byte == b'\\') {
                return Some((at..from, pattern.get(at + 1..from)?));
            }
        }
    })
}

/// The name of the set that is a whole pattern.
pub(super) fn whole(pattern: &str) -> Option<&str> {
    names(pattern).next().filter(|(range, _)| *range == (0..pattern.len())).map(|(_, name)| name)
}
