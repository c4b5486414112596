//! An interface to the parser: only this file and `problem.rs` know `granit-parser`, so that
//! another event parser can replace it.

use std::borrow::Cow;
use std::ops::Range;

use granit_parser::{
    Event as Raw, Options, Parser, ScalarStyle, ScanError, Span, StrInput, StructureStyle, Tag as RawTag,
};

use crate::limits;

/// The parser's events, one at a time.
#[derive(Debug)]
pub(crate) enum Event<'a> {
    /// The start of a document.
    Document,
    /// A scalar, decoded.
    Scalar(Cow<'a, str>, Style),
    /// The start of a sequence.
    Seq(Layout),
    /// The start of a mapping.
    Map(Layout),
    /// The innermost sequence or mapping ends.
    End,
    /// The anchor of the node just returned.
    Anchor(String),
    /// A repetition of an anchored node.
    Alias(usize),
    /// An alias of an unknown anchor.
    Unknown(String),
    /// A comment, if requested. Comments can arrive late: their ranges determine their position.
    Comment,
}

/// The style of a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// By indentation.
    Block,
    /// In brackets or braces.
    Flow,
}

/// The style of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    Plain,
    Single,
    Double,
    Literal,
    Folded,
}

/// An explicit tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Tag {
    /// `!`
    NonSpecific,
    /// One of the core schema, without `!!`: `str`, `int`, ...
    Core(&'static str),
    /// Any other.
    Other,
}

/// An event with its range and a node's properties.
#[derive(Debug)]
pub(crate) struct Item<'a> {
    pub(crate) event: Event<'a>,
    pub(crate) range: Range<usize>,
    /// The number of its anchor; 0 without one.
    pub(crate) anchor: usize,
    /// Its tag and the tag's range.
    pub(crate) tag: Option<(Tag, Range<usize>)>,
}

/// The events of a text up to its end or its first error.
pub(crate) struct Events<'a> {
    parser: Parser<'a, StrInput<'a>>,
}

impl<'a> Events<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { parser: Parser::new_from_str_with_options(text, options()) }
    }

    /// These events, with comments.
    pub(crate) fn with_comments(text: &'a str) -> Self {
        let mut options = options();
        options.emit_comments = true;
        options.max_buffered_comment_events = usize::MAX;
        Self { parser: Parser::new_from_str_with_options(text, options) }
    }
}

/// One more level of nesting is allowed than our own limit, so that the composer reports it first;
/// keys can be as long as any expression, as in JSON.
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
        Raw::Comment(..) => (Event::Comment, 0, None),
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

/// The position of one of `wanted` between the token that ends at `from` and the content at
/// `content`, ignoring properties and comments: the `|` or `>` of a block scalar, the first `-` of
/// a list.
pub(crate) fn indicator(text: &str, wanted: &[u8], from: usize, content: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let rest = text.get(at..content)?;
        let skip = match rest.as_bytes().first()? {
            byte if wanted.contains(byte) => return Some(at),
            b'#' => rest.find(['\n', '\r'])?,
            b'&' | b'!' => rest.find(char::is_whitespace)?,
            _ => rest.chars().next()?.len_utf8(),
        };
        at += skip;
    }
}
