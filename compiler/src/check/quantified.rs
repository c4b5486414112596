//! Quantifiers: the names that they bind, the types of their nodes, and their lowering.

use std::sync::Arc;

use hookc_schema::tree::{Path, PathKind, Quantified, Quantifier, Step};
use hookc_schema::vocab::{FieldSchema, Type};
use hookc_schema::{Code, Diagnostic, Span, Spanned};

use super::event::Scope;
use super::members::Members;
use super::path::{Field, Reported};
use super::{Cx, cond, path, value};
use crate::ir::{self, LowCond, ReadPath, Test, TestRight};
use crate::lint::commands::{self, Command};
use crate::tools::Place;

/// A name in scope.
#[derive(Debug)]
pub(super) struct BoundName {
    pub(super) name: String,
    /// The declaration of its node, if there is one.
    pub(super) schema: Option<FieldSchema>,
    /// The object whose members it binds.
    pub(super) members: Option<Members>,
    /// Whether a path starts with it.
    pub(super) read: bool,
    /// What the condition asks about it, if it is a command of a line.
    pub(super) command: Option<Command>,
}

/// The quantifier at one event type; `None` after an error.
pub(super) fn lower<'a>(
    inner: &'a Quantified,
    span: Span,
    place: Place<'_>,
    scope: &Scope,
    cx: &mut Cx<'a>,
) -> Option<LowCond> {
    let fits = !shadows(inner, scope, cx);
    cx.here = place.tools();
    let field = path::resolve(&inner.path, scope, cx);
    let members = field.as_ref().and_then(|field| Members::new(inner, field, cx.here));
    let schema = field.as_ref().and_then(|field| node(inner, field, members.as_ref(), cx));
    let is_view = schema.as_ref().is_some_and(|schema| schema.view);
    if is_view {
        cx.report_all_once(commands::check(&inner.cond, &inner.name.node));
    }
    let command = is_view.then(|| Command::new(&inner.cond, &inner.name.node));
    cx.bound.push(BoundName { name: inner.name.node.clone(), schema, members, read: false, command });
    let low = cond::lower(&inner.cond, place.inner(), scope, cx);
    let read = cx.bound.pop().is_none_or(|bound| bound.read);
    let (field, low) = (field?, low.filter(|_| fits)?);
    if !read {
        cx.report_once(unread(inner));
    }
    let negate = |cond: LowCond| LowCond::Not(cond.into());
    let every = inner.quantifier == Quantifier::Every;
    let low = if every { negate(low) } else { low };
    let children = inner.path.is_singular();
    let some = ir::Quantified { path: field.path, children, cond: low };
    let some = LowCond::Some(Arc::new(Spanned::new(some, span)));
    Some(if every { negate(some) } else { some })
}

/// A test. One of several nodes against a bound one is a quantifier itself: the operand of a bound
/// node has a value only under its quantifier.
pub(super) fn of_test(test: Spanned<Test>) -> LowCond {
    let Spanned { node: test, span } = test;
    match (test.path, test.right) {
        (path @ ReadPath::Nodes(_), TestRight::Path(ReadPath::Bound(up, steps))) => {
            let right = TestRight::Path(ReadPath::Bound(up + 1, steps));
            let bound = Test { path: ReadPath::Bound(0, Arc::new([])), right, ..test };
            let cond = LowCond::Test(Arc::new(Spanned::new(bound, span)));
            LowCond::Some(Arc::new(Spanned::new(ir::Quantified { path, children: false, cond }, span)))
        }
        (path, right) => LowCond::Test(Arc::new(Spanned::new(Test { path, right, ..test }, span))),
    }
}

/// The bound name that a path starts with: its position from the innermost, and its steps.
pub(super) fn bound_steps<'p>(path: &'p Path, cx: &Cx<'_>) -> Option<(usize, &'p [Step])> {
    let PathKind::Short(steps) = &path.kind else { return None };
    let (Step::Name(first), rest) = steps.split_first()? else { return None };
    let up = cx.bound.iter().rev().position(|bound| bound.name == *first)?;
    Some((up, rest))
}

/// Resolves a path that starts at a bound node; `None` for others.
pub(super) fn resolve<'s>(
    path: &Path,
    scope: &'s Scope,
    cx: &mut Cx<'_>,
) -> Option<Result<Field<'s>, Reported>> {
    let (up, steps) = bound_steps(path, cx)?;
    let found = ReadPath::Bound(up, steps.into());
    let bound = cx.bound.iter_mut().rev().nth(up)?;
    bound.read = true;
    let never = match (&bound.members, steps.first()) {
        (Some(members), Some(Step::Name(name))) => members.never(path, name, &cx.tools),
        _ => None,
    };
    let schema = bound.schema.clone();
    if let Some(new) = never {
        cx.report_once(new);
        return Some(Ok(Field::one(found, None)));
    }
    let Some(root) = schema else { return Some(Ok(Field::one(found, None))) };
    let end = path::below_node(path, scope, &root, steps, cx);
    Some(end.map(|schema| Field::one(found, schema)))
}

/// The declaration of the nodes of a quantifier. Reports a value without elements.
fn node(
    inner: &Quantified,
    field: &Field<'_>,
    members: Option<&Members>,
    cx: &mut Cx<'_>,
) -> Option<FieldSchema> {
    if !inner.path.is_singular() {
        return field.nodes.as_deref().cloned();
    }
    let schema = field.schema.as_deref()?;
    let (array, object) = (schema.types.has(Type::Array), schema.types.has(Type::Object));
    if !array && !object {
        let (when, word) = match inner.quantifier {
            Quantifier::Some => ("never", "some"),
            Quantifier::Every => ("always", "every"),
        };
        let what = format!("`{word}` over `{}` is {when} true", inner.path.text);
        let new = Diagnostic::new(Code::W0641, inner.path.span, what).with_label("has no elements");
        let new = new.note(format!("`{}` is declared as {}", inner.path.text, value::describe(schema.types)));
        return cx.fail(new.help("write the path of a list, or test the value itself"));
    }
    match members {
        Some(members) => members.node(&cx.tools),
        None => schema.items.as_deref().filter(|_| !object).cloned(),
    }
}

/// Reports a name that already means something.
fn shadows(inner: &Quantified, scope: &Scope, cx: &mut Cx<'_>) -> bool {
    let name = inner.name.node.as_str();
    let declared = scope.declared.as_ref();
    let root = declared
        .is_some_and(|event| event.schema.property(name).is_some() || cx.tools.sends(&event.name, name));
    let outer = cx.bound.iter().any(|bound| bound.name == name);
    let meaning = match (outer, root) {
        (true, _) => "the name of an outer node".to_owned(),
        (false, true) => format!("a field of `{}`", declared.map_or("", |event| event.name.as_str())),
        (false, false) if name == "event" => "the object with an event's fields".to_owned(),
        (false, false) => return false,
    };
    let new = Diagnostic::new(Code::E0442, inner.name.span, format!("`{name}` is {meaning}"));
    cx.report_once(new.with_label("already has a meaning here").help("choose another name for the node"));
    true
}

fn unread(inner: &Quantified) -> Diagnostic {
    let (name, word) = (&inner.name.node, inner.quantifier.name());
    let what = format!("the condition of `{word}` does not read `{name}`");
    let new = Diagnostic::new(Code::W0640, inner.name.span, what).with_label("never read");
    new.help(format!(
        "start a path with it, as in `{name}.field`; to test whether there is a node, use `exists`"
    ))
}
