//! Shapes of declarations that the loaders share, and the diagnostics for invalid ones.

use crate::diag::{Code, Diagnostic};
use crate::span::Span;
use crate::suggest::nearest;
use crate::value::{Kind, Member, Value};
use crate::vocab::{Type, TypeSet};

/// An invalid declaration.
pub(super) fn bad(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::E0412, span, message)
}

/// The value of `what` is not `wanted`.
pub(super) fn wrong(value: &Value, what: &str, wanted: &str) -> Diagnostic {
    bad(value.span, format!("{what} must be {wanted}")).with_label(format!("this is {}", value.noun()))
}

/// The members of an object.
pub(super) fn members<'v>(value: &'v Value, what: &str, out: &mut Vec<Diagnostic>) -> Option<&'v [Member]> {
    match &value.kind {
        Kind::Map(members) => Some(members),
        _ => {
            out.push(wrong(value, what, "an object"));
            None
        }
    }
}

/// The elements of an array of at least one.
pub(super) fn elements<'v>(value: &'v Value, what: &str, out: &mut Vec<Diagnostic>) -> Option<&'v [Value]> {
    match &value.kind {
        Kind::Seq(items) if !items.is_empty() => return Some(items),
        Kind::Seq(_) => out.push(bad(value.span, format!("{what} is empty")).with_label("empty")),
        _ => out.push(wrong(value, what, "an array")),
    }
    None
}

/// A string.
pub(super) fn text<'v>(value: &'v Value, what: &str, out: &mut Vec<Diagnostic>) -> Option<&'v str> {
    let text = value.as_str();
    if text.is_none() {
        out.push(wrong(value, what, "a string"));
    }
    text
}

/// `true` or `false`.
pub(super) fn flag(value: &Value, what: &str, out: &mut Vec<Diagnostic>) -> Option<bool> {
    match value.kind {
        Kind::Bool(flag) => Some(flag),
        _ => {
            out.push(wrong(value, what, "`true` or `false`"));
            None
        }
    }
}

/// A key that no declaration of this kind has.
pub(super) fn unknown_key(member: &Member, of: &str, known: &[&str], out: &mut Vec<Diagnostic>) {
    let name = &member.key.node;
    let near = nearest(name, known.iter().copied());
    let found = Diagnostic::new(Code::E0201, member.key.span, format!("unknown key `{name}` in {of}"))
        .with_label("not a key of this declaration")
        .note(format!("known keys: {}", known.join(", ")))
        .did_you_mean(near, member.key.span);
    out.push(found);
}

/// A value from a fixed list.
pub(super) fn word<'v>(
    value: &'v Value,
    what: &str,
    known: &[&str],
    out: &mut Vec<Diagnostic>,
) -> Option<&'v str> {
    let text = text(value, what, out)?;
    if known.contains(&text) {
        return Some(text);
    }
    let near = nearest(text, known.iter().copied());
    let found = bad(value.span, format!("{what} cannot be `{text}`")).with_label("not an allowed value");
    out.push(found.help(format!("write one of: {}", known.join(", "))).did_you_mean(near, value.span));
    None
}

const TYPES: &[&str] = &["string", "number", "integer", "boolean", "object", "array", "null", "any"];

/// A type name or an array of them; `any` allows all. `None` after an error.
pub(super) fn types(value: &Value, what: &str, out: &mut Vec<Diagnostic>) -> Option<TypeSet> {
    let items = match &value.kind {
        Kind::Seq(_) => elements(value, what, out)?,
        Kind::Str(_) => std::slice::from_ref(value),
        _ => {
            out.push(wrong(value, what, "the name of a type, or an array of names"));
            return None;
        }
    };
    let names: Vec<&str> = items.iter().filter_map(|item| word(item, what, TYPES, out)).collect();
    if names.len() < items.len() {
        return None;
    }
    if names.contains(&"any") {
        Some(TypeSet::ANY)
    } else {
        Some(names.into_iter().filter_map(Type::from_name).collect())
    }
}
