//! Classes of characters in globs: `[a-z]`, `[!.]`.

use super::glob::Case;

/// One character in some range, or in none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Class {
    pub(super) ranges: Vec<(char, char)>,
    is_negated: bool,
}

impl Class {
    pub(super) fn has(&self, next: char, case: Case) -> bool {
        let has = |next: char| self.ranges.iter().any(|(low, high)| (*low..=*high).contains(&next));
        let is_in = has(next)
            || case == Case::Ignored && (next.to_lowercase().any(has) || next.to_uppercase().any(has));
        is_in != self.is_negated
    }
}

/// The class at the start of a pattern, and its length in bytes; none if it has no end.
pub(in super::super) fn read(pattern: &str) -> Option<(Class, usize)> {
    let mut chars = pattern.char_indices().skip(1).peekable();
    let is_negated = chars.next_if(|(_, next)| matches!(next, '!' | '^')).is_some();
    let mut ranges = Vec::new();
    loop {
        let (at, mut low) = chars.next()?;
        if low == ']' && !ranges.is_empty() {
            return Some((Class { ranges, is_negated }, at + 1));
        }
        if low == '\\' {
            low = chars.next()?.1;
        }
        let is_range = chars.peek().is_some_and(|(_, next)| *next == '-')
            && chars.clone().nth(1).is_some_and(|(_, high)| high != ']');
        let high = if is_range { chars.nth(1)?.1 } else { low };
        ranges.push((low, high));
    }
}
