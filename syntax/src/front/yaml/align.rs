//! Text maps: which byte of a decoded scalar was written where.
//!
//! The aligner walks the raw slice and the decoded text together. It relies on the parser for the
//! content of the scalar and only finds positions; if the two do not match, the span of the scalar
//! is that of the whole.

use hookc_schema::value::{Run, TextMap};

use super::events::Style;

/// The map from `decoded` to `raw`, a scalar at byte `base` of the source. `raw` includes quotes;
/// for a block scalar it is the text after the header line.
pub(super) fn map(raw: &str, base: usize, decoded: &str, style: Style) -> TextMap {
    let quote = usize::from(matches!(style, Style::Single | Style::Double));
    let inner = raw.get(quote..raw.len().saturating_sub(quote)).unwrap_or("");
    let base = base + quote;
    if inner == decoded {
        return u32::try_from(base).map_or(TextMap::Whole, TextMap::Shift);
    }
    let mut walk = Aligner { raw: inner, at: 0, decoded, done: 0, base, runs: Vec::new() };
    let whole = match style {
        Style::Literal => walk.block(false),
        Style::Folded => walk.block(true),
        Style::Plain | Style::Single | Style::Double => walk.flow(style),
    };
    if whole.is_some() { TextMap::Runs(walk.runs) } else { TextMap::Whole }
}

struct Aligner<'a> {
    raw: &'a str,
    at: usize,
    decoded: &'a str,
    done: usize,
    base: usize,
    runs: Vec<Run>,
}

/// Length of the line break that `text` starts with.
fn break_len(text: &str) -> usize {
    match text.as_bytes() {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

impl<'a> Aligner<'a> {
    fn rest(&self) -> &'a str {
        self.raw.get(self.at..).unwrap_or("")
    }

    fn left(&self) -> &'a str {
        self.decoded.get(self.done..).unwrap_or("")
    }

    fn here(&self) -> Option<Run> {
        let (decoded, source) = (self.done.try_into().ok()?, (self.base + self.at).try_into().ok()?);
        Some(Run { decoded, source })
    }

    /// Records the position of the next decoded byte.
    fn mark(&mut self) -> Option<()> {
        let here = self.here()?;
        let continues = |run: &Run| here.decoded - run.decoded == here.source - run.source;
        if !self.runs.last().is_some_and(continues) {
            self.runs.push(here);
        }
        Some(())
    }

    /// The end of both.
    fn finish(&mut self) -> Option<()> {
        let here = self.here()?;
        if self.runs.last() != Some(&here) {
            self.runs.push(here);
        }
        Some(())
    }

    /// `len` bytes that are equal in both.
    fn copy(&mut self, len: usize) -> Option<()> {
        let same = self.rest().get(..len)?;
        if !self.left().starts_with(same) {
            return None;
        }
        self.mark()?;
        self.at += len;
        self.done += len;
        Some(())
    }

    /// `raw` bytes that encode the next decoded character.
    fn decoded_from(&mut self, raw: usize) -> Option<()> {
        self.mark()?;
        self.done += self.left().chars().next()?.len_utf8();
        self.at += raw;
        (self.at <= self.raw.len()).then_some(())
    }

    fn flow(&mut self, style: Style) -> Option<()> {
        while !self.left().is_empty() {
            match *self.rest().as_bytes().first()? {
                b' ' | b'\t' | b'\r' | b'\n' => self.gap()?,
                b'\'' if style == Style::Single => self.decoded_from(2)?,
                b'\\' if style == Style::Double => self.escape()?,
                _ => {
                    let special = |byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'\'' | b'\\');
                    let first = self.rest().chars().next()?.len_utf8();
                    let tail = self.rest().as_bytes().get(first..)?;
                    let len = first + tail.iter().position(|&byte| special(byte)).unwrap_or(tail.len());
                    self.copy(len)?;
                }
            }
        }
        self.at = self.raw.len();
        self.finish()
    }

    /// Whitespace: unchanged within a line, folded around line breaks.
    fn gap(&mut self) -> Option<()> {
        let rest = self.rest();
        let blank = |c: char| matches!(c, ' ' | '\t');
        let len = rest.len() - rest.trim_start_matches(blank).len();
        match break_len(rest.get(len..)?) {
            0 => self.copy(len),
            _ => self.fold(len, 1),
        }
    }

    /// Line breaks from `skip` bytes ahead, with the whitespace around them. One break is a space
    /// (or nothing: `least` is 0 after a backslash), more are one line feed less.
    fn fold(&mut self, skip: usize, least: usize) -> Option<()> {
        let start = self.at;
        let mut breaks = Vec::new();
        self.at += skip;
        loop {
            let len = break_len(self.rest());
            if len == 0 {
                break;
            }
            breaks.push(self.at);
            self.at += len;
            self.at += self.rest().len() - self.rest().trim_start_matches([' ', '\t']).len();
        }
        let end = self.at;
        if let [_] = breaks.as_slice() {
            breaks = if least == 0 { Vec::new() } else { vec![start] };
        } else {
            breaks.remove(0);
        }
        for at in breaks {
            self.at = at;
            self.decoded_from(1)?;
        }
        self.at = end;
        self.mark()
    }

    /// An escape sequence.
    fn escape(&mut self) -> Option<()> {
        let rest = self.rest();
        match *rest.as_bytes().get(1)? {
            b'\r' | b'\n' => self.fold(1, 0),
            b'x' => self.decoded_from(4),
            b'U' => self.decoded_from(10),
            b'u' => {
                let unit = u32::from_str_radix(rest.get(2..6)?, 16).ok()?;
                let pair = (0xd800..0xdc00).contains(&unit);
                self.decoded_from(if pair { 12 } else { 6 })
            }
            _ => self.decoded_from(2),
        }?;
        self.mark()
    }

    /// The lines of a block scalar.
    fn block(&mut self, folded: bool) -> Option<()> {
        let indent = self.indent()?;
        while !self.left().is_empty() {
            let rest = self.rest();
            let spaces = rest.len() - rest.trim_start_matches(' ').len();
            self.at += spaces.min(indent);
            let rest = self.rest();
            let len = rest.find(['\r', '\n']).unwrap_or(rest.len());
            if len > 0 {
                self.copy(len)?;
            }
            if self.left().is_empty() {
                break;
            }
            let len = break_len(self.rest());
            match self.left().as_bytes().first() {
                Some(b'\n') if len > 0 => self.decoded_from(len)?,
                Some(b' ') if len > 0 && folded => self.decoded_from(len)?,
                _ if len == 0 => break,
                _ => self.at += len,
            }
        }
        self.left().is_empty().then_some(())?;
        self.finish()
    }

    /// The indentation of the block: the difference between the first non-empty line in the source
    /// and in the text.
    fn indent(&self) -> Option<usize> {
        let says = |line: &&str| !line.trim_matches([' ', '\r']).is_empty();
        let leading = |line: &str| line.len() - line.trim_start_matches(' ').len();
        let Some(decoded) = self.decoded.split('\n').find(says) else {
            return Some(usize::MAX);
        };
        let raw = self.raw.split('\n').find(says)?;
        leading(raw).checked_sub(leading(decoded))
    }
}
