//! From a text to its nodes. The position determines the owner of a comment: what ends or starts on
//! its line, otherwise the following node, otherwise, by indentation, the end of the preceding one.

use super::comments::{PendingComment, PendingComments, indentation, line_before};
use super::node::{Collection, Comment, Document, Entry, Node, Shape};
use super::tokens::{self, Kind, NodeProperties, Token};
use crate::front::yaml::events;

/// The one document of a text; `None` if it is not YAML, or has lists or
/// mappings as keys.
pub(super) fn read(text: &str) -> Option<Document<'_>> {
    let (tokens, comments) = tokens::read(text)?;
    let notes = PendingComments::new(text, comments);
    let mut reader = Reader { notes, frames: Vec::new(), document: Document::default() };
    for token in tokens {
        reader.token(token)?;
    }
    while let Some((_, comment)) = reader.notes.take() {
        reader.document.tail.push(comment);
    }
    reader.document.lift_head();
    Some(reader.document)
}

/// A collection that is not complete.
pub(super) struct Frame<'a> {
    pub(super) own: Collection<'a>,
    props: Option<String>,
    fixed: bool,
    /// The column of its keys or dashes.
    column: usize,
    /// Comments since the last entry.
    pending: Vec<Comment<'a>>,
    /// The entry whose value is next.
    pub(super) open: Option<Entry<'a>>,
    /// Comments between a key and its value.
    between: Vec<Comment<'a>>,
    /// For the next item: the comment next to its dash, and whether an empty line precedes that.
    dash: Option<(&'a str, bool)>,
}

impl<'a> Frame<'a> {
    /// The next node is a key.
    pub(super) fn wants_key(&self) -> bool {
        self.own.mapping && self.open.is_none()
    }

    /// Claims a comment before the next node; `same_line` if something precedes it on its line.
    fn comment(&mut self, comment: Comment<'a>, own_line: bool, same_line: bool) {
        match &mut self.open {
            Some(open) if same_line && open.trailing.is_none() => open.trailing = Some(comment.text),
            Some(_) => self.between.push(comment),
            None if !own_line && !self.own.mapping && !self.own.flow && self.dash.is_none() => {
                self.dash = Some((comment.text, comment.gap));
            }
            None if self.dash.is_some() => self.between.push(comment),
            None => self.pending.push(comment),
        }
    }
}

pub(super) struct Reader<'a> {
    pub(super) notes: PendingComments<'a>,
    pub(super) frames: Vec<Frame<'a>>,
    pub(super) document: Document<'a>,
}

impl<'a> Reader<'a> {
    fn token(&mut self, token: Token<'a>) -> Option<()> {
        let Token { kind, range, given, next } = token;
        match kind {
            Kind::Document => {
                self.start(range);
                Some(())
            }
            Kind::Scalar(text, style) => self.scalar(text, style, range, given, next),
            Kind::Open { mapping, flow } => self.open(mapping, flow, range.start, given),
            Kind::Close => self.close(range.start, range.end, next),
            Kind::Alias => {
                self.drain(range.start);
                let shape = Shape::Alias(self.slice(range.clone()));
                self.place(Node { props: None, shape, fixed: true }, range, next)
            }
        }
    }

