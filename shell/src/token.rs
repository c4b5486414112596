//! The words of a line as ranges of the arena, and the kinds of their special parts.

/// A word: a range of the arena's text, and its marks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) start: u32,
    pub(super) len: u32,
    /// Its first mark in the arena, and their number.
    pub(super) marks: u32,
    pub(super) count: u32,
    /// Where the word is in the line, if its text is not: a number of a span in the arena, from 1 on.
    pub(super) span: u32,
    /// A part of it is quoted: it is a word even if it is empty.
    pub(super) quoted: bool,
    /// It has no quotes, backslashes and control characters: JSON has it as it is.
    pub(super) plain: bool,
}

/// A special part of a word: `len` bytes from `at` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) at: u32,
    pub(super) len: u32,
    pub(super) kind: Special,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Special {
    /// A character of a pattern.
    Glob,
    /// The text is as written; what a shell makes of it is unknown.
    Unknown,
    /// Unknown, but no code if a shell evaluates it as a number: it is a number, or a value from outside of the line.
    Inert,
    /// The text is what a shell makes of it if a variable is unset; whether its value is inert otherwise.
    Guess { inert: bool },
    /// The word can be several words, or none.
    Several,
    /// The text is output of these commands.
    Origin(u32),
    /// The text is a default for a variable: a number of `Arena::defaulted`.
    Default(u32),
    /// An expansion.
    Part { id: u32, quoted: bool },
}

impl Special {
    pub(super) const fn is_open(self) -> bool {
        matches!(self, Self::Unknown | Self::Inert | Self::Guess { .. })
    }

    /// Whether nothing of the text is known.
    pub(super) const fn is_unknown(self) -> bool {
        matches!(self, Self::Unknown | Self::Inert)
    }

    /// Whether the text may run code if a shell evaluates it as a number.
    pub(super) const fn may_be_code(self) -> bool {
        matches!(self, Self::Unknown | Self::Guess { inert: false })
    }
}

/// Elements of a list, from one number up to another.
pub(super) type Range = (u32, u32);

/// The elements of a range.
#[inline]
pub(super) fn within<T>(list: &[T], (from, to): Range) -> &[T] {
    list.get(long(from)..long(to)).unwrap_or_default()
}

/// A list of words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Words {
    pub(super) start: u32,
    pub(super) len: u32,
}

impl Token {
    /// A text without characters.
    pub(super) const EMPTY: Self =
        Self { start: 0, len: 0, marks: 0, count: 0, span: 0, quoted: false, plain: false };

    /// A part of a text of the arena, without marks.
    pub(super) const fn new(start: u32, len: u32, quoted: bool, plain: bool) -> Self {
        Self { start, len, marks: 0, count: 0, span: 0, quoted, plain }
    }

    /// At the place of another word, which it comes from.
    pub(super) const fn at_place_of(self, word: Self) -> Self {
        Self { span: word.span, ..self }
    }

    pub(super) const fn is_marked(self) -> bool {
        self.count > 0
    }

    /// Where its text starts.
    pub(super) const fn start(self) -> u32 {
        self.start
    }
}

impl Words {
    /// Without the first ones.
    pub(super) fn skip(self, count: u32) -> Self {
        let count = count.min(self.len);
        Self { start: self.start + count, len: self.len - count }
    }

    pub(super) fn take(self, count: u32) -> Self {
        Self { start: self.start, len: self.len.min(count) }
    }
}

/// The name of a variable, function or alias.
pub(super) type Symbol = u32;

/// Whether JSON has a text as it is.
#[inline]
pub(super) fn is_json(text: &str) -> bool {
    let escaped = |byte: u8| byte < b' ' || byte == b'"' || byte == b'\\';
    // All of it: this is faster than a search that ends early.
    !text.bytes().fold(false, |any, byte| any | escaped(byte))
}

#[inline]
pub(super) fn short(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[inline]
pub(super) fn long(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
