//! The parser behind a face of our own: everything that the composer knows of
//! `granit-parser` is in this file and in `problem.rs`, so that another event
//! parser can take its place.

use std::borrow::Cow;
use std::ops::Range;

use granit_parser::{
    Event as Raw, Options, Parser, ScalarStyle, ScanError, Span, StrInput, StructureStyle, Tag as RawTag,
};

use crate::limits;

/// What the parser tells, one thing at a time.
#[derive(Debug)]
pub(super) enum Event<'a> {
    /// A document begins.
    Document,
    /// A scalar, decoded.
    Scalar(Cow<'a, str>, Style),
    /// A sequence begins.
    Seq(Layout),
    /// A mapping begins.
    Map(Layout),
    /// The innermost sequence or mapping ends.
    End,
    /// The name of the anchor of the node just told.
    Anchor(String),
    /// A repetition of an anchored node.
    Alias(usize),
    /// An alias whose anchor nothing has.
    Unknown(String),
}

/// How a collection is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// By indentation.
    Block,
    /// In brackets or braces.
    Flow,
}

/// How a scalar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    Single,
    Double,
    Literal,
    Folded,
}

/// An explicit tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    /// `!`
    NonSpecific,
    /// One of the core schema, without `!!`: `str`, `int`, ...
    Core(&'static str),
    /// Any other.
    Other,
}

/// An event, where it is, and a node's properties.
#[derive(Debug)]
pub(super) struct Item<'a> {
    pub(super) event: Event<'a>,
    pub(super) range: Range<usize>,
    /// The number of its anchor; 0: none.
    pub(super) anchor: usize,
    /// Its tag, and where that was written.
    pub(super) tag: Option<(Tag, Range<usize>)>,
}

/// The events of a text up to its end or its first error.
pub(super) struct Events<'a> {
    parser: Parser<'a, StrInput<'a>>,
}

impl<'a> Events<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { parser: Parser::new_from_str_with_options(text, options()) }
    }
}

/// Nesting is allowed one level more than our own limit, so that the composer
/// meets it first; keys may be as long as any expression, as in JSON.
fn options() -> Options {
    granit_parser::options! {
        emit_unresolved_aliases: true,
        emit_anchor_events: true,
        emit_comments: false,
        simple_key_max_lookahead: limits::EXPRESSION_BYTES,
        flow_nesting_limit: limits::NESTING + 1,
        block_nesting_limit: limits::NESTING + 1,
    }
}

impl<'a> Iterator for Events<'a> {
    type Item = Result<Item<'a>, ScanError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.parser.next()? {
                Err(error) => return Some(Err(error)),
                Ok((event, span)) => {
                    if let Some(item) = item(event, &span) {
                        return Some(Ok(item));
                    }
                }
            }
        }
    }
}

fn item<'a>(event: Raw<'a>, span: &Span) -> Option<Item<'a>> {
    let (event, anchor, tag) = match event {
        Raw::DocumentStart(..) => (Event::Document, 0, None),
        Raw::Scalar(text, how, anchor, tag) => (Event::Scalar(text, style(how)), anchor, tag),
        Raw::SequenceStart(how, anchor, tag) => (Event::Seq(layout(how)), anchor, tag),
        Raw::MappingStart(how, anchor, tag) => (Event::Map(layout(how)), anchor, tag),
        Raw::SequenceEnd | Raw::MappingEnd => (Event::End, 0, None),
        Raw::Anchor(_, name) => (Event::Anchor(name.into_owned()), 0, None),
        Raw::Alias(id) => (Event::Alias(id), 0, None),
        Raw::UnresolvedAlias(name) => (Event::Unknown(name.into_owned()), 0, None),
        _ => return None,
    };
    let tag = tag.map(|tag| (kind(&tag), span.tag_span().as_ref().map_or(0..0, range)));
    Some(Item { event, range: range(span), anchor, tag })
}

fn range(span: &Span) -> Range<usize> {
    span.byte_range().unwrap_or(0..0)
}

fn layout(style: StructureStyle) -> Layout {
    match style {
        StructureStyle::Block => Layout::Block,
        StructureStyle::Flow => Layout::Flow,
    }
}

fn style(style: ScalarStyle) -> Style {
    match style {
        ScalarStyle::Plain => Style::Plain,
        ScalarStyle::SingleQuoted => Style::Single,
        ScalarStyle::DoubleQuoted => Style::Double,
        ScalarStyle::Literal => Style::Literal,
        ScalarStyle::Folded => Style::Folded,
    }
}

fn kind(tag: &RawTag) -> Tag {
    const CORE: [&str; 7] = ["str", "int", "float", "bool", "null", "map", "seq"];
    if tag.handle().is_empty() && tag.suffix() == "!" {
        return Tag::NonSpecific;
    }
    let core = tag.core_suffix().and_then(|name| CORE.into_iter().find(|known| *known == name));
    core.map_or(Tag::Other, Tag::Core)
}
