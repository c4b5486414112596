//! A cursor over the decoded text of an expression that maps each byte to the source.

use std::ops::Range;

use hookc_schema::value::{Text, TextMap};
use hookc_schema::{Code, Diagnostic, Diagnostics, Span};

use crate::limits;

/// The result of a reader; the first error ends it.
pub(crate) type Read<T> = Result<T, Box<Diagnostic>>;

/// The quotes of strings, and their escapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quotes {
    /// RFC 8259: double quotes only.
    Json,
    /// RFC 9535: either quote; `\'` in single, `\"` in double quotes.
    JsonPath,
    /// Either quote, both escapes in both.
    Either,
    /// `'...'` raw: a backslash is a backslash, `''` is one quote, nothing else is special; `"..."`
    /// as in RFC 8259.
    Raw,
}

/// The cursor. Offsets are bytes of the decoded text.
#[derive(Clone, Debug)]
pub(crate) struct Reader<'a> {
    text: &'a str,
    map: &'a TextMap,
    whole: Span,
    depth: usize,
    /// The next byte.
    pub(crate) at: usize,
    /// The code of errors without a more specific one.
    pub(crate) code: Code,
    /// Which strings are strings.
    pub(crate) quotes: Quotes,
    /// Whether a raw string may contain any control character: it is a pattern, for which the
    /// checker reports more.
    pub(crate) any_control: bool,
    /// Positions in raw strings that look like escapes.
    pub(crate) escape_like: Vec<Range<usize>>,
}

impl<'a> Reader<'a> {
    /// A cursor at the start of `text`, which was written at `whole`.
    pub(crate) fn new(text: &'a Text, whole: Span, code: Code, quotes: Quotes) -> Self {
        Self {
            text: &text.value,
            map: &text.map,
            whole,
            depth: 0,
            at: 0,
            code,
            quotes,
            any_control: false,
            escape_like: Vec::new(),
        }
    }

    /// Rejects a text beyond [`limits::EXPRESSION_BYTES`].
    pub(crate) fn within_limit(&self, what: &str) -> Read<()> {
        let (length, limit) = (self.text.len(), limits::EXPRESSION_BYTES);
        if length <= limit {
            return Ok(());
        }
        let message = format!("{what} of {length} bytes is longer than the limit of {limit}");
        let long = Diagnostic::new(Code::E0306, self.whole, message);
        Err(long.with_label("too long").help("split it into smaller parts").into())
    }

    /// The unread text.
    pub(crate) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// The next character.
    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The next byte, 0 at the end.
    pub(crate) fn byte(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    /// Its length in bytes.
    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    /// Whether everything is read.
    pub(crate) fn is_done(&self) -> bool {
        self.at >= self.text.len()
    }

    /// Consumes `what` if it is next.
    pub(crate) fn eat(&mut self, what: &str) -> bool {
        let there = self.rest().starts_with(what);
        if there {
            self.at += what.len();
        }
        there
    }

    /// Consumes characters while they match.
    pub(crate) fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.at += length;
        rest.get(..length).unwrap_or("")
    }

    /// Skips the whitespace of RFC 8259 and RFC 9535.
    pub(crate) fn skip_whitespace(&mut self) {
        while matches!(self.byte(), b' ' | b'\t' | b'\n' | b'\r') {
            self.at += 1;
        }
    }

    /// A part of the text.
    pub(crate) fn slice(&self, range: Range<usize>) -> &'a str {
        self.text.get(range).unwrap_or("")
    }

    /// The span of a part of the text.
    pub(crate) fn span(&self, range: Range<usize>) -> Span {
        self.map.span(self.whole, range)
    }

    /// The span of the text from `start` to here.
    pub(crate) fn since(&self, start: usize) -> Span {
        self.span(start..self.at)
    }

    /// The next character's range; empty at the end.
    pub(crate) fn next_range(&self) -> Range<usize> {
        self.at..self.at + self.peek().map_or(0, char::len_utf8)
    }

    /// The mapping of the text to the source.
    pub(crate) fn map(&self) -> (&'a TextMap, Span) {
        (self.map, self.whole)
    }

    /// Reports an error at `range`.
    pub(crate) fn wrong(&self, range: Range<usize>, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(self.code, self.span(range), message)
    }

    /// Reports that something else was expected here.
    pub(crate) fn expected(&self, what: &str) -> Diagnostic {
        let found = match self.peek() {
            Some(c) => shown(c),
            None => "the end".to_owned(),
        };
        let message = format!("expected {what}, found {found}");
        self.wrong(self.next_range(), message).with_label(format!("expected {what}"))
    }

    /// Enters a nesting level, if the limit allows it.
    pub(crate) fn descend(&mut self, opening: usize) -> Read<()> {
        self.depth += 1;
        if self.depth <= limits::NESTING {
            return Ok(());
        }
        Err(too_deep(self.span(opening..opening + 1)))
    }

    /// Comes back up.
    pub(crate) fn ascend(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }
}

/// The error of nesting beyond [`limits::NESTING`].
pub(crate) fn too_deep(span: Span) -> Box<Diagnostic> {
    let message = format!("nesting is deeper than the limit of {}", limits::NESTING);
    Diagnostic::new(Code::E0103, span, message).with_label("exceeds the limit").into()
}

/// A character as a message shows it.
pub(crate) fn shown(c: char) -> String {
    match c {
        ' ' => "a space".to_owned(),
        '`' => "a backquote".to_owned(),
        c if is_hidden(c) || c.is_whitespace() => format!("the character U+{:04X}", u32::from(c)),
        c => format!("`{c}`"),
    }
}

/// Characters that are invisible, that reorder text, or that XML 1.0 rejects, all in the basic
/// plane. The joiners of words and emoji are excluded.
pub(crate) fn is_hidden(c: char) -> bool {
    let invisible = matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}');
    let ordering = matches!(c, '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}');
    c.is_control() || invisible || ordering || matches!(c, '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}')
}

/// What to write in the place of a character that an editor has put there instead of a plain one.
pub(crate) fn plain_character(c: char) -> Option<&'static str> {
    match c {
        '\u{2018}'..='\u{201f}' | '\u{ab}' | '\u{bb}' => Some("write straight quotes: `'text'`"),
        '\u{2010}'..='\u{2015}' | '\u{2212}' => Some("write a plain `-`"),
        c if !c.is_ascii() && (c.is_whitespace() || is_hidden(c)) => {
            Some("replace the character by a plain space, or remove it")
        }
        _ => None,
    }
}

/// The prefix of a text for a message, so that the message stays on one line.
pub(crate) fn excerpt(text: &str) -> String {
    const MOST: usize = 40;
    let clean = |c: char| if is_hidden(c) { '\u{fffd}' } else { c };
    let mut short: String = text.chars().take(MOST).map(clean).collect();
    if text.chars().nth(MOST).is_some() {
        short.push('…');
    }
    short
}

/// Returns a result, reporting its error.
pub(crate) fn report<T>(read: Read<T>, out: &mut Diagnostics) -> Option<T> {
    read.map_err(|wrong| out.push(*wrong)).ok()
}
