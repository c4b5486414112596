//! What the loaders share next to the decoder.

use crate::decode::DECLARED;
use crate::diag::{Code, Diagnostic, Diagnostics};
use crate::span::Span;
use crate::value::{Kind, Value};
use crate::vocab::{Type, TypeSet};

/// A declaration that is not valid.
pub(super) fn bad(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::E0412, span, message)
}

/// The elements of a list of at least one.
pub(super) fn elements<'v>(value: &'v Value, what: &str, out: &mut Diagnostics) -> Option<&'v [Value]> {
    let items = DECLARED.list(value, what, out)?;
    if items.is_empty() {
        out.push(bad(value.span, format!("{what} is empty")).with_label("empty"));
        return None;
    }
    Some(items)
}

/// A type name or a list of them; `any` allows all. `None` after an error.
pub(super) fn types(value: &Value, what: &str, out: &mut Diagnostics) -> Option<TypeSet> {
    let items = match &value.kind {
        Kind::Seq(_) => elements(value, what, out)?,
        Kind::Str(_) => std::slice::from_ref(value),
        _ => {
            let new = DECLARED.wrong(value, what, "the name of a type, or a list of names");
            out.push(new.help("write a type such as `string`"));
            return None;
        }
    };
    let known: Vec<&str> = Type::ALL.iter().map(|kind| kind.name()).chain(["any"]).collect();
    let names: Vec<&str> = items.iter().filter_map(|item| DECLARED.one_of(item, what, &known, out)).collect();
    if names.len() < items.len() {
        return None;
    }
    if names.contains(&"any") {
        Some(TypeSet::ANY)
    } else {
        Some(names.into_iter().filter_map(Type::from_name).collect())
    }
}
