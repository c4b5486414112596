//! A leaf against the declared type of its field: what can never be true.

use hookc_schema::tree::{Cond, CondKind, Leaf, Op, Right};
use hookc_schema::value::{Kind, Value};
use hookc_schema::vocab::{FieldSchema, Type, TypeSet, ViewMember};
use hookc_schema::{Code, Diagnostic, Span};
use hookc_syntax::expr::print;
use hookc_syntax::pattern::{LiteralTest, escape};

use super::{Cx, range, value, view};
use crate::lint::text;

/// The most declared values that a note lists.
const LISTED: usize = 16;

/// Warns about tests that contradict the declared types. `None` means a field of any type; of a path with
/// several results, `field` is each of them.
pub(super) fn check<'a>(
    leaf: &'a Leaf,
    field: Option<&FieldSchema>,
    other: Option<&FieldSchema>,
    cx: &mut Cx<'a>,
) {
    let types = field.map_or(TypeSet::ANY, |field| field.types);
    if let Some(needs) = ruled_out(leaf, types) {
        let what = format!("`{}` of `{}` is never true", leaf.op.node.name(), leaf.path.text);
        let new = Diagnostic::new(Code::W0601, leaf.op.span, what).with_label(format!("is for {needs}"));
        cx.report(advised(new.note(declared(leaf, types)), leaf, field));
        return;
    }
    literal_regex(leaf, if leaf.path.is_singular() { types } else { TypeSet::ANY }, cx);
    match (&leaf.right, field) {
        (Right::Value(value), Some(field)) => literal(leaf, value, field, cx),
        (Right::Path(path), _) => {
            let other = other.map_or(TypeSet::ANY, |other| other.types);
            if never_meet(leaf.op.node, types, other) {
                let note = format!("`{}` is declared as {}", path.text, value::describe(other));
                cx.report(never(leaf, path.span, "its type never fits").note(note));
            }
        }
        _ => {}
    }
}

/// The types that the operator applies to, if no value of the declared types is one.
fn ruled_out(leaf: &Leaf, types: TypeSet) -> Option<&'static str> {
    let null = matches!(&leaf.right, Right::Value(value) if value.kind == Kind::Null);
    let (fits, needs) = match leaf.op.node {
        Op::Gt | Op::Gte | Op::Lt | Op::Lte => (numeric(types), "numbers"),
        Op::Contains if null => (types.has(Type::Array), "arrays, if it searches for null"),
        Op::Contains => (textual(types) || types.has(Type::Array), "strings, numbers, booleans and arrays"),
        Op::StartsWith | Op::EndsWith | Op::Regex => (textual(types), "strings, numbers and booleans"),
        Op::Glob => (types.has(Type::String), "strings"),
        Op::Eq | Op::Ne | Op::In | Op::Exists | Op::Matches => (true, ""),
    };
    (!fits).then_some(needs)
}

fn numeric(types: TypeSet) -> bool {
    types.has(Type::Integer) || types.has(Type::Number)
}

fn textual(types: TypeSet) -> bool {
    numeric(types) || types.has(Type::String) || types.has(Type::Boolean)
}

fn never_meet(op: Op, types: TypeSet, other: TypeSet) -> bool {
    match op {
        // An absent field equals a null operand.
        Op::Eq | Op::Ne => !value::meet(types, other) && !other.has(Type::Null),
        Op::Gt | Op::Gte | Op::Lt | Op::Lte => !numeric(other),
        Op::In => !other.has(Type::Array),
        Op::Contains => !textual(other) && !other.has(Type::Null),
        Op::StartsWith | Op::EndsWith => !other.has(Type::String),
        Op::Regex | Op::Glob | Op::Exists | Op::Matches => false,
    }
}

