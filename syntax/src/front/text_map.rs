//! Builds, composes and slices [`TextMap`]s: every byte of a JSON string inside an XML attribute
//! inside a quoted Markdown fence has its source position.

use std::ops::Range;

use hookc_schema::span::saturating_offset;
use hookc_schema::value::{Run, Text, TextMap};

/// Decoded text under construction, with the position of every byte in the encoded text.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    text: String,
    runs: Vec<Run>,
    /// The source position at which the next part continues the last run.
    next: Option<usize>,
}

impl Builder {
    /// Adds `part`, written byte for byte at `at`.
    pub(crate) fn copy(&mut self, part: &str, at: usize) {
        if part.is_empty() {
            return;
        }
        if self.next != Some(at) {
            self.begin(at);
        }
        self.text.push_str(part);
        self.next = Some(at + part.len());
    }

    /// Adds a character with another spelling at `at`.
    pub(crate) fn put(&mut self, character: char, at: usize) {
        self.begin(at);
        self.text.push(character);
        self.next = None;
    }

    /// Begins a run.
    fn begin(&mut self, at: usize) {
        self.runs.push(Run { decoded: saturating_offset(self.text.len()), source: saturating_offset(at) });
    }

    /// The text; its source ends at `end`, and `outer` is the map of that source.
    pub(crate) fn finish(mut self, end: usize, outer: &TextMap) -> Text {
        self.begin(end);
        Text { value: self.text, map: through(outer, self.runs) }
    }
}

/// The part `range` of a text.
pub(crate) fn slice(text: &Text, range: Range<usize>) -> Text {
    let value = text.value.get(range.clone()).unwrap_or("").to_owned();
    let (start, end) = (saturating_offset(range.start), saturating_offset(range.end));
    let map = match &text.map {
        TextMap::Whole => TextMap::Whole,
        TextMap::Shift(by) => TextMap::Shift(by.saturating_add(start)),
        TextMap::Runs(runs) => simplify(cut(runs, start, end)),
    };
    Text { value, map }
}

/// The text without XML whitespace at both ends.
pub(crate) fn trim(text: &Text) -> Text {
    let white = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r');
    let start = text.value.len() - text.value.trim_start_matches(white).len();
    let end = start + text.value.trim_matches(white).len();
    slice(text, start..end)
}

/// Maps `runs` into a text to runs into the source of that text.
fn through(outer: &TextMap, mut runs: Vec<Run>) -> TextMap {
    match outer {
        TextMap::Whole => TextMap::Whole,
        TextMap::Shift(by) => {
            runs.iter_mut().for_each(|run| run.source = run.source.saturating_add(*by));
            simplify(runs)
        }
        TextMap::Runs(outer) => simplify(through_runs(outer, &runs)),
    }
}

fn through_runs(outer: &[Run], runs: &[Run]) -> Vec<Run> {
    let mut new = Vec::with_capacity(runs.len());
    for (index, &Run { decoded, source }) in runs.iter().enumerate() {
        let length = runs.get(index + 1).map_or(0, |next| next.decoded.saturating_sub(decoded));
        new.push(Run { decoded, source: lookup(outer, source) });
        let within = outer.partition_point(|run| run.decoded <= source);
        let breaks = outer.iter().skip(within).take_while(|run| run.decoded < source.saturating_add(length));
        new.extend(breaks.map(|run| Run { decoded: decoded + (run.decoded - source), ..*run }));
    }
    new
}

fn cut(runs: &[Run], start: u32, end: u32) -> Vec<Run> {
    let mut new = vec![Run { decoded: 0, source: lookup(runs, start) }];
    let first = runs.partition_point(|run| run.decoded <= start);
    let inner = runs.iter().skip(first).take_while(|run| run.decoded < end);
    new.extend(inner.map(|run| Run { decoded: run.decoded - start, ..*run }));
    if end > start {
        // The source position after the last byte.
        let last = runs.get(runs.partition_point(|run| run.decoded < end)).filter(|run| run.decoded == end);
        let source = last.map_or_else(|| lookup(runs, end), |run| run.source);
        new.push(Run { decoded: end - start, source });
    }
    new
}

fn lookup(runs: &[Run], at: u32) -> u32 {
    let next = runs.partition_point(|run| run.decoded <= at);
    let run = runs.get(next.saturating_sub(1));
    run.map_or(at, |run| run.source.saturating_add(at - run.decoded))
}

/// A single run needs no list.
fn simplify(runs: Vec<Run>) -> TextMap {
    match *runs.as_slice() {
        [first] if first.decoded == 0 => TextMap::Shift(first.source),
        [first, end] if first.decoded == 0 && end.source.checked_sub(first.source) == Some(end.decoded) => {
            TextMap::Shift(first.source)
        }
        _ => TextMap::Runs(runs),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hookc_schema::Span;

    fn at(text: &Text, part: &str) -> (u32, u32) {
        let start = text.value.find(part).unwrap();
        let span = text.map.span(Span::default(), start..start + part.len());
        (span.start, span.end)
    }

    /// The text of `> a&lt;b\n> c` in a quoted fence.
    fn quoted() -> Text {
        let mut fence = Builder::default();
        fence.copy("a&lt;b\n", 2);
        fence.copy("c", 11);
        fence.finish(12, &TextMap::Shift(0))
    }

    #[test]
    fn composed() {
        let fence = quoted();
        let mut text = Builder::default();
        text.copy("a", 0);
        text.put('<', 1);
        text.copy("b\nc", 5);
        let text = text.finish(8, &fence.map);
        assert_eq!(text.value, "a<b\nc");
        assert_eq!(at(&text, "<"), (3, 7));
        assert_eq!(at(&text, "b"), (7, 8));
        assert_eq!(at(&text, "c"), (11, 12));
        assert_eq!(at(&text, "a<b"), (2, 8));
        let part = slice(&text, 1..5);
        assert_eq!((part.value.as_str(), at(&part, "<"), at(&part, "c")), ("<b\nc", (3, 7), (11, 12)));
    }

    #[test]
    fn trimmed() {
        let text = Text { value: " \n x y\t".into(), map: TextMap::Shift(10) };
        let trimmed = trim(&text);
        assert_eq!((trimmed.value.as_str(), at(&trimmed, "y")), ("x y", (15, 16)));
        assert_eq!(trim(&Text { value: "  ".into(), map: TextMap::Shift(1) }).value, "");
    }
}
