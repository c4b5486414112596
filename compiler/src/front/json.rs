//! JSON inside other text, with places: RFC 8259 to the letter, numbers kept
//! as written, no key twice, nesting bounded.

mod string;

use std::collections::HashMap;
use std::ops::Range;

use hookc_schema::value::{Kind, Member, Number, Text, Value};
use hookc_schema::{Code, Diagnostic, Span, Spanned};
use hookc_vm::number::{self, NumberError};

use crate::limits;

/// What is wrong is one diagnostic.
pub(crate) type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// Reads the whole of `text` as one JSON value.
///
/// # Errors
/// The first thing that is wrong, at its place.
pub(crate) fn read(text: &Text, whole: Span) -> Result<Value> {
    let mut reader = Reader { text, src: &text.value, whole, at: 0, depth: 0 };
    reader.white();
    let value = reader.value()?;
    reader.white();
    if reader.at < reader.src.len() {
        return Err(reader.wrong(
            reader.at..reader.src.len(),
            "text after the JSON value",
            "not expected here",
        ));
    }
    Ok(value)
}

/// The scalar (`null`, a boolean, a number, a quoted string) that the whole of
/// `text` is, with nothing around it; `None` if it is none.
///
/// # Errors
/// A number whose exponent is beyond the limit.
pub(crate) fn scalar(text: &Text, whole: Span) -> Result<Option<Value>> {
    let src = text.value.as_str();
    let kind = match src {
        "null" => Kind::Null,
        "true" => Kind::Bool(true),
        "false" => Kind::Bool(false),
        _ if number_length(src) == Some(src.len()) => {
            let reader = Reader { text, src, whole, at: 0, depth: 0 };
            return reader.number(0..src.len()).map(|kind| Some(Value::new(kind, whole)));
        }
        _ if src.len() > 1 && src.starts_with('"') && src.ends_with('"') => {
            return Ok(read(text, whole).ok().filter(|value| value.as_str().is_some()));
        }
        _ => return Ok(None),
    };
    Ok(Some(Value::new(kind, whole)))
}

/// How many bytes at the start are a number of RFC 8259 §6.
fn number_length(src: &str) -> Option<usize> {
    let bytes = src.as_bytes();
    let at = |at: usize| bytes.get(at).copied();
    let digits = |from: usize| bytes.iter().skip(from).take_while(|byte| byte.is_ascii_digit()).count();
    let mut end = usize::from(at(0) == Some(b'-'));
    end += match at(end)? {
        b'0' => 1,
        b'1'..=b'9' => digits(end),
        _ => return None,
    };
    if at(end) == Some(b'.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    if matches!(at(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(at(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign);
        end += if exponent > 0 { 1 + sign + exponent } else { 0 };
    }
    Some(end)
}