fn literal(leaf: &Leaf, value: &Value, field: &FieldSchema, cx: &mut Cx<'_>) {
    if let Some(new) = range::check(leaf, value, field) {
        return cx.report(new);
    }
    match (leaf.op.node, &value.kind) {
        (Op::Eq | Op::Ne, _) => element(leaf, value, field, true, cx),
        (Op::Contains, _) if field.types.has(Type::Array) && !textual(field.types) => {
            listed(leaf, value, field, cx);
        }
        (Op::Contains | Op::StartsWith | Op::EndsWith | Op::Regex | Op::Glob, _)
            if field.allowed.as_ref().is_some_and(|allowed| never_found(leaf, value, allowed)) =>
        {
            let what = format!("`{}` has no value for which this is true", leaf.path.text);
            let new =
                Diagnostic::new(Code::W0605, value.span, what).with_label("none of its declared values");
            cx.report(with_values(new, field.allowed.as_deref().unwrap_or_default()));
        }
        (Op::In, Kind::Seq(items)) => {
            let possible = items.iter().any(|item| possible(item, field.types));
            if !possible && !items.is_empty() {
                let new = never(leaf, value.span, "no element has a type that fits");
                cx.report(advised(new.note(declared(leaf, field.types)), leaf, Some(field)));
                return;
            }
            items.iter().for_each(|item| element(leaf, item, field, false, cx));
        }
        (Op::Contains | Op::StartsWith | Op::EndsWith, _)
            if leaf.ignore_case.is_none() && !text_possible(leaf.op.node, value, field.types) =>
        {
            let note = declared(leaf, field.types);
            cx.report(never(leaf, value.span, "never in its text").note(note));
        }
        _ => {}
    }
}

/// A value that the field is compared with: of a type it has, and one of its
/// `enum`.
fn element(leaf: &Leaf, value: &Value, field: &FieldSchema, alone: bool, cx: &mut Cx<'_>) {
    if !possible(value, field.types) {
        let label = format!("this is {}", value.noun());
        let new = match alone {
            true => never(leaf, value.span, &label),
            false => never_has(leaf, value, &label),
        };
        let new = in_declared_type(value, field, new.note(declared(leaf, field.types)));
        return cx.report(advised(new, leaf, Some(field)));
    }
    if let Some(new) = range::element(leaf, value, field).filter(|_| !alone) {
        return cx.report(new);
    }
    one_of_declared(leaf, value, field, cx);
}

/// Reports a value that the field does not declare.
fn one_of_declared(leaf: &Leaf, value: &Value, field: &FieldSchema, cx: &mut Cx<'_>) {
    let case = leaf.case();
    let Some(allowed) = field.allowed.as_deref().filter(|_| value.kind != Kind::Null) else { return };
    if !allowed.iter().any(|one| value::same_folded(one, value, case)) {
        let new = undeclared_value(leaf, value, field, allowed, cx);
        cx.report(new);
    }
}

fn undeclared_value(
    leaf: &Leaf,
    value: &Value,
    field: &FieldSchema,
    allowed: &[Value],
    cx: &mut Cx<'_>,
) -> Diagnostic {
    let has = if leaf.op.node == Op::Contains { "contains" } else { "has" };
    let what = format!("`{}` never {has} this value", leaf.path.text);
    let new = Diagnostic::new(Code::W0605, value.span, what).with_label("not one of its declared values");
    let names = || allowed.iter().filter_map(Value::as_str);
    let near = value.as_str().and_then(|text| {
        // `2>`: the descriptor is not a part of the operator.
        let bare = text.trim_start_matches(|c: char| c.is_ascii_digit());
        names().find(|name| *name == bare).or_else(|| cx.near.find_spelling(text, names()))
    });
    let new = match near {
        Some(near) => new.help(format!("did you mean `{near}`?")),
        None => with_values(new, allowed),
    };
    if let [Value { kind: Kind::Bool(only), .. }] = allowed {
        return new.note(format!("it is always `{only}` at this event"));
    }
    let number = value.as_str().is_some_and(|text| text.starts_with(|c: char| c.is_ascii_digit()));
    match field.member {
        Some(ViewMember::Operator) if number => {
            new.note("the view does not have the number of the descriptor")
        }
        _ => new,
    }
}

