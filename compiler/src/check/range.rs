//! Comparisons with a number that the field's declaration rules out: `time.hour >= 24`, `size(x) < 0`.

use std::cmp::Ordering;

use hookc_schema::tree::{Leaf, Op};
use hookc_schema::value::{Kind, Number, Value};
use hookc_schema::vocab::FieldSchema;
use hookc_schema::{Code, Diagnostic};
use hookc_vm::format::number;

/// Reports a comparison that has one result for each number of the field.
pub(super) fn check(leaf: &Leaf, value: &Value, field: &FieldSchema) -> Option<Diagnostic> {
    if field.minimum.is_none() && field.maximum.is_none() {
        return None;
    }
    let (op, path) = (leaf.op.node, &leaf.path.text);
    let result = result(op, number(value)?, field)?;
    let (code, what) = match (result, op) {
        (false, _) => (Code::W0601, "is never true"),
        (true, _) if op == Op::Ne || leaf.path.recall().is_some() => (Code::W0604, "is always true"),
        (true, _) => (Code::W0610, "is true of each number that it can be"),
    };
    let new = Diagnostic::new(code, value.span, format!("`{}` of `{path}` {what}", op.name()));
    let new = new.with_label(range(field));
    Some(match (code, leaf.path.recall()) {
        (Code::W0610, _) => new.help("write another bound, or use `exists` if it is to be present"),
        (_, Some(_)) if field.maximum.is_some() => new.help("write a number that the declared values allow"),
        (_, Some(_)) => new.help("write how many events are meant, as in `>= 3`; for none of them, `== 0`"),
        _ => new,
    })
}

/// Reports a number in a list that the field never has.
pub(super) fn element(leaf: &Leaf, value: &Value, field: &FieldSchema) -> Option<Diagnostic> {
    let is_never = is_outside(number(value)?, field);
    let what = format!("`{}` never has this value", leaf.path.text);
    is_never.then(|| Diagnostic::new(Code::W0605, value.span, what).with_label(range(field)))
}

fn number(value: &Value) -> Option<&str> {
    match &value.kind {
        Kind::Num(number) => Some(&number.0),
        _ => None,
    }
}

/// How the number is compared with a bound of the field.
fn compare(number: &str, bound: Option<&Number>) -> Option<Ordering> {
    Some(number::compare(number, &bound?.0))
}

fn is_outside(number: &str, field: &FieldSchema) -> bool {
    compare(number, field.minimum.as_ref()).is_some_and(Ordering::is_lt)
        || compare(number, field.maximum.as_ref()).is_some_and(Ordering::is_gt)
}

/// The result that the comparison has for each number of the field, if it is only one.
fn result(op: Op, number: &str, field: &FieldSchema) -> Option<bool> {
    let (least, greatest) =
        (compare(number, field.minimum.as_ref()), compare(number, field.maximum.as_ref()));
    let (below, above) = (
        |at: fn(Ordering) -> bool| least.is_some_and(at),
        |at: fn(Ordering) -> bool| greatest.is_some_and(at),
    );
    match op {
        Op::Eq | Op::Ne => is_outside(number, field).then_some(op == Op::Ne),
        Op::Gt if above(Ordering::is_ge) => Some(false),
        Op::Gt if below(Ordering::is_lt) => Some(true),
        Op::Gte if above(Ordering::is_gt) => Some(false),
        Op::Gte if below(Ordering::is_le) => Some(true),
        Op::Lt if below(Ordering::is_le) => Some(false),
        Op::Lt if above(Ordering::is_gt) => Some(true),
        Op::Lte if below(Ordering::is_lt) => Some(false),
        Op::Lte if above(Ordering::is_ge) => Some(true),
        _ => None,
    }
}

/// `it is 0 to 23`
fn range(field: &FieldSchema) -> String {
    match (&field.minimum, &field.maximum) {
        (Some(least), Some(greatest)) => format!("it is {} to {}", least.0, greatest.0),
        (Some(least), None) => format!("it is at least {}", least.0),
        (None, greatest) => format!("it is at most {}", greatest.as_ref().map_or("", |number| &number.0)),
    }
}
