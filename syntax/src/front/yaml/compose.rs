//! The composer: builds one value from events, with an explicit stack. It implements what YAML
//! leaves to the application: anchors, merge keys, duplicate keys, budgets.

use std::collections::HashMap;
use std::ops::Range;

use hookc_schema::suggest::nearest;
use hookc_schema::value::{Kind, Text, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics, SourceId, Span};

use super::buffers::Buffers;
use super::elements::Elements;
use super::events::{self, Event, Events, Item, Layout, Style, Tag};
use super::frame::{Body, Frame, Node, Pending};
use super::problem::{self, Context};
use super::scalar::{self, Refusal};
use super::{align, merge};
use crate::limits;

/// The text cannot be read any further; the error was reported.
pub(super) struct Stop;

pub(super) struct Composer<'a, 'o, 'r> {
    /// The list whose elements are read as soon as they are complete.
    elements: Option<Elements<'r>>,
    buffers: Buffers,
    text: &'a str,
    source: SourceId,
    out: &'o mut Diagnostics,
    stack: Vec<Frame>,
    root: Option<Value>,
    anchors: HashMap<usize, Node>,
    names: Vec<String>,
    /// Names that were compared for suggestions.
    compared: usize,
    /// Nodes read, nodes added by aliases, nodes kept for anchors.
    read: usize,
    added: usize,
    kept: usize,
    /// End of the last token.
    last: usize,
}

impl<'a, 'o, 'r> Composer<'a, 'o, 'r> {
    pub(super) fn new(text: &'a str, source: SourceId, out: &'o mut Diagnostics) -> Self {
        Self {
            elements: None,
            buffers: Buffers::default(),
            text,
            source,
            out,
            stack: Vec::new(),
            root: None,
            anchors: HashMap::new(),
            names: Vec::new(),
            compared: 0,
            read: 0,
            added: 0,
            kept: 0,
            last: 0,
        }
    }

    /// Reads the elements of a list as soon as they are complete; in the value of the document, an
    /// empty object replaces each of them.
    pub(super) fn with_elements(mut self, elements: Elements<'r>) -> Self {
        self.elements = Some(elements);
        self
    }

    /// The value of the text's one document.
    pub(super) fn compose(mut self) -> Result<Value, Stop> {
        let mut documents = 0;
        for item in Events::new(self.text) {
            let item = item.map_err(|error| {
                let context = Context {
                    text: self.text,
                    source: self.source,
                    last: self.last,
                    open: self.open_bracket(),
                };
                self.out.push(problem::diagnostic(&error, &context));
                Stop
            })?;
            if let Event::Document = item.event {
                documents += 1;
                if documents > 1 {
                    self.second_document(item.range);
                    break;
                }
            } else {
                self.item(item)?;
            }
        }
        Ok(self.root.unwrap_or_else(|| Value::new(Kind::Null, Span::new(self.source, 0..0))))
    }

    /// The innermost open bracket or brace. A pair in a list is open without a brace.
    fn open_bracket(&self) -> Option<usize> {
        let starts = self.stack.iter().rev().filter(|frame| frame.layout == Layout::Flow);
        starts.map(|frame| frame.range.start).find(|start| {
            let bytes = self.text.as_bytes();
            matches!(bytes.get(*start), Some(b'[' | b'{'))
        })
    }

    fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.source, range)
    }

    fn slice(&self, range: Range<usize>) -> &'a str {
        self.text.get(range).unwrap_or("")
    }

    fn second_document(&mut self, range: Range<usize>) {
        let span = self.span(range);
        let new = Diagnostic::new(Code::E0107, span, "a second document in one file");
        self.out.push(new.with_label("starts here").help("write each document into a separate file"));
    }

    fn item(&mut self, item: Item<'a>) -> Result<(), Stop> {
        let end = item.range.end;
        match item.event {
            Event::Document | Event::Comment => {}
            Event::Anchor(name) => self.names.push(name),
            Event::Scalar(..) => self.scalar(item)?,
            Event::Seq(layout) => {
                let body = Body::seq(&mut self.buffers);
                self.open(body, layout, item)?;
            }
            Event::Map(layout) => {
                let body = Body::map(&mut self.buffers);
                self.open(body, layout, item)?;
            }
            Event::End => self.close(end)?,
            Event::Alias(id) => self.alias(id, item.range)?,
            Event::Unknown(name) => self.unknown(&name, item.range)?,
        }
        self.last = self.last.max(end);
        Ok(())
    }

    fn open(&mut self, body: Body, layout: Layout, item: Item<'a>) -> Result<(), Stop> {
        if self.stack.len() >= limits::NESTING {
            return self.too_deep(item.range);
        }
        self.read += 1;
        if let Some((tag, range)) = item.tag {
            self.collection_tag(&body, &tag, range);
        }
        let mut range = item.range;
        if matches!((&body, layout), (Body::Seq(_), Layout::Block))
            && !self.slice(range.start..range.start + 1).starts_with('-')
        {
            // For the parser, a list with the indentation of its key starts at its first item.
            range.start = events::indicator(self.text, b"-", self.last, range.start).unwrap_or(range.start);
        }
        self.stack.push(Frame::new(body, layout, range, item.anchor));
        Ok(())
    }

    fn collection_tag(&mut self, body: &Body, tag: &Tag, range: Range<usize>) {
        let spelling = self.slice(range.clone());
        let refusal = match (tag, body) {
            (Tag::NonSpecific, _) | (Tag::Core("seq"), Body::Seq(_)) | (Tag::Core("map"), Body::Map(_)) => {
                return;
            }
            (Tag::Core(_), _) => scalar::misfit(spelling),
            (Tag::Other, _) => scalar::unknown_tag(spelling),
        };
        self.refuse(refusal, range);
    }

    fn refuse(&mut self, refusal: Refusal, range: Range<usize>) {
        let new = Diagnostic::new(refusal.code, self.span(range), refusal.message);
        self.out.push(new.with_label(refusal.label).help(refusal.help));
    }

    fn too_deep(&mut self, range: Range<usize>) -> Result<(), Stop> {
        self.out.push(problem::too_deep(self.span(range)));
        Err(Stop)
    }

    fn close(&mut self, end: usize) -> Result<(), Stop> {
        let Some(mut frame) = self.stack.pop() else {
            return Ok(());
        };
        if frame.layout == Layout::Flow {
            frame.range.end = end;
        }
        let span = self.span(frame.range.clone());
        if let Body::Map(map) = &mut frame.body {
            merge::merge(map, self.out);
        }
        let anchor = frame.anchor;
        self.finish(frame.finish(span), anchor)
    }

    /// Completes a node: keeps it for its aliases and passes it to its parent.
    fn finish(&mut self, mut node: Node, anchor: usize) -> Result<(), Stop> {
        if anchor != 0 {
            self.keep(anchor, &node)?;
        }
        if let (Some(elements), [root, list]) = (&mut self.elements, self.stack.as_slice())
            && elements.are_in(root, list)
        {
            (elements.read)(&node.value);
            self.buffers.recycle(std::mem::replace(&mut node.value.kind, Kind::Map(Vec::new())));
        }
        match self.stack.last_mut() {
            None => self.root = Some(node.value),
            Some(frame) => frame.take(node, self.out),
        }
        Ok(())
    }

    /// Nested anchors would keep one copy per level: the same limit bounds that.
    fn keep(&mut self, anchor: usize, node: &Node) -> Result<(), Stop> {
        self.kept = self.kept.saturating_add(node.nodes);
        if self.kept > self.read + self.alias_nodes() {
            return self.too_much(node.value.span);
        }
        self.anchors.insert(anchor, node.clone());
        Ok(())
    }

    /// How many nodes aliases may add to this text.
    fn alias_nodes(&self) -> usize {
        let of_size = self.text.len().saturating_mul(limits::ALIAS_NODES_PER_BYTE);
        limits::ALIAS_NODES_AT_LEAST.saturating_add(of_size).min(limits::ALIAS_NODES)
    }

    fn too_much(&mut self, span: Span) -> Result<(), Stop> {
        let message = format!("aliases expand to more than {} values", self.alias_nodes());
        let new = Diagnostic::new(Code::E0104, span, message).with_label("the limit is passed here");
        self.out.push(new.help("reduce aliases inside aliases"));
        Err(Stop)
    }

    fn scalar(&mut self, item: Item<'a>) -> Result<(), Stop> {
        let Event::Scalar(text, style) = item.event else {
            return Ok(());
        };
        self.read += 1;
        // The parser spells an empty node `~`.
        let empty = style == Style::Plain && item.range.is_empty();
        let text = if empty { "" } else { text.as_ref() };
        let (range, raw) = self.extent(item.range, style);
        if self.stack.last().is_some_and(Frame::wants_key) {
            return self.key(text, style, range, item.anchor, item.tag);
        }
        let mut kind = self.resolve(text, style, item.tag, &range);
        if let Kind::Str(string) = &mut kind {
            string.map = align::map(self.slice(raw.clone()), raw.start, &string.value, style);
        }
        self.finish(Node::leaf(Value::new(kind, self.span(range))), item.anchor)
    }

    /// The value of a scalar. A rejected one keeps its apparent type, so that nothing more is
    /// reported about it.
    fn resolve(
        &mut self,
        text: &str,
        style: Style,
        tag: Option<(Tag, Range<usize>)>,
        range: &Range<usize>,
    ) -> Kind {
        let place = tag.as_ref().map_or_else(|| range.clone(), |(_, place)| place.clone());
        let spelling = self.slice(place.clone());
        let result =
            scalar::resolve(text, style, tag.as_ref().map(|(tag, _)| tag), spelling, &mut self.buffers);
        result.unwrap_or_else(|refusal| {
            self.refuse(refusal, place);
            scalar::likely(text, style, &mut self.buffers)
        })
    }

    /// The range of a scalar, including header and quotes, and the part that the text map aligns.
    fn extent(&self, range: Range<usize>, style: Style) -> (Range<usize>, Range<usize>) {
        if !matches!(style, Style::Literal | Style::Folded) {
            return (range.clone(), range);
        }
        let header = events::indicator(self.text, b"|>", self.last, range.start).unwrap_or(range.start);
        let line = self.slice(header..range.end.max(header));
        let body = match line.find(['\n', '\r']) {
            Some(at) if line.get(at..).is_some_and(|rest| rest.starts_with("\r\n")) => at + 2,
            Some(at) => at + 1,
            None => line.len(),
        };
        let body = header + body;
        let end = header + line.trim_end_matches(['\n', '\r', ' ']).len();
        (header..end, body.min(range.end)..range.end)
    }

    fn key(
        &mut self,
        text: &str,
        style: Style,
        range: Range<usize>,
        anchor: usize,
        tag: Option<(Tag, Range<usize>)>,
    ) -> Result<(), Stop> {
        let span = self.span(range.clone());
        let mut pending = Pending::Value(self.buffers.string(text), span);
        if text == "<<" && style == Style::Plain && tag.is_none() {
            pending = Pending::Merge(span);
        } else if range.is_empty() {
            let new = Diagnostic::new(Code::E0105, span, "a `:` without a key before it");
            self.out.push(new.with_label("no key here").help("write the key, or \"\" for the empty one"));
            pending = Pending::Dropped;
        } else if let Some((Tag::Other | Tag::Core("map" | "seq"), place)) = tag {
            self.refuse(scalar::unknown_tag(self.slice(place.clone())), place);
        }
        if anchor != 0 {
            self.keep(anchor, &Node::leaf(Value::string(text, span)))?;
        }
        if let Some(frame) = self.stack.last_mut() {
            frame.key(pending, span, self.out);
        }
        Ok(())
    }

    fn alias(&mut self, id: usize, range: Range<usize>) -> Result<(), Stop> {
        let Some(node) = self.anchors.get(&id) else {
            let new = Diagnostic::new(Code::E0106, self.span(range.clone()), "an alias inside its own value");
            self.out.push(new.with_label("infinite expansion").help("write the value itself"));
            return self.stand_in(range);
        };
        let mut node = node.clone();
        if self.stack.len() + node.height > limits::NESTING {
            return self.too_deep(range);
        }
        node.value.span = self.span(range);
        self.added += node.nodes;
        if self.added > self.alias_nodes() {
            return self.too_much(node.value.span);
        }
        self.finish_or_key(node)
    }

    /// An alias of an unknown anchor is most likely text that needs quotes.
    fn unknown(&mut self, name: &str, range: Range<usize>) -> Result<(), Stop> {
        let message = format!("unknown anchor `&{name}`");
        let mut new = Diagnostic::new(Code::E0106, self.span(range.clone()), message);
        self.compared += self.names.len();
        let names = self.names.iter().map(String::as_str);
        let near = if self.compared <= limits::SUGGESTIONS { nearest(name, names) } else { None };
        new = new.with_label("this alias").help(match near {
            Some(near) => {
                format!("did you mean `*{near}`? text that starts with `*` needs quotes: '*{name}'")
            }
            None => format!("text that starts with `*` needs quotes: '*{name}'"),
        });
        self.out.push(new);
        self.stand_in(range)
    }

    /// The text of an alias replaces what it did not find.
    fn stand_in(&mut self, range: Range<usize>) -> Result<(), Stop> {
        let text = self.slice(range.clone());
        self.finish_or_key(Node::leaf(Value::new(Kind::Str(Text::plain(text)), self.span(range))))
    }

    /// A value made by an alias, as a value or as a key.
    fn finish_or_key(&mut self, node: Node) -> Result<(), Stop> {
        let span = node.value.span;
        match self.stack.last_mut() {
            Some(frame) if frame.wants_key() => match scalar::as_key(&node.value.kind) {
                Some(text) => frame.key(Pending::Value(text, span), span, self.out),
                None => frame.take(node, self.out),
            },
            _ => return self.finish(node, 0),
        }
        Ok(())
    }
}
