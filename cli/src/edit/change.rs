//! Edits of a text, applied together.

use std::ops::Range;

/// A change of a text.
#[derive(Debug)]
pub(super) struct Edit {
    range: Range<usize>,
    text: String,
}

impl Edit {
    pub(super) fn delete(start: usize, end: usize) -> Self {
        Self { range: start..end, text: String::new() }
    }

    pub(super) fn replace(range: Range<usize>, text: impl Into<String>) -> Self {
        Self { range, text: text.into() }
    }

    pub(super) fn insert(at: usize, text: impl Into<String>) -> Self {
        Self { range: at..at, text: text.into() }
    }
}

/// The text with the edits, which do not overlap.
pub(super) fn apply(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let (mut new, mut at) = (String::with_capacity(text.len()), 0);
    for edit in edits {
        new.push_str(text.get(at..edit.range.start).unwrap_or(""));
        new.push_str(&edit.text);
        at = at.max(edit.range.end);
    }
    new.push_str(text.get(at..).unwrap_or(""));
    new
}
