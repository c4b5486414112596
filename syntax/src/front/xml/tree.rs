//! Tags and text to a tree of elements.

use std::ops::Range;

use hookc_schema::suggest::nearest;
use hookc_schema::{Code, Span};

use super::scan::{Raw, Scanner, Tag, Token};
use super::{Attribute, Element, Node, Problems, text, white};
use crate::front::text_map::Builder;
use crate::limits;

/// The root element, if it can be recognized; errors are reported.
pub(super) fn build<'a>(src: &'a str, problems: &mut Problems<'_>) -> Option<Element<'a>> {
    let mut scanner = Scanner::new(src);
    let mut tree = Tree { src, open: Vec::new(), root: None, outside: false };
    while let Some(token) = scanner.next(problems) {
        tree.take(token, problems)?;
    }
    tree.end(problems);
    tree.root
}

struct Tree<'a> {
    src: &'a str,
    /// The elements that are open, the root first.
    open: Vec<Open<'a>>,
    root: Option<Element<'a>>,
    /// Text outside the root was reported.
    outside: bool,
}

/// An open element and the text that runs at its end.
struct Open<'a> {
    element: Element<'a>,
    start: usize,
    text: Builder,
    text_range: Option<Range<usize>>,
}

impl<'a> Tree<'a> {
    /// `None` if continuing makes no sense.
    fn take(&mut self, token: Token<'a>, problems: &mut Problems<'_>) -> Option<()> {
        match token {
            Token::Open(tag) => self.open(tag, problems)?,
            Token::Close { name, range } => self.close(name, range, problems),
            Token::Text(range) => self.text(range.clone(), range, true, problems),
            Token::Cdata { inner, range } => self.text(inner, range, false, problems),
        }
        Some(())
    }

    fn open(&mut self, tag: Tag<'a>, problems: &mut Problems<'_>) -> Option<()> {
        let span = problems.span(tag.range.clone());
        if let Some(root) = self.root.as_ref().filter(|_| self.open.is_empty()) {
            let message = format!("a second root element, `<{}>`", tag.name);
            let problem = problems.at(tag.range, message).with_label("a document has one root");
            problems.report(problem.also(root.tag, "the first one").help("put it inside the first one"));
            return None;
        }
        if self.open.len() >= limits::NESTING {
            let mut problem =
                problems.at(tag.range, format!("elements are nested deeper than {}", limits::NESTING));
            problem.code = Code::E0103;
            problems.report(problem.with_label("exceeds the limit"));
            return None;
        }
        let outer = self.open.last().is_some_and(|open| open.element.preserve);
        if let Some(parent) = self.open.last_mut() {
            parent.flush(problems);
        }
        let attributes = self.attributes(tag.attributes, problems);
        let name_at = tag.range.start + 1;
        let name_span = problems.span(name_at..name_at + tag.name.len());
        let space = attributes.iter().find(|attribute| attribute.name == "xml:space");
        let preserve = space.map_or(outer, |space| space.value.value == "preserve");
        let element = Element {
            span,
            tag: span,
            name: tag.name,
            name_span,
            attributes,
            children: Vec::new(),
            preserve,
        };
        let (start, end) = (tag.range.start, tag.range.end);
        self.open.push(Open { element, start, text: Builder::default(), text_range: None });
        if tag.empty {
            self.pop(end, problems);
        }
        Some(())
    }

