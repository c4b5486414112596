//! Checked and linked hooks built by hand, for testing the later stages.
#![allow(dead_code, reason = "each test file uses a part")]

use std::sync::Arc;

use hookc_base::text::Case;
use hookc_compiler::ir::{
    Checked, CheckedAction, CheckedEvent, CheckedHook, LowCond, ReadPath, Test, TestRight,
};
use hookc_compiler::link::{Linked, LinkedEvent, LinkedHook};
use hookc_schema::tree::{Family, Layer, Mode, Op, Step};
use hookc_schema::value::{Kind, Member, Number, Text, Value};
use hookc_schema::vocab::Strategy;
use hookc_schema::{SourceId, Span, Spanned};

/// A span that identifies its hook.
pub(crate) fn span(source: u32, at: u32) -> Span {
    Span { source: SourceId(source), start: at, end: at + 1 }
}

/// A hook of layer directive at one event, always true.
pub(crate) fn hook(id: Option<&str>, event: &str, at: Span) -> CheckedHook {
    CheckedHook {
        span: at,
        id: id.map(|id| Spanned::new(id.to_owned(), at)),
        layer: Layer::Directive,
        priority: Number("0".into()),
        enabled: true,
        mode: Mode::Enforce,
        on_error: None,
        on_failure: None,
        events: vec![at_event(event, at)],
    }
}

pub(crate) fn at_event(event: &str, at: Span) -> CheckedEvent {
    CheckedEvent {
        family: Family::Thread,
        name: Spanned::new(event.to_owned(), at),
        declared: None,
        cond: LowCond::Const(true),
        certain: None,
        print: 0,
        action: action(),
    }
}

pub(crate) fn action() -> CheckedAction {
    CheckedAction { kind: "abort".into(), params: Vec::new() }
}

pub(crate) fn checked(hooks: Vec<CheckedHook>) -> Checked {
    Checked { hooks, ..Checked::default() }
}

/// One event with hooks of these conditions.
pub(crate) fn linked(conds: Vec<LowCond>) -> Linked {
    let hook = |(at, cond): (usize, LowCond)| LinkedHook {
        label: format!("error#{at}"),
        span: Span::default(),
        layer: Layer::Directive,
        mode: Mode::Enforce,
        on_error: None,
        on_failure: None,
        cond,
        certain: None,
        print: 0,
        action: action(),
    };
    let hooks = conds.into_iter().enumerate().map(hook).collect();
    let event =
        LinkedEvent { family: Family::Thread, name: "error".into(), strategy: Strategy::First, hooks };
    Linked { events: vec![event], ..Linked::default() }
}

/// `a.b.0` to steps; digits are indexes.
pub(crate) fn steps(path: &str) -> Vec<Step> {
    let step = |part: &str| match part.parse() {
        Ok(index) => Step::Index(index),
        Err(_) => Step::Name(part.to_owned()),
    };
    path.split('.').map(step).collect()
}

/// A path; one that starts with `~` is merged.
pub(crate) fn path(path: &str) -> ReadPath {
    match path.strip_prefix('~') {
        Some(rest) => ReadPath::Merged(steps(rest).into()),
        None => ReadPath::Plain(steps(path).into()),
    }
}

pub(crate) fn leaf(left: &str, op: Op, right: TestRight) -> LowCond {
    let test = Test { path: path(left), op, right, case: Case::Respected, never_list: false };
    LowCond::Test(Arc::new(Spanned::new(test, Span::default())))
}

pub(crate) fn exists(left: &str) -> LowCond {
    leaf(left, Op::Exists, TestRight::None)
}

/// A leaf against a JSON literal.
pub(crate) fn test(left: &str, op: Op, json: &str) -> LowCond {
    leaf(left, op, TestRight::Value(value(json).into()))
}

pub(crate) fn value(json: &str) -> Value {
    from_json(&serde_json::from_str(json).unwrap())
}

fn from_json(json: &serde_json::Value) -> Value {
    let kind = match json {
        serde_json::Value::Null => Kind::Null,
        serde_json::Value::Bool(value) => Kind::Bool(*value),
        serde_json::Value::Number(number) => Kind::Num(Number(number.to_string())),
        serde_json::Value::String(text) => Kind::Str(Text::plain(text)),
        serde_json::Value::Array(elements) => Kind::Seq(elements.iter().map(from_json).collect()),
        serde_json::Value::Object(members) => Kind::Map(members.iter().map(member).collect()),
    };
    Value::new(kind, Span::default())
}

fn member((key, value): (&String, &serde_json::Value)) -> Member {
    Member { key: Spanned::new(key.clone(), Span::default()), value: from_json(value) }
}