/// Adds the values that a field can have, if they fit in a line or two.
fn with_values(new: Diagnostic, allowed: &[Value]) -> Diagnostic {
    let names: Vec<&str> = allowed.iter().filter_map(Value::as_str).collect();
    match names.len() {
        1..=LISTED => new.note(format!("its values are `{}`", names.join("`, `"))),
        _ => new,
    }
}

/// Adds how the value is written in a type that the field has: `9` instead of `'9'`.
fn in_declared_type(value: &Value, field: &FieldSchema, new: Diagnostic) -> Diagnostic {
    let types = field.types;
    let is_integer = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let written = match &value.kind {
        Kind::Str(text) if numeric(types) && is_integer(&text.value) => text.value.to_string(),
        Kind::Str(text) if types.has(Type::Boolean) && matches!(&*text.value, "true" | "false") => {
            text.value.to_string()
        }
        Kind::Num(number) if types.has(Type::String) && field.allowed.is_none() => format!("'{}'", number.0),
        _ => return with_values(new, field.allowed.as_deref().unwrap_or_default()),
    };
    new.help(format!("write `{written}`"))
}

/// A value in a list that a field never equals.
fn never_has(leaf: &Leaf, value: &Value, label: &str) -> Diagnostic {
    let what = format!("`{}` never has this value", leaf.path.text);
    Diagnostic::new(Code::W0605, value.span, what).with_label(label)
}

/// A value that a list is to contain: of a type that its elements have, and one of their `enum`.
fn listed(leaf: &Leaf, value: &Value, field: &FieldSchema, cx: &mut Cx<'_>) {
    let Some(items) = field.items.as_deref() else { return };
    if value.kind != Kind::Null && !items.types.has(value::kind(value)) {
        let note = format!("its elements are declared as {}", value::describe(items.types));
        let new = never(leaf, value.span, &format!("this is {}", value.noun())).note(note);
        cx.report(advised(new, leaf, Some(field)));
        return;
    }
    one_of_declared(leaf, value, items, cx);
}

/// Whether a test of text is false for each value of an `enum`.
fn never_found(leaf: &Leaf, value: &Value, allowed: &[Value]) -> bool {
    let case = leaf.case();
    let found = |one: &Value| text::result(leaf.op.node, case, value, one.as_str()?);
    !allowed.is_empty() && allowed.iter().all(|one| found(one) == Some(false))
}

fn advised(new: Diagnostic, leaf: &Leaf, field: Option<&FieldSchema>) -> Diagnostic {
    match field.and_then(|field| view::instead(leaf, field)) {
        Some(help) => new.help(help),
        None => new,
    }
}

/// Whether a field of these types can equal the value: absent equals null.
fn possible(value: &Value, types: TypeSet) -> bool {
    value.kind == Kind::Null || types.has(value::kind(value))
}

/// Whether the text of a boolean or of a number can contain the needle.
fn text_possible(op: Op, needle: &Value, types: TypeSet) -> bool {
    if types.has(Type::String) || types.has(Type::Array) {
        return true;
    }
    let needle = match &needle.kind {
        Kind::Str(text) => text.value.as_str(),
        Kind::Bool(true) => "true",
        Kind::Bool(false) => "false",
        Kind::Num(_) => return numeric(types),
        Kind::Null | Kind::Seq(_) | Kind::Map(_) => return true,
    };
    let found = |text: &str| match op {
        Op::StartsWith => text.starts_with(needle),
        Op::EndsWith => text.ends_with(needle),
        _ => text.contains(needle),
    };
    let digits = || needle.chars().all(|c| c.is_ascii_digit() || "+-.e".contains(c));
    (types.has(Type::Boolean) && (found("true") || found("false"))) || (numeric(types) && digits())
}

