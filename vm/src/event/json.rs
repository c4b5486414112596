//! The tokens of RFC 8259, checked byte by byte. Both the scan of an event and the walks over
//! validated values use this module.
//!
//! Every function takes the position where a token starts and returns the position after it.
//! Positions are passed by value, and errors are one pointer wide, so that both stay in registers:
//! most of the time of a decision is spent in this file.

use hookc_base::ConstTag;

use super::EventError;
use super::string::{Raw, plain};
use crate::limits::EXPONENT;

/// The result, usually the position after the token.
pub(super) type Found<T = usize> = Result<T, Box<EventError>>;

/// JSON text that is not validated yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Json<'e> {
    text: &'e str,
    /// The allowed nesting of containers.
    depth: usize,
}

/// The kind of a value, by its first byte. Their numbers are those of constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    Null = ConstTag::Null as u8,
    False = ConstTag::False as u8,
    True = ConstTag::True as u8,
    Number = ConstTag::Number as u8,
    String = ConstTag::String as u8,
    Array = ConstTag::Array as u8,
    Object = ConstTag::Object as u8,
}

impl Kind {
    /// The tag of constants of this kind.
    #[inline]
    pub(crate) const fn tag(self) -> u32 {
        self as u32
    }

    /// The kinds of values by their first byte.
    const KINDS: [Self; 256] = {
        let (mut kinds, mut byte) = ([Self::Number; 256], 0_u8);
        let mut rest: &mut [Self] = &mut kinds;
        while let [first, after @ ..] = rest {
            if let Some(kind) = Self::from_byte(byte) {
                *first = kind;
            }
            byte = byte.wrapping_add(1);
            rest = after;
        }
        kinds
    };

    /// The kind of a value in valid text, which starts with a byte.
    #[inline(always)]
    pub(super) fn of_valid(byte: u8) -> Self {
        Self::KINDS.get(usize::from(byte)).copied().unwrap_or(Self::Number)
    }

    /// The kind of a value that starts with a byte.
    #[inline]
    pub(super) const fn from_byte(byte: u8) -> Option<Self> {
        Some(match byte {
            b'"' => Self::String,
            b'{' => Self::Object,
            b'[' => Self::Array,
            b'-' | b'0'..=b'9' => Self::Number,
            b'n' => Self::Null,
            b't' => Self::True,
            b'f' => Self::False,
            _ => return None,
        })
    }
}

/// The content of a string: its quotes are before `start` and at `end`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quoted {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) escaped: bool,
}

/// The next position.
const fn after(at: usize) -> usize {
    at.wrapping_add(1)
}

#[cold]
#[inline(never)]
fn expected<T>(at: usize, what: &'static str) -> Found<T> {
    Err(Box::new(EventError::Syntax(at, what)))
}

impl<'e> Json<'e> {
    pub(super) const fn new(text: &'e str, depth: usize) -> Self {
        Self { text, depth }
    }

