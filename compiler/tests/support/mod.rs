//! Hand-made hooks: conditions as `when` text, values as JSON.
#![allow(dead_code, reason = "each test binary uses its own part")]

use std::sync::Arc;

use hookc_compiler::check;
use hookc_compiler::ir::Checked;
use hookc_schema::tree::{
    Action, Cond, CondKind, Declarations, Family, Hook, Leaf, Policy, Right, UncomparedSpan,
};
use hookc_schema::value::{Kind, Member, Number, Text, TextMap, Value};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Code, Diagnostic, Diagnostics, SourceId, Span, Spanned};
use hookc_syntax::expr::when;

/// The bytes `range` of the one source.
pub(crate) fn span(range: std::ops::Range<usize>) -> Span {
    Span::new(SourceId(0), range)
}

pub(crate) fn named(name: &str) -> Spanned<String> {
    Spanned::new(name.to_owned(), span(0..name.len()))
}

/// A JSON value; strings have byte positions as if the source started with them.
pub(crate) fn value(json: serde_json::Value) -> Value {
    use serde_json::Value as J;
    let kind = match json {
        J::Null => Kind::Null,
        J::Bool(value) => Kind::Bool(value),
        J::Number(number) => Kind::Num(Number(number.to_string())),
        J::String(text) => {
            let whole = span(0..text.len());
            return Value::new(Kind::Str(Text { value: text, map: TextMap::Shift(0) }), whole);
        }
        J::Array(items) => Kind::Seq(items.into_iter().map(value).collect()),
        J::Object(members) => {
            let member = |(key, item): (String, J)| Member { key: named(&key), value: value(item) };
            Kind::Map(members.into_iter().map(member).collect())
        }
    };
    Value::new(kind, span(0..0))
}

/// A condition, written as a `when` expression.
pub(crate) fn cond(text: &str) -> Cond {
    let mut out = Diagnostics::new();
    let source = Text { value: text.to_owned(), map: TextMap::Shift(0) };
    when::parse(&source, span(0..text.len()), &mut out).unwrap_or_else(|| panic!("{text}: {out:?}"))
}

/// The leaf of a condition that is one, changed.
pub(crate) fn leaf(text: &str, change: impl FnOnce(&mut Leaf)) -> Cond {
    let mut cond = cond(text);
    let CondKind::Leaf(leaf) = &mut cond.kind else { panic!("{text} is no leaf") };
    change(Arc::make_mut(leaf));
    cond
}

/// A leaf with another value than its notation lets through.
pub(crate) fn leaf_value(text: &str, json: serde_json::Value) -> Cond {
    leaf(text, |leaf| leaf.right = Right::Value(value(json).into()))
}

/// An action: its kind, its parameters as a JSON object.
pub(crate) fn action(kind: &str, params: serde_json::Value) -> Action {
    let Kind::Map(members) = value(params).kind else { panic!("parameters are an object") };
    let params = members.into_iter().map(|member| (member.key, member.value)).collect();
    Action { span: UncomparedSpan::default(), kind: named(kind), params, templates: true }
}

pub(crate) fn hook(events: &[&str], condition: Option<Cond>, action: Action) -> Hook {
    let events = events.iter().map(|name| named(name)).collect();
    Hook { condition, ..Hook::new(span(0..1), events, Family::Thread, action) }
}

pub(crate) fn policy(hooks: Vec<Hook>) -> Policy {
    Policy { hooks, ..Policy::empty(SourceId(0)) }
}

/// The shipped vocabulary and a few event types of these tests.
pub(crate) fn vocabulary() -> Arc<Vocabulary> {
    let events = serde_json::json!({
        "gate": {"schema": {
            "type": "object",
            "additionalProperties": false,
            "properties": {
                "event": {"type": "object", "additionalProperties": false,
                          "properties": {"type": {"type": "string"}}},
                "name": {"type": "string"},
                "color": {"type": "string", "enum": ["red", "green"]},
                "on": {"type": "boolean"},
                "count": {"type": "integer"},
                "tags": {"type": "array", "items": {"type": "object", "properties": {"label": {"type": "string"}}}},
                "detail": {"type": "object", "properties": {"retry_after": {"type": ["number", "null"]}}},
            },
        }},
        "many": {"strategy": "all"},
    });
    let declarations = Declarations { events: Some(value(events)), ..Declarations::default() };
    let mut out = Diagnostics::new();
    let all = Vocabulary::builtin().with_declarations(&declarations, &mut out);
    assert_eq!(out, []);
    Arc::new(all)
}

pub(crate) fn check(hooks: Vec<Hook>) -> (Checked, Diagnostics) {
    let mut out = Diagnostics::new();
    let checked = check::check(&policy(hooks), None, &vocabulary(), &mut out);
    // Tests read fields such as `x`, which no shipped event has: `corpus/reject` has their
    // diagnostics.
    let placeholder = |d: &Diagnostic| {
        let near = d.help.as_deref().is_some_and(|help| help.starts_with("did you mean"));
        let right = d.code == Code::W0425;
        right || (d.code == Code::W0416 && d.message.starts_with("event `") && !near)
    };
    out.retain(|d| !placeholder(d));
    (checked, out)
}

/// The diagnostics of a condition at an event.
pub(crate) fn reported(event: &str, cond: Cond) -> Diagnostics {
    check(vec![hook(&[event], Some(cond), action("abort", serde_json::json!({})))]).1
}

pub(crate) fn codes(diagnostics: &[Diagnostic]) -> Vec<Code> {
    diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}

/// The codes of a `when` expression at an event.
pub(crate) fn codes_of(event: &str, text: &str) -> Vec<Code> {
    codes(&reported(event, cond(text)))
}

/// The text at a diagnostic's primary span.
pub(crate) fn under<'t>(text: &'t str, diagnostic: &Diagnostic) -> &'t str {
    &text[diagnostic.span().expect("a place").range()]
}
