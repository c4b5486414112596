//! What is known without comparing step by step: the ends of a glob and of a text, and a text that every match has.

use memchr::memmem;

use super::glob::{Case, Glob, Step};
use super::machine::{Match, is_same};
use crate::effects::Text;
use crate::token::long;

impl Glob {
    /// Whether the known characters at the start or at the end of a text are others than those that every match
    /// has. A text that matches for certain knows all of these.
    pub(super) fn differs(&self, text: Text<'_>, is_below: bool, how: Match, case: Case) -> bool {
        let length = text.text.len();
        let first = text.holes.first().map_or(length, |hole| long(hole.from));
        let last = if is_below { length } else { text.holes.last().map_or(0, |hole| long(hole.to)) };
        let known = |from: usize, to: usize| text.text.get(from..to).unwrap_or_default().chars();
        let is_possible = how == Match::Possible && (is_below || !text.holes.is_empty());
        let start = self.steps.iter().take(self.ends.0);
        let is_different = self.lacks_inner(text, is_below, how, case)
            || is_other(start, known(0, first), case, !is_possible && !is_below)
            || is_other(self.suffix().iter().rev(), known(last, length).rev(), case, !is_possible);
        // `a//b` is `a/b`.
        is_different && !text.text.as_bytes().windows(2).any(|pair| pair == b"//")
    }
}

impl Glob {
    /// Whether no known part of a text has a text that every match has. What is unknown is compared as a character that
    /// no pattern has.
    fn lacks_inner(&self, text: Text<'_>, is_below: bool, how: Match, case: Case) -> bool {
        let is_open = how == Match::Possible && (is_below || !text.holes.is_empty());
        let inner = self.inner.as_bytes();
        if inner.is_empty() || is_open || is_below && inner.ends_with(b"/") || !text.text.is_ascii() {
            return false;
        }
        let bytes = text.text.as_bytes();
        let has_inner = |from: usize, to: usize| {
            let known = bytes.get(from..to).unwrap_or_default();
            match case {
                Case::Respected => memmem::find(known, inner).is_some(),
                Case::Ignored => known.windows(inner.len()).any(|part| part.eq_ignore_ascii_case(inner)),
            }
        };
        let mut from = 0;
        for hole in text.holes {
            if has_inner(from, long(hole.from)) {
                return false;
            }
            from = from.max(long(hole.to));
        }
        !has_inner(from, bytes.len())
    }
}

/// Whether characters are others than those of steps; if they must be known, also if there are fewer.
fn is_other<'s>(
    steps: impl Iterator<Item = &'s Step>,
    mut known: impl Iterator<Item = char>,
    case: Case,
    must_be_known: bool,
) -> bool {
    let mut steps = steps.filter_map(Step::literal);
    steps.any(|expected| known.next().map_or(must_be_known, |found| !is_same(expected, found, case)))
}
