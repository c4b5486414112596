//! The parts of the sources that the text renderer shows: a few lines around each span, whatever
//! the size of the source. Spans are clamped to their text and to character boundaries; text is
//! escaped.

use hookc_base::text::{ceil_char_boundary, floor_char_boundary};
use std::ops::Range;

use crate::diag::Label;
use crate::span::{SourceId, Span};
use crate::terminal::escape_block;
use crate::{Diagnostic, Sources};

/// Longer lines are shown in part, which bounds the work per span.
const LONGEST_LINE: usize = 1000;
/// How much of a long line is shown before and after the span.
const AROUND: usize = 60;
/// Spans of one source that are at most this many lines apart share a window.
const TOGETHER: usize = 6;
/// A span of more lines is shown by its first line.
const TALLEST: usize = 8;
/// Further labels of one diagnostic are only counted.
pub(super) const MOST_PLACES: usize = 16;

/// A label within its source, ready to be shown.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    /// Which label of the diagnostic; 0 is the primary one.
    pub(super) index: usize,
    /// The span, within the text and on character boundaries.
    pub(super) span: Span,
    /// First and last line, from 1.
    lines: (usize, usize),
    /// Whether one of its lines is too long to be shown whole.
    long: bool,
}

/// Consecutive lines of one source that contain spans.
#[derive(Debug)]
pub(super) struct Window {
    pub(super) source: SourceId,
    /// Number of the first line.
    pub(super) first: usize,
    /// The lines, harmless.
    pub(super) text: String,
    /// Index of the label and its range in `text`.
    pub(super) places: Vec<(usize, Range<usize>)>,
    /// Whether the columns of `text` differ from those of the source.
    pub(super) cut: bool,
    /// The number of the last line with a span.
    pub(super) last: usize,
}

/// The windows of a diagnostic's labels; the one of the primary label first.
pub(super) fn windows(diagnostic: &Diagnostic, sources: &Sources) -> Vec<Window> {
    let labels = diagnostic.labels.iter().take(MOST_PLACES).enumerate();
    let mut shown: Vec<Shown> = labels.map(|(index, label)| shown(index, label, sources)).collect();
    shown.sort_by_key(|s| (s.span.source, s.lines.0, s.index));
    let mut groups: Vec<Vec<Shown>> = Vec::new();
    for one in shown {
        match groups.last_mut() {
            Some(group) if group.last().is_some_and(|last| together(last, &one)) => group.push(one),
            _ => groups.push(vec![one]),
        }
    }
    groups.sort_by_key(|group| group.iter().map(|s| s.index).min());
    groups.iter().map(|group| window(group, sources)).collect()
}

/// The window of a single span.
pub(super) fn single(span: Span, sources: &Sources) -> Window {
    let label = Label { span, text: String::new() };
    window(&[shown(0, &label, sources)], sources)
}

fn together(a: &Shown, b: &Shown) -> bool {
    let near = b.lines.0 <= a.lines.1 + TOGETHER;
    a.span.source == b.span.source && near && !a.long && !b.long
}

fn shown(index: usize, label: &Label, sources: &Sources) -> Shown {
    let source = label.span.source;
    let text = sources.text(source);
    let range = within(label.span.range(), text);
    let first = sources.line_at(source, range.start);
    let mut last = sources.line_at(source, range.end.saturating_sub(1).max(range.start));
    let mut end = range.end;
    let head = sources.line_range(source, first);
    let far = sources.line_range(source, last).len() > LONGEST_LINE;
    let long = head.len() > LONGEST_LINE;
    if last > first && (last - first > TALLEST || long || far) {
        (last, end) = (first, head.end.max(range.start));
    }
    Shown { index, span: Span::new(source, range.start..end), lines: (first, last), long }
}

/// A range within `text` on character boundaries, without trailing whitespace (a YAML block ends
/// after its last line break).
pub(super) fn within(range: Range<usize>, text: &str) -> Range<usize> {
    let start = floor_char_boundary(text, range.start.min(text.len()));
    let end = ceil_char_boundary(text, range.end.min(text.len())).max(start);
    let trimmed = text.get(start..end).map_or(0, |part| part.trim_end().len());
    if trimmed == 0 { start..end.min(start + one(text, start)) } else { start..start + trimmed }
}

/// The length of the character at `at`.
fn one(text: &str, at: usize) -> usize {
    text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8)
}

fn window(group: &[Shown], sources: &Sources) -> Window {
    match group {
        [only] if only.long => part(only, sources),
        _ => whole(group, sources),
    }
}

/// Whole lines.
fn whole(group: &[Shown], sources: &Sources) -> Window {
    let source = group.first().map_or(SourceId::default(), |s| s.span.source);
    let first = group.iter().map(|s| s.lines.0).min().unwrap_or(1);
    let last = group.iter().map(|s| s.lines.1).max().unwrap_or(first);
    let text = sources.text(source);
    let mut out = String::new();
    let mut starts = Vec::new();
    for line in first..=last {
        let range = sources.line_range(source, line);
        starts.push((range.start, out.len()));
        out += &escape_block(head(text.get(range).unwrap_or("")));
        out.push('\n');
    }
    out.pop();
    let at = |offset: usize| {
        let next = starts.partition_point(|&(start, _)| start <= offset);
        let &(start, shown) = starts.get(next.saturating_sub(1)).unwrap_or(&(0, 0));
        let end = starts.get(next).map_or(out.len(), |&(_, shown)| shown.saturating_sub(1));
        let before = escape_block(text.get(start..offset.max(start)).unwrap_or("")).len();
        (shown + before).min(end)
    };
    let place = |s: &Shown| (s.index, at(s.span.start as usize)..at(s.span.end as usize));
    let places = group.iter().map(place).map(|(index, r)| (index, r.start..r.end.max(r.start))).collect();
    Window { source, first, text: out, places, cut: false, last }
}

/// The prefix of a line that only connects two spans.
fn head(line: &str) -> &str {
    let line = line.strip_suffix('\r').unwrap_or(line);
    line.get(..floor_char_boundary(line, LONGEST_LINE)).unwrap_or(line)
}

/// A part of a long line.
fn part(only: &Shown, sources: &Sources) -> Window {
    let source = only.span.source;
    let text = sources.text(source);
    let line = sources.line_range(source, only.lines.0);
    let start = (only.span.start as usize).min(line.end);
    let end = (only.span.end as usize).clamp(start, line.end.max(start));
    let end = floor_char_boundary(text, end.min(start + AROUND * 2)).max(start);
    let from = floor_char_boundary(text, start.saturating_sub(AROUND).max(line.start));
    let to = floor_char_boundary(text, (end + AROUND).min(line.end)).max(end);
    let piece = |range: Range<usize>| escape_block(text.get(range).unwrap_or("")).into_owned();
    let dots = |yes: bool| if yes { "..." } else { "" };
    let before = format!("{}{}", dots(from > line.start), piece(from..start));
    let at = piece(start..end);
    let place = before.len()..before.len() + at.len();
    let text = format!("{before}{at}{}{}", piece(end..to), dots(to < line.end));
    let (first, last) = only.lines;
    Window { source, first, text, places: vec![(only.index, place)], cut: true, last }
}
