//! Conditions: each leaf checked once, then lowered once per event type.

use std::sync::Arc;

use hookc_schema::Spanned;
use hookc_schema::tree::{Cond, CondKind, Family, Leaf, Op, Right};
use hookc_schema::value::Kind;
use hookc_schema::vocab::{FieldSchema, Type, ViewMember};

use super::event::Scope;
use super::shared::{Context, Fields};
use super::{Cx, effects, history, leaf, path, quantified, query, tool_names, typed, value, view};
use crate::ir::{LowCond, Test, TestRight};
use crate::lint::leaf as lints;
use crate::tools::Place;

/// Whether every leaf is valid independent of the event; all errors are reported. The front ends
/// bound the recursion by the nesting.
pub(super) fn check<'a>(cond: &'a Cond, cx: &mut Cx<'a>) -> bool {
    let id = cond.shared();
    if let Some(known) = id.and_then(|id| cx.shared.sound.get(&id)) {
        return *known;
    }
    let sound = match &cond.kind {
        CondKind::Const(_) => true,
        CondKind::All(parts) | CondKind::Any(parts) => {
            // Counts errors, so that the first one does not hide the others.
            parts.iter().filter(|part| !check(part, cx)).count() == 0
        }
        CondKind::Not(part) => check(part, cx),
        CondKind::Leaf(leaf) => leaf::check(leaf, cx),
        CondKind::Quantified(inner) => query::check(&inner.path, cx) & check(&inner.cond, cx),
        CondKind::Predicate(predicate) => effects::check(predicate, cond.span, cx),
        CondKind::Formerly(selection) => history::check(selection, cx),
    };
    cx.shared.sound.extend(id.map(|id| (id, sound)));
    sound
}

/// The condition at one event type; `None` after an error.
pub(super) fn lower<'a>(cond: &'a Cond, place: Place<'_>, scope: &Scope, cx: &mut Cx<'a>) -> Option<LowCond> {
    // What a bound name means depends on the quantifier around it.
    let Some(id) = cond.shared().filter(|_| cx.bound.is_empty()) else {
        return contents(cond, place, scope, cx);
    };
    let absolute = cx.absolute.clone();
    let polarity = cx.polarity;
    let context = Context { id, event: Fields::from_scope(scope), tools: place.tools(), absolute, polarity };
    if let Some(known) = cx.shared.lowered.get(&context) {
        return known.clone();
    }
    let outer = std::mem::take(&mut cx.history.names_event);
    let low = contents(cond, place, scope, cx);
    // Undeclared event types share what does not depend on their names.
    if scope.declared.is_some() || !cx.history.names_event {
        cx.shared.lowered.insert(context, low.clone());
    }
    cx.history.names_event |= outer;
    low
}

fn contents<'a>(cond: &'a Cond, place: Place<'_>, scope: &Scope, cx: &mut Cx<'a>) -> Option<LowCond> {
    match &cond.kind {
        CondKind::Const(value) => Some(LowCond::Const(*value)),
        CondKind::All(parts) => {
            list(parts, place.parts(true, parts.len()), scope, cx).map(|parts| LowCond::All(parts.into()))
        }
        CondKind::Any(parts) => {
            list(parts, place.parts(false, parts.len()), scope, cx).map(|parts| LowCond::Any(parts.into()))
        }
        CondKind::Not(part) => {
            cx.polarity.negated = !cx.polarity.negated;
            let part = lower(part, place.inner(), scope, cx);
            cx.polarity.negated = !cx.polarity.negated;
            part.map(|part| LowCond::Not(part.into()))
        }
        CondKind::Leaf(leaf) if history::reads_history(leaf) => {
            cx.here = place.tools();
            history::compare(leaf, cond.span, scope, cx)
        }
        CondKind::Leaf(leaf) => {
            cx.here = place.tools();
            let (test, negated, member) = test(leaf, scope, cx)?;
            let place = view::Polarity { negated: cx.polarity.negated != negated, ..cx.polarity };
            let test = view::repeated::of_test(Spanned::new(test, cond.span), member, place);
            Some(if negated { LowCond::Not(test.into()) } else { test })
        }
        CondKind::Quantified(inner) => quantified::lower(inner, cond.span, place, scope, cx),
        CondKind::Predicate(predicate) => effects::lower(predicate, cond.span, scope, cx),
        CondKind::Formerly(selection) => {
            cx.here = place.tools();
            history::formerly(selection, cond, scope, cx)
        }
    }
}