    pub(super) const fn bytes(&self) -> &'e [u8] {
        self.text.as_bytes()
    }

    /// A part of the text.
    pub(super) fn part(&self, start: usize, end: usize) -> &'e str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// A string in source form.
    pub(super) fn raw(&self, quoted: Quoted) -> Raw<'e> {
        Raw { text: self.part(quoted.start, quoted.end), escaped: quoted.escaped }
    }

    /// The byte at a position; zero, which starts no token, after the end.
    #[inline]
    fn peek(&self, at: usize) -> u8 {
        self.bytes().get(at).copied().unwrap_or(0)
    }

    /// The position after whitespace.
    #[inline]
    pub(super) fn space(&self, mut at: usize) -> usize {
        while self.peek(at) <= b' ' && matches!(self.peek(at), b' ' | b'\n' | b'\r' | b'\t') {
            at = after(at);
        }
        at
    }

    /// The position before the whitespace that ends here, in a valid text: between its tokens there are no
    /// other bytes up to the space.
    #[inline]
    pub(super) fn space_before(&self, mut end: usize) -> usize {
        while let Some(before) = end.checked_sub(1)
            && self.bytes().get(before).is_some_and(|byte| *byte <= b' ')
        {
            end = before;
        }
        end
    }

    /// The kind of the value that starts here.
    #[inline]
    pub(super) fn kind(&self, at: usize) -> Found<Kind> {
        match Kind::from_byte(self.peek(at)) {
            Some(kind) => Ok(kind),
            None => expected(at, "a value"),
        }
    }

    /// Reads a value of any kind inside `depth` containers. The recursion is bounded by the allowed
    /// nesting.
    #[inline]
    pub(super) fn value(&self, at: usize, depth: usize) -> Found {
        match self.peek(at) {
            b'"' => Ok(after(self.string(at)?.end)),
            b'-' | b'0'..=b'9' => self.number(at),
            b'{' => self.object(at, depth),
            b'[' => self.array(at, depth),
            b't' => self.word(at, "true", "`true`"),
            b'f' => self.word(at, "false", "`false`"),
            b'n' => self.word(at, "null", "`null`"),
            _ => expected(at, "a value"),
        }
    }

    #[inline(never)]
    fn object(&self, at: usize, depth: usize) -> Found {
        let depth = self.deeper(depth)?;
        let (mut at, mut more) = self.open(at, b'}');
        while more {
            (_, at) = self.key(at)?;
            at = self.value(at, depth)?;
            (at, more) = self.more(at, b'}')?;
        }
        Ok(at)
    }

    #[inline(never)]
    fn array(&self, at: usize, depth: usize) -> Found {
        let depth = self.deeper(depth)?;
        let (mut at, mut more) = self.open(at, b']');
        while more {
            at = self.value(at, depth)?;
            (at, more) = self.more(at, b']')?;
        }
        Ok(at)
    }

    /// The depth inside a container that is itself inside `depth` others.
    #[inline]
    pub(super) fn deeper(&self, depth: usize) -> Found {
        if depth < self.depth { Ok(depth.wrapping_add(1)) } else { self.too_deep() }
    }

    #[cold]
    #[inline(never)]
    fn too_deep(&self) -> Found {
        Err(Box::new(EventError::TooDeep(self.depth)))
    }

    /// Opens a container: returns the position of its first member or element, or the position
    /// after an empty container.
    #[inline]
    pub(super) fn open(&self, at: usize, close: u8) -> (usize, bool) {
        let at = self.space(after(at));
        if self.peek(at) == close { (after(at), false) } else { (at, true) }
    }

    /// Reads what follows a member or an element, and answers as
    /// [`Json::open`] does.
    #[inline]
    pub(super) fn more(&self, at: usize, close: u8) -> Found<(usize, bool)> {
        let at = self.space(at);
        match self.peek(at) {
            b',' => Ok((self.space(after(at)), true)),
            next if next == close => Ok((after(at), false)),
            _ => expected(at, if close == b'}' { "`,` or `}`" } else { "`,` or `]`" }),
        }
    }

    /// Reads a key and its colon: returns the key and the position of its value.
    #[inline(always)]
    pub(super) fn key(&self, at: usize) -> Found<(Quoted, usize)> {
        if self.peek(at) != b'"' {
            return expected(at, "a key in quotes");
        }
        let key = self.string(at)?;
        Ok((key, self.colon(after(key.end))?))
    }

    /// Reads the colon after a key.
    #[inline]
    fn colon(&self, at: usize) -> Found {
        let at = self.space(at);
        if self.peek(at) != b':' {
            return expected(at, "`:` after a key");
        }
        Ok(self.space(after(at)))
    }

    /// Reads the end of the text.
    pub(super) fn end(&self, at: usize) -> Found<()> {
        let at = self.space(at);
        if at < self.text.len() { expected(at, "the end of the event") } else { Ok(()) }
    }
}

