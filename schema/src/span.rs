//! Spans of source text: half-open ranges of byte offsets within one source.

use std::hash::{Hash, Hasher};
use std::ops::Range;

/// The source of a span, in [`Sources`](crate::Sources).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(pub u32);

/// A half-open byte range `start..end` of one source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The source that the offsets refer to.
    pub source: SourceId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// A byte offset as spans store it. Whoever adds a text of 4 GiB or more gets E0001 for it, not a
/// wrong policy: no front end reads a source beyond 256 MiB. Until then, everything past 32 bits is
/// at the greatest offset.
#[must_use]
pub fn saturating_offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

impl Span {
    /// The bytes `range` of `source`; see [`saturating_offset`].
    #[must_use]
    pub fn new(source: SourceId, range: Range<usize>) -> Self {
        let end = saturating_offset(range.end.max(range.start));
        Self { source, start: saturating_offset(range.start), end }
    }

    /// The smallest span that covers both, if they are in one source; otherwise `self`.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        if self.source != other.source {
            return self;
        }
        Self { source: self.source, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The byte range.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A value with its span.
///
/// Equality compares only the value: two notations of one policy are equal trees with different
/// spans.
#[derive(Clone, Copy, Debug)]
pub struct Spanned<T> {
    /// The value.
    pub node: T,
    /// Its span.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// `node`, written at `span`.
    pub fn new(node: T, span: Span) -> Self {
        Self { node, span }
    }
}

impl<T: PartialEq> PartialEq for Spanned<T> {
    fn eq(&self, other: &Self) -> bool {
        self.node == other.node
    }
}

impl<T: Eq> Eq for Spanned<T> {}

impl<T: Hash> Hash for Spanned<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.node.hash(state);
    }
}
