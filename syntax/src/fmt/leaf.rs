//! Reads nodes without parts: scalars, omitted values, and the `---` before a document.

use std::borrow::Cow;
use std::ops::Range;

use super::node::{Node, Scalar, Shape};
use super::read::Reader;
use super::tokens::NodeProperties;
use crate::front::yaml::events::{self, Style};

impl<'a> Reader<'a> {
    /// `---`, if present: the text before it stays unchanged.
    pub(super) fn start(&mut self, range: Range<usize>) {
        if self.slice(range.clone()) != "---" {
            return;
        }
        while self.notes.peek(range.start).is_some() {
            self.notes.take();
        }
        self.notes.floor = range.end;
        let before = self.slice(0..range.start);
        self.document.prefix = before.lines().map(str::trim_end).collect();
        self.document.prefix.push("---");
        let text = self.notes.text;
        let trailing = self.notes.peek(text.len()).map(|note| range.end..note.range.start);
        if trailing.is_some_and(|between| self.slice(between).trim_matches([' ', '\t']).is_empty()) {
            let line = self.notes.take().map(|(note, _)| self.slice(range.start..note.range.end).trim_end());
            self.document.prefix.pop();
            self.document.prefix.extend(line);
        }
    }

    pub(super) fn scalar(
        &mut self,
        text: Cow<'a, str>,
        style: Style,
        range: Range<usize>,
        given: NodeProperties,
        next: usize,
    ) -> Option<()> {
        if style == Style::Plain && range.is_empty() {
            return self.empty(given, next);
        }
        if matches!(style, Style::Literal | Style::Folded) {
            return self.block(text, style, range, given);
        }
        self.drain(range.start);
        let scalar = Scalar { text, style, raw: self.slice(range.clone()), tagged: given.tagged };
        let node = Node { props: given.props, shape: Shape::Scalar(scalar), fixed: given.anchored };
        self.place(node, range, next)
    }

    /// `|` and `>`: the parser's range starts at the text.
    fn block(
        &mut self,
        text: Cow<'a, str>,
        style: Style,
        range: Range<usize>,
        given: NodeProperties,
    ) -> Option<()> {
        let header = events::indicator(self.notes.text, b"|>", self.notes.floor, range.start);
        let header = header.unwrap_or(range.start);
        self.drain(header);
        self.begin(header);
        let line = self.slice(header..self.notes.text.len());
        let body = header + line.find('\n').map_or(line.len(), |at| at + 1);
        self.notes.floor = header;
        let trailing = self.notes.trailing(body);
        let end = range.end.max(body);
        self.notes.floor = self.end_of_block(body..end, text.ends_with("\n\n"));
        let scalar = Scalar { text, style, raw: self.slice(body..end), tagged: given.tagged };
        let node = Node { props: given.props, shape: Shape::Scalar(scalar), fixed: given.anchored };
        self.complete(node, trailing)
    }

    /// The end of a block scalar: trailing empty lines belong to it only if it keeps them.
    fn end_of_block(&self, body: Range<usize>, keeps: bool) -> usize {
        let text = self.slice(body.clone());
        if !keeps {
            return body.start + text.trim_end_matches(['\n', ' ']).len();
        }
        let mut end = body.end;
        while let Some(line) = self.slice(end..self.notes.text.len()).split_inclusive('\n').next() {
            if !line.trim().is_empty() {
                break;
            }
            end += line.len();
        }
        end
    }

    /// An omitted value: its position is after its colon or dash.
    fn empty(&mut self, given: NodeProperties, next: usize) -> Option<()> {
        let Some(frame) = self.frames.last() else { return Some(()) };
        if frame.wants_key() {
            return None;
        }
        let wanted: &[u8] = if frame.own.mapping { b":" } else { b"-" };
        let mark = self.mark(wanted, next);
        self.begin(mark);
        self.notes.floor = mark;
        let trailing = self.notes.trailing(next);
        self.complete(Node { props: given.props, shape: Shape::Empty, fixed: given.anchored }, trailing)
    }

    /// The position after the next of `wanted`, claiming the comments before it.
    fn mark(&mut self, wanted: &[u8], next: usize) -> usize {
        loop {
            let Some(mark) = events::indicator(self.notes.text, wanted, self.notes.floor, next) else {
                return self.notes.floor;
            };
            if self.notes.peek(mark).is_none() {
                return mark + 1;
            }
            self.drain(mark);
        }
    }
}