    pub(super) fn slice(&self, range: std::ops::Range<usize>) -> &'a str {
        self.notes.text.get(range).unwrap_or("")
    }

    /// Claims the comments before `at`: they belong to the next node.
    pub(super) fn drain(&mut self, at: usize) {
        while self.notes.peek(at).is_some() {
            let floor = self.notes.floor;
            let Some((note, comment)) = self.notes.take() else { return };
            let same_line = !note.own_line && !self.slice(floor..note.range.start).contains('\n');
            match self.frames.last_mut() {
                Some(frame) => frame.comment(comment, note.own_line, same_line),
                None => self.document.head.push(comment),
            }
        }
    }

    /// A node without parts, at `range`: a key, or a value.
    pub(super) fn place(&mut self, node: Node<'a>, range: std::ops::Range<usize>, next: usize) -> Option<()> {
        let key = self.frames.last().is_some_and(Frame::wants_key);
        self.begin(range.start);
        self.notes.floor = range.end;
        if key {
            let frame = self.frames.last_mut()?;
            frame.fixed |= node.fixed;
            frame.open.as_mut()?.key = Some(node);
            return Some(());
        }
        let trailing = self.notes.trailing(next);
        self.complete(node, trailing)
    }

    /// Starts an entry, unless one waits for its value.
    pub(super) fn begin(&mut self, at: usize) {
        let Some(frame) = self.frames.last_mut().filter(|frame| frame.open.is_none()) else { return };
        let (trailing, mut gap) = match frame.dash.take() {
            Some((text, gap)) => (Some(text), gap),
            None => (None, self.notes.gap(at)),
        };
        let mut above = std::mem::take(&mut frame.pending);
        if frame.own.entries.is_empty() {
            if frame.own.mapping {
                frame.column = line_before(self.notes.text, at).len();
            }
            match above.first_mut() {
                Some(first) => first.gap = false,
                None => gap = false,
            }
        }
        frame.open = Some(Entry { above, gap, key: None, value: Node::default(), trailing });
    }

    fn open(&mut self, mapping: bool, flow: bool, start: usize, given: NodeProperties) -> Option<()> {
        let text = self.notes.text;
        let mut start = start;
        if !mapping && !flow && !text.get(start..).unwrap_or("").starts_with('-') {
            // For the parser, a list with the indentation of its key starts at its first item.
            start = events::indicator(text, b"-", self.notes.floor, start).unwrap_or(start);
        }
        self.drain(start);
        if self.frames.last().is_some_and(Frame::wants_key) {
            return None;
        }
        self.begin(start);
        let mut pending = match self.frames.last_mut() {
            Some(frame) => std::mem::take(&mut frame.between),
            None => std::mem::take(&mut self.document.head),
        };
        if flow {
            if let Some(open) = self.frames.last_mut().and_then(|frame| frame.open.as_mut()) {
                open.above.append(&mut pending);
            }
            self.notes.floor = start + 1;
        }
        self.frames.push(Frame {
            own: Collection { mapping, flow, entries: Vec::new(), tail: Vec::new() },
            props: given.props,
            fixed: given.anchored,
            column: line_before(text, start).len(),
            pending,
            open: None,
            between: Vec::new(),
            dash: None,
        });
        Some(())
    }

    fn close(&mut self, start: usize, end: usize, next: usize) -> Option<()> {
        let flow = self.frames.last()?.own.flow;
        if flow {
            self.drain(start);
            self.notes.floor = self.notes.floor.max(end);
        }
        let mut frame = self.frames.pop()?;
        frame.own.tail.append(&mut frame.pending);
        if !flow {
            self.tail(&mut frame, next);
        }
        if frame.own.entries.is_empty()
            && let Some(open) = self.frames.last_mut().and_then(|outer| outer.open.as_mut())
        {
            open.above.append(&mut frame.own.tail);
        }
        let node = Node { props: frame.props, shape: Shape::Collection(frame.own), fixed: frame.fixed };
        let trailing = if flow { self.notes.trailing(next) } else { None };
        self.complete(node, trailing)
    }

    /// The comments after the last entry of a block with its indentation; the outermost block
    /// claims all of them.
    fn tail(&mut self, frame: &mut Frame<'a>, next: usize) {
        let text = self.notes.text;
        let begins = events::indicator(text, b"-", self.notes.floor, next).unwrap_or(next);
        let outer = if next == text.len() { 0 } else { indentation(text, begins) };
        let at_end = self.frames.is_empty();
        // A node on the same line comes after the next dash.
        let mine = |note: &PendingComment| {
            at_end || (note.own_line && note.column >= frame.column && note.column > outer)
        };
        while self.notes.peek(begins).is_some_and(mine) {
            frame.own.tail.extend(self.notes.take().map(|(_, comment)| comment));
        }
    }

    /// The value of the open entry is whole.
    pub(super) fn complete(&mut self, node: Node<'a>, trailing: Option<&'a str>) -> Option<()> {
        let Some(frame) = self.frames.last_mut() else {
            self.document.root = Some(node);
            return Some(());
        };
        let mut entry = frame.open.take()?;
        frame.fixed |= node.fixed;
        entry.above.append(&mut frame.between);
        if let Some(text) = trailing
            && let Some(first) = entry.trailing.replace(text)
        {
            entry.above.push(Comment { text: first, gap: false });
        }
        entry.value = node;
        frame.own.entries.push(entry);
        Some(())
    }
}
