//! The operators on values. Absent and unsuitable right operands of `value_path` are handled
//! earlier.

use std::cmp::Ordering;

use hookc_base::text::Case;

use crate::event::{Item, same_length};
use crate::module::{Tables, row};
use crate::number;
use crate::rows::{U32, tag};
use crate::text::{find, fold};

/// Buffers for two texts that are compared.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    pub(crate) a: String,
    pub(crate) b: String,
}

/// A value in the order of the constant table.
#[derive(Clone, Copy)]
pub(crate) struct Key<'a> {
    tag: u32,
    /// As written for a number, canonical for a container.
    text: &'a str,
}

impl<'a> Key<'a> {
    pub(crate) fn tag(self) -> u32 {
        self.tag
    }

    pub(crate) fn text(self) -> &'a str {
        self.text
    }
}

/// The key of a value; a container's canonical text is written to `buffer`.
/// Absent is null: absent equals only null.
pub(crate) fn key<'a>(item: Item<'a>, buffer: &'a mut String) -> Key<'a> {
    let (tag, text) = match item {
        Item::Absent | Item::Null => (tag::NULL, ""),
        Item::Bool(false) => (tag::FALSE, ""),
        Item::Bool(true) => (tag::TRUE, ""),
        Item::Num(text) => (tag::NUMBER, text),
        Item::Str(text) => (tag::STRING, text),
        Item::Array(_) | Item::Object(_) => {
            buffer.clear();
            item.write_canonical(buffer);
            let array = matches!(item, Item::Array(_));
            (if array { tag::ARRAY } else { tag::OBJECT }, buffer.as_str())
        }
    };
    Key { tag, text }
}

/// Whether no constant can equal a container, because its canonical text is longer than theirs.
pub(crate) fn exceeds(tables: &Tables<'_>, item: Item<'_>, constants: &[U32]) -> bool {
    let (Item::Array(_) | Item::Object(_)) = item else { return false };
    let lengths = constants.iter().filter_map(|index| {
        let constant = row(tables.consts, index.get())?;
        let container = matches!(constant.tag.get(), tag::ARRAY | tag::OBJECT);
        container.then(|| tables.bytes(constant.text.get()).len())
    });
    lengths.max().is_none_or(|most| item.canonical_length(most).is_none())
}

/// How a value compares with constant `index`.
pub(crate) fn order(tables: &Tables<'_>, key: Key<'_>, index: u32) -> Ordering {
    let Some(constant) = row(tables.consts, index) else { return Ordering::Less };
    key.tag.cmp(&constant.tag.get()).then_with(|| match key.tag {
        ..=tag::TRUE => Ordering::Equal,
        tag::NUMBER => number::compare_canonical(key.text.as_bytes(), tables.bytes(constant.text.get())),
        _ => key.text.as_bytes().cmp(tables.bytes(constant.text.get())),
    })
}

/// Deep equality; strings are folded if `case` is ignored.
pub(crate) fn equal(a: Item<'_>, b: Item<'_>, case: Case, texts: &mut Texts) -> bool {
    if let (Item::Str(a), Item::Str(b), true) = (a, b, case.is_ignored()) {
        return fold::eq(a, b);
    }
    if kind(a) != kind(b) {
        return false;
    }
    // Two long values that differ in length are not copied.
    if let (Item::Array(a), Item::Array(b)) | (Item::Object(a), Item::Object(b)) = (a, b) {
        if a == b {
            return true;
        }
        if !same_length(a, b) {
            return false;
        }
    }
    let (a, b) = (key(a, &mut texts.a), key(b, &mut texts.b));
    match a.tag {
        tag::NUMBER => number::compare(a.text, b.text).is_eq(),
        _ => a.tag == b.tag && a.text == b.text,
    }
}

/// Detects values that can never be equal before a container is rendered.
fn kind(item: Item<'_>) -> u32 {
    match item {
        Item::Absent | Item::Null => tag::NULL,
        Item::Bool(_) => tag::TRUE,
        Item::Num(_) => tag::NUMBER,
        Item::Str(_) => tag::STRING,
        Item::Array(_) => tag::ARRAY,
        Item::Object(_) => tag::OBJECT,
    }
}

/// Compares two numbers; `None` if either is not a number.
pub(crate) fn numbers(a: Item<'_>, b: Item<'_>) -> Option<Ordering> {
    match (a, b) {
        (Item::Num(a), Item::Num(b)) => Some(number::compare(a, b)),
        _ => None,
    }
}

/// Whether an element of the array equals `item`.
pub(crate) fn has(array: Item<'_>, item: Item<'_>, case: Case, texts: &mut Texts) -> bool {
    let mut found = false;
    array.elements(&mut |element| {
        found = equal(element, item, case, texts);
        !found
    });
    found
}

/// `contains` with a scalar needle.
pub(crate) fn contains(item: Item<'_>, needle: Item<'_>, case: Case, texts: &mut Texts) -> bool {
    match (item, needle) {
        (_, Item::Absent | Item::Array(_) | Item::Object(_)) => false,
        (Item::Array(_), _) => has(item, needle, case, texts),
        (Item::Str(text), Item::Str(needle)) if case.is_ignored() => fold::contains(text, needle),
        _ => texts_pass(item, needle, |text, needle| find::contains(text.as_bytes(), needle.as_bytes())),
    }
}

/// `starts_with`; the right operand is a string.
pub(crate) fn starts(item: Item<'_>, right: Item<'_>, case: Case) -> bool {
    match (item, right) {
        (Item::Str(text), Item::Str(right)) if case.is_ignored() => fold::starts_with(text, right),
        (_, Item::Str(_)) => texts_pass(item, right, |text, right| text.starts_with(right)),
        _ => false,
    }
}

/// `ends_with`; the right operand is a string.
pub(crate) fn ends(item: Item<'_>, right: Item<'_>, case: Case) -> bool {
    match (item, right) {
        (Item::Str(text), Item::Str(right)) if case.is_ignored() => fold::ends_with(text, right),
        (_, Item::Str(_)) => texts_pass(item, right, |text, right| text.ends_with(right)),
        _ => false,
    }
}

/// Whether both have a text and the texts satisfy the test.
fn texts_pass(item: Item<'_>, right: Item<'_>, test: fn(&str, &str) -> bool) -> bool {
    match (item.text(), right.text()) {
        (Some(text), Some(right)) => test(&text, &right),
        _ => false,
    }
}