    fn attributes(&self, raw: Vec<Raw<'a>>, problems: &mut Problems<'_>) -> Vec<Attribute<'a>> {
        let mut attributes: Vec<Attribute<'a>> = Vec::with_capacity(raw.len());
        for Raw { name, name_at, value: range } in raw {
            let name_range = name_at..name_at + name.len();
            let name_span = problems.span(name_range.clone());
            if let Some(first) = attributes.iter().find(|attribute| attribute.name == name) {
                let problem = problems.at(name_range, format!("duplicate attribute `{name}`"));
                problems.report(problem.with_label("again here").also(first.name_span, "first here"));
                continue;
            }
            let span = problems.span(range.clone());
            let value = text::attribute(self.src, range, problems);
            attributes.push(Attribute { name, name_span, value, span });
        }
        attributes
    }

    fn close(&mut self, name: &'a str, range: Range<usize>, problems: &mut Problems<'_>) {
        let Some(top) = self.open.last() else {
            let problem = problems.at(range, format!("unmatched `</{name}>`"));
            problems.report(problem.with_label("no element is open here"));
            return;
        };
        if top.element.name == name {
            self.pop(range.end, problems);
            return;
        }
        let open = top.element.name;
        let outer = self.open.iter().rposition(|open| open.element.name == name);
        let problem = problems.at(range.clone(), format!("`</{name}>` does not close `<{open}>`"));
        let problem =
            problem.with_label(format!("expected `</{open}>`")).also(top.element.tag, "opened here");
        problems.report(match outer {
            Some(_) => problem.help(format!("write `</{open}>` before `</{name}>`")),
            None => problem.help(format!("write `</{open}>`")),
        });
        // A misspelled end tag ends its element; a stray one is ignored.
        let misspelled = nearest(name, [open]).is_some();
        let kept = outer.or(misspelled.then(|| self.open.len().saturating_sub(1)));
        while kept.is_some_and(|kept| self.open.len() > kept) {
            self.pop(range.end, problems);
        }
    }

    fn text(
        &mut self,
        inner: Range<usize>,
        range: Range<usize>,
        references: bool,
        problems: &mut Problems<'_>,
    ) {
        let written = self.src.get(inner.clone()).unwrap_or("");
        let Some(open) = self.open.last_mut() else {
            if (!references || !written.bytes().all(white)) && !self.outside {
                self.outside = true;
                let start = inner.start + (written.len() - written.trim_start().len());
                let end = inner.start + written.trim_end().len();
                let problem = problems.at(start..end.max(start), "text outside the root element");
                problems.report(problem.with_label("not inside any element"));
            }
            return;
        };
        if let Some(found) = written.find("]]>").filter(|_| references) {
            let at = inner.start + found;
            let problem = problems.at(at..at + 3, "`]]>` is not allowed in text");
            problems.report(problem.with_label("not the end of a CDATA section").help("write `]]&gt;`"));
        }
        text::append(self.src, inner, references, &mut open.text, problems);
        open.text_range =
            Some(open.text_range.as_ref().map_or(range.start, |before| before.start)..range.end);
    }

    /// Ends the innermost element.
    fn pop(&mut self, end: usize, problems: &Problems<'_>) {
        let Some(mut open) = self.open.pop() else { return };
        open.flush(problems);
        open.element.span = problems.span(open.start..end);
        match self.open.last_mut() {
            Some(parent) => parent.element.children.push(Node::Element(open.element)),
            None => self.root = Some(open.element),
        }
    }

    fn end(&mut self, problems: &mut Problems<'_>) {
        if problems.enough() || !problems.reported.is_empty() {
            return;
        }
        if let Some(open) = self.open.last() {
            let name = open.element.name;
            let range = open.start..open.start + 1 + name.len();
            let problem = problems.at(range, format!("`<{name}>` is never closed")).with_label("opened here");
            problems.report(problem.help(format!("write `</{name}>` where it ends")));
        } else if self.root.is_none() {
            let problem = problems.at(0..0, "expected an XML element").with_label("empty");
            problems.report(problem.help("write `<directive name=\"...\">...</directive>`"));
        }
    }
}

impl Open<'_> {
    /// Makes a node of the text so far.
    fn flush(&mut self, problems: &Problems<'_>) {
        let Some(range) = self.text_range.take() else { return };
        let span: Span = problems.span(range.clone());
        let text = std::mem::take(&mut self.text).finish(range.end, &problems.text.map);
        if !text.value.is_empty() {
            self.element.children.push(Node::Text(text, span));
        }
    }
}
