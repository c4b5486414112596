//! Values: key order, exponents, equality, types.

use std::sync::Arc;

use hookc_base::json::key_order;
use hookc_base::text::Case;
use hookc_schema::value::{Kind, Member, Number, Value};
use hookc_schema::vocab::{Type, TypeSet};
use hookc_schema::{Code, Diagnostic, Diagnostics, Span};
use hookc_vm::format::number::{self, NumberError};

const TYPES: [(Type, &str); 7] = [
    (Type::Null, "null"),
    (Type::Boolean, "a boolean"),
    (Type::Integer, "an integer"),
    (Type::Number, "a number"),
    (Type::String, "a string"),
    (Type::Array, "an array"),
    (Type::Object, "an object"),
];

/// The value with the members of every object in [`key_order`]; a value without objects is shared.
pub(super) fn sorted(value: &Arc<Value>) -> Arc<Value> {
    if has_object(value) { Arc::new(sorted_copy(value)) } else { Arc::clone(value) }
}

fn has_object(value: &Value) -> bool {
    match &value.kind {
        Kind::Map(_) => true,
        Kind::Seq(items) => items.iter().any(has_object),
        Kind::Null | Kind::Bool(_) | Kind::Num(_) | Kind::Str(_) => false,
    }
}

/// A copy with the members of every object in [`key_order`].
pub(super) fn sorted_copy(value: &Value) -> Value {
    let kind = match &value.kind {
        Kind::Seq(items) => Kind::Seq(items.iter().map(sorted_copy).collect()),
        Kind::Map(members) => {
            let sort =
                |member: &Member| Member { key: member.key.clone(), value: sorted_copy(&member.value) };
            let mut members: Vec<_> = members.iter().map(sort).collect();
            members.sort_by(|a, b| key_order(&a.key.node, &b.key.node));
            Kind::Map(members)
        }
        kind => kind.clone(),
    };
    Value::new(kind, value.span)
}

/// Whether a number is within the limits of the language; otherwise it is reported.
pub(super) fn number(number: &Number, span: Span, out: &mut Diagnostics) -> bool {
    let new = match number::canonical(&number.0) {
        Ok(_) => return true,
        Err(NumberError::Exponent) => {
            let limit = hookc_vm::limits::EXPONENT;
            Diagnostic::new(Code::E0308, span, format!("the exponent of this number is beyond ±{limit}"))
                .with_label("too large or too small")
        }
        Err(_) => Diagnostic::new(Code::E0105, span, format!("`{}` is not a number of JSON", number.0))
            .with_label("not a number"),
    };
    out.push(new);
    false
}

/// Whether a text is written as a number.
pub(super) fn is_number(text: &str) -> bool {
    text.starts_with(|c: char| c == '-' || c.is_ascii_digit()) && number::canonical(text).is_ok()
}

/// [`number()`] for every number in a value.
pub(super) fn numbers(value: &Value, out: &mut Diagnostics) -> bool {
    match &value.kind {
        Kind::Num(text) => number(text, value.span, out),
        Kind::Seq(items) => items.iter().filter(|item| !numbers(item, out)).count() == 0,
        Kind::Map(members) => members.iter().filter(|m| !numbers(&m.value, out)).count() == 0,
        Kind::Null | Kind::Bool(_) | Kind::Str(_) => true,
    }
}

/// [`Value::same`], with strings compared folded under `ignore_case`.
pub(super) fn same_folded(a: &Value, b: &Value, case: Case) -> bool {
    match (a.as_str(), b.as_str()) {
        (Some(a), Some(b)) if case.is_ignored() => hookc_vm::text::fold::eq(a, b),
        _ => a.same(b),
    }
}

/// The type of a value; a number without a fraction is an integer.
pub(super) fn kind(value: &Value) -> Type {
    match &value.kind {
        Kind::Null => Type::Null,
        Kind::Bool(_) => Type::Boolean,
        Kind::Num(text) if number::is_integer(&text.0) => Type::Integer,
        Kind::Num(_) => Type::Number,
        Kind::Str(_) => Type::String,
        Kind::Seq(_) => Type::Array,
        Kind::Map(_) => Type::Object,
    }
}

/// Whether some value is in both sets.
pub(super) fn meet(a: TypeSet, b: TypeSet) -> bool {
    TYPES.iter().any(|&(kind, _)| a.has(kind) && b.has(kind))
}

/// `an integer or null`; `anything` for the set of all types.
pub(super) fn describe(types: TypeSet) -> String {
    if types == TypeSet::ANY {
        return "anything".to_owned();
    }
    let number = types.has(Type::Number);
    let named = |&&(kind, _): &&(Type, &str)| types.has(kind) && !(number && kind == Type::Integer);
    let names: Vec<&str> = TYPES.iter().filter(named).map(|&(_, name)| name).collect();
    names.join(" or ")
}
