//! Strings, constants, lists, patterns.

use std::cmp::Ordering;

use super::{Checked, Work, ascends, canonical, ensure, spans, within};
use crate::event::Level;
use crate::module::Tables;
use crate::number;
use crate::rows::{Const, NONE, Range, SectionKind, Str, tag};

/// The blob is UTF-8 and every string ends between characters.
pub(super) fn strings(t: &Tables<'_>) -> Checked {
    let text = blob(t.text, SectionKind::Text)?;
    let mut start = 0;
    for (row, end) in t.strings.iter().enumerate() {
        let end = end.get() as usize;
        let good = start <= end && text.is_char_boundary(end);
        ensure(good, SectionKind::Strings, row, "not a range of whole characters")?;
        start = end;
    }
    ensure(start == text.len(), SectionKind::Text, start, "a byte belongs to no string")
}

/// A blob as text.
pub(super) fn blob(bytes: &[u8], section: SectionKind) -> Checked<&str> {
    if let Some(text) = Level::utf8(bytes) {
        return Ok(text);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(error) => ensure(false, section, error.valid_up_to(), "not UTF-8").map(|()| ""),
    }
}

/// A string of a blob.
pub(super) fn cut(text: &str, place: Str) -> Option<&str> {
    let start = place.offset.get() as usize;
    text.get(start..start.checked_add(place.length.get() as usize)?)
}

/// Constants are canonical and ascend strictly.
pub(super) fn consts(t: &Tables<'_>, work: &mut Work) -> Checked {
    let mut before: Option<Value<'_>> = None;
    for (row, constant) in t.consts.iter().enumerate() {
        let value = self::constant(t, row, constant, work)?;
        let above = before.is_none_or(|before| before.order(&value).is_lt());
        ensure(above, SectionKind::Consts, row, "not above the constant before it")?;
        before = Some(value);
    }
    Ok(())
}

/// The value of a constant.
#[derive(Clone, Copy)]
pub(super) struct Value<'m> {
    tag: u32,
    text: &'m [u8],
    /// Of a number, if it is a short integer.
    integer: Option<i64>,
}

impl<'m> Value<'m> {
    pub(super) fn from_const(t: &Tables<'m>, constant: &Const) -> Self {
        let (tag, text) = (constant.tag.get(), t.bytes(constant.text.get()));
        let integer = if tag == tag::NUMBER { number::short_integer(text) } else { None };
        Self { tag, text, integer }
    }

    /// Whether its text is the only one for it, apart from those of tags without text.
    fn is_canonical(&self) -> bool {
        match (self.tag, self.integer) {
            // A string of the module is valid text.
            (tag::STRING, _) => true,
            (tag::NUMBER, Some(_)) if !matches!(self.text, [b'0', _, ..] | [b'-', b'0', ..]) => true,
            (tag::NUMBER, _) => {
                number::is_short_canonical(self.text)
                    || number::canonical(self.str()).as_deref() == Ok(self.str())
            }
            (tag::ARRAY, _) => self.text.starts_with(b"[") && canonical::container(self.str()),
            _ => self.text.starts_with(b"{") && canonical::container(self.str()),
        }
    }

    fn str(&self) -> &'m str {
        std::str::from_utf8(self.text).unwrap_or_default()
    }

    /// The order of canonical values.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        let by_text = || match (self.tag, self.integer, other.integer) {
            (..=tag::TRUE, ..) => Ordering::Equal,
            (tag::NUMBER, Some(first), Some(second)) => first.cmp(&second),
            (tag::NUMBER, ..) => number::compare_canonical(self.text, other.text),
            _ => self.text.cmp(other.text),
        };
        self.tag.cmp(&other.tag).then_with(by_text)
    }
}

/// A constant is canonical.
pub(super) fn constant<'m>(
    t: &Tables<'m>,
    row: usize,
    constant: &Const,
    work: &mut Work,
) -> Checked<Value<'m>> {
    let bad = |good, what| ensure(good, SectionKind::Consts, row, what);
    let (tag, text) = (constant.tag.get(), constant.text.get());
    bad(tag <= tag::OBJECT, "an unknown tag")?;
    let value = Value::from_const(t, constant);
    if tag <= tag::TRUE {
        bad(text == NONE, "a string for a constant without one")?;
        return Ok(value);
    }
    bad((text as usize) < t.strings.len(), "the string is out of range")?;
    work.charge(value.text.len().saturating_mul(2))?;
    bad(value.is_canonical(), "not canonical")?;
    Ok(value)
}

/// Lists are of constants, ascending.
pub(super) fn lists(t: &Tables<'_>, work: &mut Work) -> Checked {
    t.lists.iter().enumerate().try_for_each(|(row, list)| self::list(t, row, *list, work))
}

/// A list is of constants whose numbers ascend.
pub(super) fn list(t: &Tables<'_>, row: usize, list: Range, work: &mut Work) -> Checked {
    ensure(spans(list, t.indices), SectionKind::Lists, row, "a range out of range")?;
    let indices = t.indices_of(list);
    work.charge(size_of_val(indices))?;
    ensure(ascends(indices), SectionKind::Lists, row, "not ascending")?;
    let last = indices.last().is_none_or(|last| within(*last, t.consts));
    ensure(last, SectionKind::Lists, row, "a constant is out of range")
}

/// Patterns are strings; building them is for when they are needed.
pub(super) fn patterns(t: &Tables<'_>) -> Checked {
    for (row, pattern) in t.patterns.iter().enumerate() {
        ensure(within(pattern.text, t.strings), SectionKind::Patterns, row, "the string is out of range")?;
    }
    Ok(())
}