/// Scalars.
impl Json<'_> {
    #[inline]
    fn word(&self, at: usize, word: &str, what: &'static str) -> Found {
        let rest = self.bytes().get(at..).unwrap_or_default();
        if rest.starts_with(word.as_bytes()) { Ok(at.wrapping_add(word.len())) } else { expected(at, what) }
    }

    /// Reads a number (RFC 8259 §6).
    #[inline]
    fn number(&self, start: usize) -> Found {
        let mut at = if self.peek(start) == b'-' { after(start) } else { start };
        at = if self.peek(at) == b'0' { after(at) } else { self.digits(at)? };
        if self.peek(at) == b'.' {
            at = self.digits(after(at))?;
        }
        if matches!(self.peek(at), b'e' | b'E') {
            at = self.exponent(start, after(at))?;
        }
        Ok(at)
    }

    #[inline]
    fn digits(&self, start: usize) -> Found {
        let mut at = start;
        while self.peek(at).is_ascii_digit() {
            at = after(at);
        }
        if at == start { expected(at, "a digit") } else { Ok(at) }
    }

    /// Reads the part after the `e` of the number at `start`.
    #[inline(never)]
    fn exponent(&self, start: usize, at: usize) -> Found {
        let at = if matches!(self.peek(at), b'+' | b'-') { after(at) } else { at };
        let end = self.digits(at)?;
        let digits = self.part(at, end).trim_start_matches('0');
        let small = digits.is_empty() || digits.parse::<u32>().is_ok_and(|n| n <= EXPONENT);
        if small { Ok(end) } else { Err(Box::new(EventError::Exponent(start))) }
    }

    /// Reads a string, its opening quote being here.
    #[inline]
    pub(super) fn string(&self, at: usize) -> Found<Quoted> {
        let start = after(at);
        let end = plain(self.bytes(), start);
        if self.peek(end) == b'"' {
            return Ok(Quoted { start, end, escaped: false });
        }
        Ok(Quoted { start, end: self.escaped(end)?, escaped: true })
    }

    /// Continues reading a string at a byte that is not plain, and returns its end.
    #[inline(never)]
    fn escaped(&self, mut at: usize) -> Found {
        loop {
            at = match self.bytes().get(at) {
                Some(b'"') => return Ok(at),
                Some(b'\\') => self.escape(at)?,
                Some(_) => return expected(at, "an escape instead of a control character"),
                None => return expected(at, "`\"` at the end of a string"),
            };
            at = plain(self.bytes(), at);
        }
    }

    /// Reads an escape, its backslash being here.
    pub(super) fn escape(&self, start: usize) -> Found {
        let at = after(start);
        match self.peek(at) {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Ok(after(at)),
            b'u' => self.unicode(start),
            _ => expected(at, "one of `\"\\/bfnrtu` after `\\`"),
        }
    }

    /// Reads `\uXXXX`, with the second half of its pair if it is the first.
    fn unicode(&self, start: usize) -> Found {
        let surrogate = || Err(Box::new(EventError::Surrogate(start)));
        let (unit, at) = self.hex(start.wrapping_add(2))?;
        match unit {
            0xd800..=0xdbff if self.peek(at) == b'\\' && self.peek(after(at)) == b'u' => {
                match self.hex(at.wrapping_add(2)) {
                    Ok((0xdc00..=0xdfff, at)) => Ok(at),
                    _ => surrogate(),
                }
            }
            0xd800..=0xdfff => surrogate(),
            _ => Ok(at),
        }
    }

    fn hex(&self, at: usize) -> Found<(u16, usize)> {
        let end = at.wrapping_add(4);
        let digits = self.text.get(at..end).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
        match digits.and_then(|digits| u16::from_str_radix(digits, 16).ok()) {
            Some(unit) => Ok((unit, end)),
            None => expected(at, "four hexadecimal digits after `\\u`"),
        }
    }
}