/// All parts are lowered even after an error, so that all errors are reported.
fn list<'a>(
    parts: &'a [Cond],
    places: Vec<Place<'_>>,
    scope: &Scope,
    cx: &mut Cx<'a>,
) -> Option<Vec<LowCond>> {
    let mut lowered = Some(Vec::with_capacity(parts.len()));
    for (part, place) in parts.iter().zip(places) {
        match (lower(part, place, scope, cx), &mut lowered) {
            (Some(low), Some(lowered)) => lowered.push(low),
            _ => lowered = None,
        }
    }
    lowered
}

/// Reports texts that the field of a leaf never has.
fn texts<'a>(leaf: &'a Leaf, field: Option<&FieldSchema>, scope: &Scope, cx: &mut Cx<'a>) {
    let is_open = cx.here.names_others() || cx.absolute.contains(&*leaf.path.text);
    let takes_relative = is_open || scope.family != Family::Agent;
    let view::Polarity { allows, negated } = cx.polarity;
    let place = lints::Place {
        event: scope.declared.as_deref(),
        field,
        plain: cx.plain(leaf),
        takes_relative,
        tools: &cx.tools,
        here: cx.here,
        allows,
        negated,
    };
    let found = lints::at_event(leaf, &place, |code, span| cx.reported.contains(&(code, span)));
    cx.report_all_once(found);
}

/// The test of a leaf, the member of a view that it is about, and whether the leaf is its negation: `ne` is `not eq`,
/// `exists: false` is `not exists`.
fn test<'a>(leaf: &'a Leaf, scope: &Scope, cx: &mut Cx<'a>) -> Option<(Test, bool, Option<ViewMember>)> {
    let field = path::resolve(&leaf.path, scope, cx);
    let other = match &leaf.right {
        Right::Path(path) => Some(path::resolve_right(leaf, path, scope, cx)),
        Right::None | Right::Value(_) => None,
    };
    let (field, other) = (field?, other.map_or(Some(None), |other| other.map(Some))?);
    let declared = field.schema.as_deref().or(field.nodes.as_deref());
    texts(leaf, declared, scope, cx);
    if !view::check(leaf, declared, cx) {
        typed::check(leaf, declared, other.as_ref().and_then(|other| other.schema.as_deref()), cx);
    }
    let new = lints::vacuous(leaf, &field.path, other.as_ref().map(|other| &other.path));
    new.into_iter().for_each(|new| cx.report(new));
    if scope.has_tools() {
        let mut names = tool_names::check(leaf, &cx.conditions, &cx.tools, &mut cx.tool_names);
        names.retain(|new| !cx.reported_matcher(new));
        cx.report_all_once(names);
    }
    let (op, negated) = match (leaf.op.node, &leaf.right) {
        (Op::Ne, _) => (Op::Eq, true),
        (Op::Exists, Right::Value(value)) => (Op::Exists, value.kind == Kind::Bool(false)),
        (op, _) => (op, false),
    };
    let right = match (op, &leaf.right, other) {
        (Op::Exists, ..) | (_, Right::None, _) | (_, Right::Path(_), None) => TestRight::None,
        (Op::Matches, ..) => TestRight::Schema(Arc::clone(cx.schemas.get(&std::ptr::from_ref(leaf))?)),
        (_, Right::Value(value), _) => TestRight::Value(value::sorted(value)),
        (_, Right::Path(_), Some(other)) => TestRight::Path(other.path),
    };
    let never_list = field.schema.as_deref().is_some_and(|declared| !declared.types.has(Type::Array));
    let member = field.schema.as_deref().or(field.nodes.as_deref()).and_then(|declared| declared.member);
    Some((Test { path: field.path, op, right, case: leaf.case(), never_list }, negated, member))
}
