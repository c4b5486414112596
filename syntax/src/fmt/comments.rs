//! The comments of a text in order, with their positions.

use std::collections::VecDeque;
use std::ops::Range;

use super::node::Comment;

/// A comment that no node has claimed yet.
#[derive(Clone, Debug)]
pub(super) struct PendingComment {
    pub(super) range: Range<usize>,
    /// Only whitespace precedes it.
    pub(super) own_line: bool,
    /// Bytes before it in its line.
    pub(super) column: usize,
}

/// The remaining comments, and the position up to which the text is claimed.
#[derive(Debug)]
pub(super) struct PendingComments<'a> {
    pub(super) text: &'a str,
    left: VecDeque<PendingComment>,
    /// The end of the last token or comment.
    pub(super) floor: usize,
}

impl<'a> PendingComments<'a> {
    pub(super) fn new(text: &'a str, mut ranges: Vec<Range<usize>>) -> Self {
        ranges.sort_by_key(|range| range.start);
        let note = |range: Range<usize>| {
            let before = line_before(text, range.start);
            PendingComment { own_line: before.trim().is_empty(), column: before.len(), range }
        };
        Self { text, left: ranges.into_iter().map(note).collect(), floor: 0 }
    }

    /// The next comment, if it starts before `at` and `fits`.
    pub(super) fn peek(&self, at: usize) -> Option<&PendingComment> {
        self.left.front().filter(|note| note.range.start < at)
    }

    /// Claims the next comment.
    pub(super) fn take(&mut self) -> Option<(PendingComment, Comment<'a>)> {
        let note = self.left.pop_front()?;
        let gap = self.gap(note.range.start);
        self.floor = note.range.end;
        let text = self.text.get(note.range.clone()).unwrap_or("").trim_end();
        Some((note, Comment { text, gap }))
    }

    /// Claims the comment on the line of the floor, if there is one before `until`.
    pub(super) fn trailing(&mut self, until: usize) -> Option<&'a str> {
        let next = self.peek(until)?;
        let between = self.text.get(self.floor..next.range.start)?;
        if next.own_line || between.contains('\n') {
            return None;
        }
        self.take().map(|(_, comment)| comment.text)
    }

    /// Whether there is an empty line between the floor and `at`.
    pub(super) fn gap(&self, at: usize) -> bool {
        let between = self.text.get(self.floor..at).unwrap_or("");
        let lines = between.split('\n').count();
        let mut inner = between.split('\n').skip(1).take(lines.saturating_sub(2));
        inner.any(|line| line.trim().is_empty())
    }
}

/// The line that `at` is in, up to `at`.
pub(super) fn line_before(text: &str, at: usize) -> &str {
    text.get(..at).unwrap_or("").rsplit('\n').next().unwrap_or("")
}

/// The indentation of the line of `at`.
pub(super) fn indentation(text: &str, at: usize) -> usize {
    let line = line_before(text, at);
    line.len() - line.trim_start_matches(' ').len()
}
