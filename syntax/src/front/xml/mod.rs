//! Parses XML 1.0 with exact spans into a plain tree of elements.
//!
//! Our own scanner finds spans and describes errors; it is lenient, so that one run reports all
//! errors of a file. `roxmltree` (DTD off) makes the final decision on well-formedness: no tree is
//! built that it rejects. Text is decoded together with a map of its bytes, so that a position
//! inside `a &lt; b`, inside CDATA, or inside a quoted Markdown fence is a position of the file.
//!
//! Cost: linear in the source; `roxmltree` needs about 100 bytes per tag.

mod judge;
mod scan;
mod text;
mod tree;

use std::ops::Range;

use hookc_schema::value::Text;
use hookc_schema::{Code, Diagnostic, Diagnostics, Span};

pub(crate) use text::allowed;

use crate::limits;

/// An element.
#[derive(Clone, Debug)]
pub struct Element<'a> {
    /// From `<` to the end of the end tag.
    pub span: Span,
    /// The start tag.
    pub tag: Span,
    /// The qualified name, as written.
    pub name: &'a str,
    /// The span of the name in the start tag.
    pub name_span: Span,
    /// The attributes in the order of the text, with distinct names.
    pub attributes: Vec<Attribute<'a>>,
    /// Elements and text; texts are never adjacent or empty.
    pub children: Vec<Node<'a>>,
    /// `xml:space="preserve"` applies here.
    pub preserve: bool,
}

/// An attribute.
#[derive(Clone, Debug)]
pub struct Attribute<'a> {
    /// The qualified name, as written.
    pub name: &'a str,
    /// The span of the name.
    pub name_span: Span,
    /// The value, normalised as XML requires.
    pub value: Text,
    /// The text between the quotes.
    pub span: Span,
}

/// The content of an element. Comments and processing instructions are omitted.
#[derive(Clone, Debug)]
pub enum Node<'a> {
    /// A child element.
    Element(Element<'a>),
    /// Text and CDATA up to the next tag, references replaced.
    Text(Text, Span),
}

impl<'a> Element<'a> {
    /// The attribute of that name.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&Attribute<'a>> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// The child elements.
    pub fn elements(&self) -> impl Iterator<Item = &Element<'a>> {
        self.children.iter().filter_map(|node| match node {
            Node::Element(element) => Some(element),
            Node::Text(..) => None,
        })
    }
}

/// Reads an XML document. `text` is a part of `whole`, as described by its map. Errors are
/// reported, with the result `None`.
pub fn read<'a>(text: &'a Text, whole: Span, out: &mut Diagnostics) -> Option<Element<'a>> {
    let mut problems = Problems { text, whole, reported: Diagnostics::new() };
    let root = problems.fits().then(|| tree::build(&text.value, &mut problems)).flatten();
    if problems.reported.is_empty() {
        judge::judge(&text.value, &mut problems);
    }
    let well_formed = problems.reported.is_empty();
    out.append(&mut problems.reported);
    root.filter(|_| well_formed)
}

/// The errors of one document, and the mapping of its bytes.
struct Problems<'a> {
    text: &'a Text,
    whole: Span,
    reported: Diagnostics,
}

impl Problems<'_> {
    /// The span of a range of the document.
    fn span(&self, range: Range<usize>) -> Span {
        self.text.map.span(self.whole, range)
    }

    /// An error at a range of the document, not reported yet.
    fn at(&self, range: Range<usize>, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Code::E0111, self.span(range), message)
    }

    fn report(&mut self, problem: Diagnostic) {
        self.reported.push(problem);
    }

    fn enough(&self) -> bool {
        self.reported.len() >= limits::XML_PROBLEMS
    }

    /// `roxmltree` reserves memory by the number of `<` and `=`.
    fn fits(&mut self) -> bool {
        let count = |byte: u8| self.text.value.bytes().filter(|&b| b == byte).count();
        let fits = count(b'<').max(count(b'=')) <= limits::XML_MARKUP;
        if !fits {
            let message = format!("the XML has more than {} tags or attributes", limits::XML_MARKUP);
            self.report(
                Diagnostic::new(Code::E0001, self.span(0..1), message).help("split it into several files"),
            );
        }
        fits
    }
}

fn white(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}
