//! Words of commands, and their unknown parts.

use std::fmt;
use std::ops::Range;

use hookc_base::json::push_string;

use super::super::arena::Arena;
use super::super::token::{Mark, Special, Token, long};

/// A word of a command: its text without quotes, in which parts can be unknown.
#[derive(Clone, Copy)]
pub struct Word<'w> {
    pub(super) arena: &'w Arena,
    pub(super) token: Token,
}

/// A part of a word that only a running shell knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hole<'w> {
    /// Its range in the text of the word, in bytes.
    pub range: Range<usize>,
    /// Its text there, as it is written: `$X`, `$(date)`, `*`. For a variable with a default it is the default: `y` of
    /// `${X:-y}`.
    pub text: &'w str,
    /// What it can become.
    pub kind: HoleKind,
}

/// What a hole can become.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HoleKind {
    /// Any text, also none: the value of a variable, the output of a program.
    Text,
    /// Any text without `/`: the `*` of a pattern. At the start of a name, it becomes no text that starts with a dot.
    Name,
    /// One character that is no `/`: `?` and `[...]` of a pattern.
    Char,
    /// Any number of names with `/` between them, none of which is `.` or `..`: what is below a directory. No word of a
    /// line has such a hole; the objects of effects can.
    Names,
}

impl<'w> Hole<'w> {
    /// The variable whose value it is, changed or not: `X` of `$X`, `${X}` and `${X%.c}`.
    #[must_use]
    pub fn variable(&self) -> Option<&'w str> {
        let rest = self.text.strip_prefix('$')?;
        let (rest, is_braced) = rest.strip_prefix('{').map_or((rest, false), |rest| (rest, true));
        let is_name = |byte: u8| byte == b'_' || byte.is_ascii_alphanumeric();
        let end = rest.bytes().position(|byte| !is_name(byte)).unwrap_or(rest.len());
        let name = rest.get(..end).filter(|name| !name.is_empty())?;
        (is_braced || end == rest.len()).then_some(name)
    }
}

impl<'w> Word<'w> {
    /// A word of an arena.
    pub(crate) const fn new(arena: &'w Arena, token: Token) -> Self {
        Self { arena, token }
    }

    /// The range of the word in the line that it comes from, with its quotes: that of `$X` for each word that `$X`
    /// becomes. None for words of aliases, and of code that a program reads. The value of a flag that is in one word
    /// with it can have the range of that word.
    #[must_use]
    pub fn span(self) -> Option<Range<usize>> {
        self.arena.span(self.token).map(|(from, to)| long(from)..long(to))
    }

    /// Its text without quotes; holes are as they are written.
    #[must_use]
    pub fn text(self) -> &'w str {
        self.arena.text(self.token)
    }

    /// Appends its text as JSON.
    pub(crate) fn write_json(self, out: &mut String) {
        if self.token.plain {
            out.push('"');
            out.push_str(self.text());
            out.push('"');
        } else {
            push_string(self.text(), out);
        }
    }

    /// Bytes of its text as JSON, at most; the quotes and a comma too.
    pub(crate) fn json_bytes(self) -> usize {
        self.arena.most(self.token)
    }

    /// Its text, if it has no holes.
    #[must_use]
    pub fn literal(self) -> Option<&'w str> {
        self.holes().next().is_none().then(|| self.text())
    }

    /// Whether the shell passes exactly this text, unless it is a pattern of files.
    #[must_use]
    pub fn is_known(self) -> bool {
        self.arena.is_known(self.token)
    }

    /// Whether a part of it is a pattern of files.
    #[must_use]
    pub fn is_pattern(self) -> bool {
        self.arena.has(self.token, |kind| kind == Special::Glob)
    }

    /// Whether it can become several words, or none: an unquoted `$X`, a pattern of files.
    #[must_use]
    pub fn can_split(self) -> bool {
        !self.arena.is_one(self.token)
    }

    /// Whether a part of it is in quotes.
    #[must_use]
    pub const fn is_quoted(self) -> bool {
        self.token.quoted
    }

    /// The variables whose values are in it, changed or not, and which the line does not set to a known text: `X` of
    /// `$X` and `${X:-y}`. `*` stands for a variable of unknown name: `${!X}`.
    pub fn variables(self) -> impl Iterator<Item = &'w str> + Clone + use<'w> {
        let is_indirect = |hole: &Hole<'_>| hole.text.starts_with("${!");
        let name = move |hole: Hole<'w>| hole.variable().or_else(|| is_indirect(&hole).then_some("*"));
        let arena = self.arena;
        let defaults = arena.marks(self.token).iter().filter_map(move |mark| match mark.kind {
            Special::Default(number) => arena.defaulted.get(long(number)).map(|name| arena.text(*name)),
            _ => None,
        });
        self.holes().filter_map(name).chain(defaults)
    }

    /// Its unknown parts, in order. They do not overlap.
    pub fn holes(self) -> impl Iterator<Item = Hole<'w>> + Clone + use<'w> {
        let (text, mut end) = (self.text(), 0);
        let marks = self.arena.marks(self.token).iter();
        marks.filter_map(move |mark| {
            let (range, kind) = hole(text, mark)?;
            if range.start < end && range.end <= end {
                return None;
            }
            let range = range.start.max(end)..range.end;
            end = range.end;
            Some(Hole { text: text.get(range.clone())?, range, kind })
        })
    }
}

/// The hole of a mark.
fn hole(text: &str, mark: &Mark) -> Option<(Range<usize>, HoleKind)> {
    let range = long(mark.at)..long(mark.at + mark.len).min(text.len());
    match mark.kind {
        kind if kind.is_open() => Some((range, HoleKind::Text)),
        Special::Glob => match text.as_bytes().get(range.start)? {
            b'*' => Some((range, HoleKind::Name)),
            b'?' => Some((range, HoleKind::Char)),
            b'[' => bracket(text, range.start),
            _ => None,
        },
        _ => None,
    }
}

/// The class of characters that starts with a `[`. Without its end, the bracket is a character of its own.
fn bracket(text: &str, at: usize) -> Option<(Range<usize>, HoleKind)> {
    let inner = text.get(at + 1..)?;
    let skipped = usize::from(inner.starts_with(['!', '^']));
    // A bracket directly after the start is a character of the class.
    let first = skipped + usize::from(inner.get(skipped..)?.starts_with(']'));
    let length = first + inner.get(first..)?.find(']')?;
    // Shells do not agree about a class with a `/`.
    let kind = if inner.get(..length)?.contains('/') { HoleKind::Text } else { HoleKind::Char };
    Some((at..at + length + 2, kind))
}

impl PartialEq for Word<'_> {
    /// Whether texts and unknown parts are equal.
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text() && self.holes().eq(other.holes())
    }
}

impl fmt::Debug for Word<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let holes = self.holes().map(|hole| hole.text);
        f.debug_struct("Word").field("text", &self.text()).field("holes", &holes.collect::<Vec<_>>()).finish()
    }
}