struct Reader<'a> {
    text: &'a Text,
    src: &'a str,
    whole: Span,
    at: usize,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<u8> {
        self.src.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &'a str {
        self.src.get(self.at..).unwrap_or("")
    }

    fn white(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn span(&self, range: Range<usize>) -> Span {
        self.text.map.span(self.whole, range)
    }

    fn wrong(&self, range: Range<usize>, message: &str, label: &str) -> Box<Diagnostic> {
        let message = format!("not JSON: {message}");
        Box::new(Diagnostic::new(Code::E0203, self.span(range), message).saying(label))
    }

    /// What stands here is not what must.
    fn expected(&self, what: &str) -> Box<Diagnostic> {
        let width = self.rest().chars().next().map_or(0, char::len_utf8);
        let message =
            if width == 0 { format!("it ends before {what}") } else { format!("{what} is expected here") };
        self.wrong(self.at..self.at + width, &message, &format!("expected {what}"))
    }

    fn value(&mut self) -> Result<Value> {
        let start = self.at;
        let kind = match self.peek() {
            Some(b'{') => self.nested(Self::object)?,
            Some(b'[') => self.nested(Self::array)?,
            Some(b'"') => Kind::Str(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number_here()?,
            _ => self.word()?,
        };
        Ok(Value::new(kind, self.span(start..self.at)))
    }

    fn word(&mut self) -> Result<Kind> {
        let words = [("null", Kind::Null), ("true", Kind::Bool(true)), ("false", Kind::Bool(false))];
        let rest = self.rest();
        let Some((word, kind)) = words.into_iter().find(|(word, _)| rest.starts_with(word)) else {
            return Err(self.expected("a JSON value"));
        };
        self.at += word.len();
        Ok(kind)
    }

    fn number_here(&mut self) -> Result<Kind> {
        let length = number_length(self.rest()).ok_or_else(|| {
            let end = self.at + 1;
            self.wrong(self.at..end, "a `-` without a number", "no digits follow")
        })?;
        let range = self.at..self.at + length;
        self.at = range.end;
        self.number(range)
    }

    fn number(&self, range: Range<usize>) -> Result<Kind> {
        let written = self.src.get(range.clone()).unwrap_or("");
        if number::canonical(written) == Err(NumberError::Exponent) {
            let limit = hookc_vm::limits::EXPONENT;
            let wrong = Diagnostic::new(
                Code::E0308,
                self.span(range),
                format!("the exponent of `{written}` is beyond {limit}"),
            );
            return Err(Box::new(wrong.saying("too large or too small")));
        }
        Ok(Kind::Num(Number(written.to_owned())))
    }

    fn nested(&mut self, read: impl Fn(&mut Self) -> Result<Kind>) -> Result<Kind> {
        if self.depth >= limits::NESTING {
            let message = format!("JSON is nested deeper than {}", limits::NESTING);
            let deep = Diagnostic::new(Code::E0103, self.span(self.at..self.at + 1), message);
            return Err(Box::new(deep.saying("one level too deep")));
        }
        self.depth += 1;
        self.at += 1;
        let kind = read(self)?;
        self.depth -= 1;
        Ok(kind)
    }

    /// After an element: whether another one follows.
    fn more(&mut self, close: u8, what: &str) -> Result<bool> {
        self.white();
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                Ok(true)
            }
            Some(byte) if byte == close => {
                self.at += 1;
                Ok(false)
            }
            _ => Err(self.expected(what)),
        }
    }

    /// Whether the brackets that were just opened hold nothing.
    fn nothing(&mut self, close: u8) -> bool {
        self.white();
        let nothing = self.peek() == Some(close);
        self.at += usize::from(nothing);
        nothing
    }

    fn array(&mut self) -> Result<Kind> {
        let mut elements = Vec::new();
        let mut more = !self.nothing(b']');
        while more {
            self.white();
            elements.push(self.value()?);
            more = self.more(b']', "`,` or `]`")?;
        }
        Ok(Kind::Seq(elements))
    }

    fn object(&mut self) -> Result<Kind> {
        let mut members: Vec<Member> = Vec::new();
        let mut seen = HashMap::new();
        let mut more = !self.nothing(b'}');
        while more {
            self.white();
            let key = self.key()?;
            if let Some(first) = seen.insert(key.node.clone(), key.span) {
                return Err(Box::new(twice(&key, first)));
            }
            let value = self.value()?;
            members.push(Member { key, value });
            more = self.more(b'}', "`,` or `}`")?;
        }
        Ok(Kind::Map(members))
    }

    fn key(&mut self) -> Result<Spanned<String>> {
        let start = self.at;
        if self.peek() != Some(b'"') {
            return Err(self.expected("a key in double quotes"));
        }
        let key = self.string()?;
        let span = self.span(start..self.at);
        self.white();
        if self.peek() != Some(b':') {
            return Err(self.expected("`:`"));
        }
        self.at += 1;
        self.white();
        Ok(Spanned::new(key.value, span))
    }
}

/// E0102: a key that an object already has.
pub(crate) fn twice(key: &Spanned<String>, first: Span) -> Diagnostic {
    Diagnostic::new(Code::E0102, key.span, format!("`{}` is written twice", key.node))
        .saying("again here")
        .also(first, "first here")
        .help("keep one of the two")
}

#[cfg(test)]
mod tests;
