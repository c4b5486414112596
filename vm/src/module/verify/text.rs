//! Strings, constants, lists, patterns.

use std::cmp::Ordering;

use super::{Checked, Work, ascends, canonical, ensure, spans, within};
use crate::module::Tables;
use crate::number;
use crate::rows::{Const, NONE, SectionKind, Str, tag};

/// The blob is UTF-8 and every string ends between characters.
pub(super) fn strings(t: &Tables<'_>) -> Checked {
    let text = blob(t.text, SectionKind::Text)?;
    for (row, place) in t.strings.iter().enumerate() {
        ensure(cut(text, *place).is_some(), SectionKind::Strings, row, "not a range of whole characters")?;
    }
    Ok(())
}

/// A blob as text.
pub(super) fn blob(bytes: &[u8], section: SectionKind) -> Checked<&str> {
    match simdutf8::compat::from_utf8(bytes) {
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
    let mut before: Option<&Const> = None;
    for (row, constant) in t.consts.iter().enumerate() {
        let bad = |what| ensure(false, SectionKind::Consts, row, what);
        let text = constant.text.get();
        match constant.tag.get() {
            ..=tag::TRUE if text != NONE => bad("a string for a constant without one")?,
            ..=tag::TRUE => {}
            ..=tag::OBJECT if !within(constant.text, t.strings) => bad("the string is out of range")?,
            kind @ ..=tag::OBJECT => {
                work.charge(t.bytes(text).len().saturating_mul(2))?;
                // A string is known to be valid text; requesting it as text checks again.
                let good = kind == tag::STRING
                    || kind == tag::NUMBER && number::is_short_canonical(t.bytes(text))
                    || is_canonical(kind, t.str(text));
                ensure(good, SectionKind::Consts, row, "not canonical")?;
            }
            _ => bad("an unknown tag")?,
        }
        let above = before.is_none_or(|before| order(t, before, constant).is_lt());
        ensure(above, SectionKind::Consts, row, "not above the constant before it")?;
        before = Some(constant);
    }
    Ok(())
}

fn is_canonical(kind: u32, text: &str) -> bool {
    match kind {
        tag::NUMBER => number::canonical(text).as_deref() == Ok(text),
        tag::ARRAY => text.starts_with('[') && canonical::container(text),
        _ => text.starts_with('{') && canonical::container(text),
    }
}

fn order(t: &Tables<'_>, a: &Const, b: &Const) -> Ordering {
    let by_text = || match a.tag.get() {
        ..=tag::TRUE => Ordering::Equal,
        tag::NUMBER => {
            let [first, second] = [a, b].map(|constant| t.bytes(constant.text.get()));
            match (number::short_integer(first), number::short_integer(second)) {
                (Some(first), Some(second)) => first.cmp(&second),
                _ => number::compare_canonical(t.str(a.text.get()), second),
            }
        }
        _ => t.bytes(a.text.get()).cmp(t.bytes(b.text.get())),
    };
    a.tag.get().cmp(&b.tag.get()).then_with(by_text)
}

/// Lists are of constants, ascending.
pub(super) fn lists(t: &Tables<'_>, work: &mut Work) -> Checked {
    for (row, list) in t.lists.iter().enumerate() {
        ensure(spans(*list, t.indices), SectionKind::Lists, row, "a range out of range")?;
        let indices = t.indices_of(*list);
        work.charge(size_of_val(indices))?;
        ensure(ascends(indices), SectionKind::Lists, row, "not ascending")?;
        let last = indices.last().is_none_or(|last| within(*last, t.consts));
        ensure(last, SectionKind::Lists, row, "a constant is out of range")?;
    }
    Ok(())
}

/// Patterns are strings; building them is for when they are needed.
pub(super) fn patterns(t: &Tables<'_>) -> Checked {
    for (row, pattern) in t.patterns.iter().enumerate() {
        ensure(within(pattern.text, t.strings), SectionKind::Patterns, row, "the string is out of range")?;
    }
    Ok(())
}
