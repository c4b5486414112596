//! Texts in which parts are unknown.

use std::fmt;
use std::ops::Range;

use crate::token::{long, short};
use crate::{HoleKind, Word, limits};

/// A text in which parts can be unknown. It has the source text of each unknown part at its range: `$X`, `*`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Text<'a> {
    /// The text.
    pub text: &'a str,
    /// Its unknown parts, in order. They do not overlap.
    pub holes: &'a [Gap],
}

/// An unknown part of a [`Text`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Where it starts, in bytes.
    pub from: u32,
    /// Where it ends.
    pub to: u32,
    /// What it can become.
    pub kind: HoleKind,
}

impl<'a> Text<'a> {
    /// A text without unknown parts.
    #[must_use]
    pub const fn literal(text: &'a str) -> Self {
        Self { text, holes: &[] }
    }

    /// The text, if nothing of it is unknown.
    #[must_use]
    pub(crate) const fn as_literal(self) -> Option<&'a str> {
        if self.holes.is_empty() { Some(self.text) } else { None }
    }

    /// Whether nothing of it is known.
    #[must_use]
    pub fn is_hole(self) -> bool {
        matches!(self.holes, [gap] if gap.kind == HoleKind::Text && gap.from == 0 && long(gap.to) == self.text.len())
    }

    /// Whether it has a pattern of files: `*`, `?` or `[...]` that a shell expands.
    #[must_use]
    pub fn is_glob(self) -> bool {
        self.holes.iter().any(|gap| gap.kind != HoleKind::Text)
    }

    /// The source text of an unknown part.
    #[must_use]
    pub fn source(self, gap: &Gap) -> &'a str {
        self.text.get(long(gap.from)..long(gap.to)).unwrap_or_default()
    }
}

/// The text as it is written, with its unknown parts in braces: `a{$X}`.
impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut at = 0;
        for gap in self.holes {
            let known = self.text.get(at..long(gap.from)).unwrap_or_default();
            write!(f, "{known}{{{}}}", self.source(gap))?;
            at = long(gap.to);
        }
        f.write_str(self.text.get(at..).unwrap_or_default())
    }
}

/// A text of a [`Store`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stored {
    start: u32,
    len: u32,
    gaps: u32,
    count: u32,
}

impl Stored {
    /// A part of a text without unknown parts, by its start and its length.
    pub(super) fn part(self, start: usize, len: usize) -> Self {
        Self { start: self.start + short(start), len: short(len), ..Self::default() }
    }
}

/// The texts of an event, in one arena.
#[derive(Debug, Default)]
pub(super) struct Store {
    text: String,
    gaps: Vec<Gap>,
    /// A text was left out, because it exceeds the limit.
    pub(super) is_full: bool,
}

impl Store {
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.gaps.clear();
        self.is_full = false;
    }

    pub(super) fn size(&self) -> usize {
        self.text.len() + self.gaps.len()
    }

    pub(super) fn get(&self, stored: Stored) -> Text<'_> {
        let start = long(stored.start);
        let first = long(stored.gaps);
        Text {
            text: self.text.get(start..start + long(stored.len)).unwrap_or_default(),
            holes: self.gaps.get(first..first + long(stored.count)).unwrap_or_default(),
        }
    }

    /// Adds a text without unknown parts.
    pub(super) fn literal(&mut self, text: &str) -> Stored {
        self.is_full |= self.size() + text.len() > limits::EFFECT_BYTES;
        if self.is_full {
            return Stored::default();
        }
        let start = short(self.text.len());
        self.text.push_str(text);
        Stored { start, len: short(text.len()), gaps: 0, count: 0 }
    }

    /// Adds a text.
    pub(super) fn push(&mut self, text: Text<'_>) -> Stored {
        self.with_gaps(text.text, text.holes.iter().copied())
    }

    /// Adds a word of a command.
    pub(super) fn word(&mut self, word: Word<'_>) -> Stored {
        let gap = |range: Range<usize>, kind| Gap { from: short(range.start), to: short(range.end), kind };
        self.with_gaps(word.text(), word.holes().map(|hole| gap(hole.range, hole.kind)))
    }

    fn with_gaps(&mut self, text: &str, holes: impl Iterator<Item = Gap>) -> Stored {
        let stored = self.literal(text);
        if self.is_full {
            return stored;
        }
        let gaps = short(self.gaps.len());
        self.gaps.extend(holes);
        Stored { gaps, count: short(self.gaps.len()) - gaps, ..stored }
    }
}