/// Never true; always, for `ne`.
fn never(leaf: &Leaf, span: Span, label: &str) -> Diagnostic {
    let (code, when) = match leaf.op.node {
        Op::Ne => (Code::W0604, "always"),
        _ => (Code::W0601, "never"),
    };
    let what = format!("`{}` of `{}` is {when} true", leaf.op.node.name(), leaf.path.text);
    Diagnostic::new(code, span, what).with_label(label)
}

fn declared(leaf: &Leaf, types: TypeSet) -> String {
    format!("`{}` is declared as {}", leaf.path.text, value::describe(types))
}

/// A regular expression that is plain text: the plain operator is clearer and cheaper.
fn literal_regex<'a>(leaf: &'a Leaf, types: TypeSet, cx: &mut Cx<'a>) {
    let Right::Value(value) = &leaf.right else { return };
    let (Op::Regex, Some(pattern)) = (leaf.op.node, value.as_str()) else { return };
    let key = (pattern, leaf.case());
    let Some(plain) = cx.patterns.get(&key).and_then(|known| known.plain.clone()) else { return };
    // `eq` compares only with a string: not equivalent if the text may be that of a number or a
    // boolean.
    let scalar = matches!(plain.text.as_str(), "true" | "false")
        || plain.text.starts_with(|c: char| c == '-' || c.is_ascii_digit());
    if plain.op == Op::Eq && scalar && (types == TypeSet::ANY || numeric(types) || types.has(Type::Boolean)) {
        return;
    }
    // An array contains its elements, while no pattern is found in one.
    if plain.op == Op::Contains && (types == TypeSet::ANY || types.has(Type::Array)) {
        return;
    }
    // The author intended another pattern.
    let meant =
        [Code::W0620, Code::W0622, Code::W0625].iter().any(|code| cx.reported.contains(&(*code, value.span)));
    if meant || is_evaded(value.span, cx) || escape::doubled(value, pattern).is_some() {
        return;
    }
    cx.report(simpler_operator(leaf, value, &plain, pattern));
}

/// Whether each test of text is evaded there, as a lint before has reported.
fn is_evaded(span: Span, cx: &Cx<'_>) -> bool {
    let is_within = |outer: Span| span.source == outer.source && outer.range().contains(&span.range().start);
    cx.out
        .iter()
        .any(|found| matches!(found.code, Code::W0659 | Code::W0665) && found.span().is_some_and(is_within))
}

/// A word in place of `=~`, which may have no spaces around it.
fn spaced(word: &str, left: Span, sign: Span, right: Span) -> String {
    let space = |touches: bool| if touches { " " } else { "" };
    format!("{}{word}{}", space(left.end == sign.start), space(sign.end == right.start))
}

fn simpler_operator(leaf: &Leaf, value: &Value, plain: &LiteralTest, pattern: &str) -> Diagnostic {
    let op = plain.op.name();
    let mut same = leaf.clone();
    same.op.node = plain.op;
    same.right = Right::Value(Value::string(plain.text.as_str(), value.span).into());
    let same = Cond { span: value.span, kind: CondKind::Leaf(same.into()) };
    let mut new = Diagnostic::new(Code::W0603, value.span, "this regular expression is plain text")
        .with_label(format!("`{op}` is equivalent"))
        .help(format!("write `{}`", print::when(&same, print::Operators::Symbols)));
    // `"regex"` may be in JSON.
    let replacement = match leaf.op.span.range().len() {
        2 => spaced(op, leaf.path.span, leaf.op.span, value.span),
        7 => format!("\"{op}\""),
        _ => op.to_owned(),
    };
    // A pattern between slashes has no quotes to keep.
    let quoted = value.span_within(0..pattern.len()) != value.span || leaf.op.span.range().len() != 2;
    if plain.op == Op::Contains && plain.text == pattern && quoted {
        new.fix = Some(hookc_schema::diag::Fix::certain(leaf.op.span, replacement));
    }
    new
}
