//! Actions, their parameters, templates and checks.

use super::{Checked, Work, ensure, history, key_order, spans, within};
use crate::limits::MODULE_DEPTH;
use crate::module::Tables;
use crate::rows::{
    Action, Argument, HookTest, Kind, NONE, ParamValue, Range, SectionKind, Template, TemplateForm, U32, tag,
};

/// All bits of a check's types.
const TYPES: u32 = 127;

/// The type checks of rendered parameters are well-formed.
pub(super) fn checks(t: &Tables<'_>) -> Checked {
    for (row, check) in t.checks.iter().enumerate() {
        let bad = |good, what| ensure(good, SectionKind::Checks, row, what);
        bad(check.types.get() <= TYPES, "an unknown type")?;
        bad(optional(check.allowed, t.lists), "the list is out of range")?;
        let number = |index: U32| {
            t.consts.get(index.get() as usize).is_some_and(|constant| constant.tag.get() == tag::NUMBER)
        };
        let minimum = check.minimum.get() == NONE || number(check.minimum);
        bad(minimum, "the minimum is not a number constant")?;
    }
    Ok(())
}

fn optional<T>(index: U32, table: &[T]) -> bool {
    index.get() == NONE || within(index, table)
}

/// Template nodes refer to lower ones, to a bounded depth.
pub(super) fn templates(t: &Tables<'_>, work: &mut Work) -> Checked {
    let mut depths: Vec<usize> = Vec::with_capacity(t.templates.len());
    for (row, node) in t.templates.iter().enumerate() {
        let depth = template(t, row, node, |child| depths.get(child as usize).copied(), work)?;
        depths.push(depth);
    }
    Ok(())
}

/// Checks a node and returns its depth; `depth_of` is that of nodes with lower numbers.
pub(super) fn template(
    t: &Tables<'_>,
    row: usize,
    node: &Template,
    depth_of: impl Fn(u32) -> Option<usize>,
    work: &mut Work,
) -> Checked<usize> {
    let bad = |good, what| ensure(good, SectionKind::Templates, row, what);
    let Some(form) = node.form() else { return bad(false, "an unknown tag").map(|()| 0) };
    let depth = match form {
        TemplateForm::Const(_) => {
            bad(within(node.a, t.consts), "the constant is out of range")?;
            bad(Template::new(form) == *node, "a second operand next to a constant")?;
            0
        }
        TemplateForm::Slot { slot, .. } => {
            bad(history::is_closed(t, slot), "the slot is out of range")?;
            bad(optional(node.b, t.consts), "the default is out of range")?;
            0
        }
        TemplateForm::Nodes { query, .. } => {
            let query = t.queries.get(query as usize);
            bad(query.is_some_and(|query| query.slot.get() != NONE), "not a query of the event")?;
            bad(optional(node.b, t.consts), "the default is out of range")?;
            0
        }
        TemplateForm::Text(range) | TemplateForm::Array(range) | TemplateForm::Object(range) => {
            inner(t, row, (form, range), depth_of, work)?
        }
        TemplateForm::Because(range) => {
            bad(spans(range, t.indices), "a range out of range")?;
            work.charge(size_of_val(t.indices_of(range)))?;
            bad(reasons(t, range), "a reason that is not a test with a predicate about effects")?;
            0
        }
    };
    bad(depth <= MODULE_DEPTH, "nested too deep")?;
    Ok(depth)
}

/// Whether tests and predicates about effects alternate.
fn reasons(t: &Tables<'_>, range: Range) -> bool {
    let is_reason = |pair: &[U32]| {
        let [test, effect] = pair else { return false };
        let is_test = match HookTest::from_number(test.get()) {
            HookTest::Cond(cond) => (cond as usize) < t.conds.len(),
            HookTest::Pred(pred) => (pred as usize) < t.preds.len(),
        };
        is_test && within(*effect, t.effects)
    };
    t.indices_of(range).chunks(2).all(is_reason)
}

/// Checks a node with children and returns its depth.
fn inner(
    t: &Tables<'_>,
    row: usize,
    (form, range): (TemplateForm, Range),
    depth_of: impl Fn(u32) -> Option<usize>,
    work: &mut Work,
) -> Checked<usize> {
    let bad = |good, what| ensure(good, SectionKind::Templates, row, what);
    bad(spans(range, t.indices), "a range out of range")?;
    let indices = t.indices_of(range);
    work.charge(size_of_val(indices))?;
    let object = matches!(form, TemplateForm::Object(_));
    let text = matches!(form, TemplateForm::Text(_));
    if object {
        bad(keys(t, indices, work)?, "keys are not pairs, strings, and ascending")?;
    }
    let step: usize = if object { 2 } else { 1 };
    let mut depth = 0;
    for child in indices.iter().skip(step.saturating_sub(1)).step_by(step) {
        let below = depth_of(child.get());
        bad(below.is_some(), "a child is not below its parent")?;
        depth = depth.max(below.unwrap_or_default());
        bad(!text || is_text(t, *child), "text of an operand that is neither a string, a slot nor a reason")?;
    }
    Ok(depth.saturating_add(1))
}

fn is_text(t: &Tables<'_>, node: U32) -> bool {
    let Some(node) = t.templates.get(node.get() as usize) else { return false };
    let is_string = |row: u32| t.consts.get(row as usize).is_some_and(|c| c.tag.get() == tag::STRING);
    match node.form() {
        Some(TemplateForm::Const(constant)) => is_string(constant),
        form => matches!(form, Some(TemplateForm::Slot { .. } | TemplateForm::Because(_))),
    }
}

fn keys(t: &Tables<'_>, pairs: &[U32], work: &mut Work) -> Checked<bool> {
    if !pairs.len().is_multiple_of(2) {
        return Ok(false);
    }
    ascending(t, pairs.iter().copied().step_by(2), work)
}

/// Whether keys are strings in strictly ascending order.
fn ascending(t: &Tables<'_>, keys: impl Iterator<Item = U32>, work: &mut Work) -> Checked<bool> {
    let mut before: Option<&str> = None;
    for key in keys {
        if !within(key, t.strings) {
            return Ok(false);
        }
        let key = t.str(key.get());
        work.charge(key.len().saturating_mul(2))?;
        if before.is_some_and(|before| key_order(before, key).is_ge()) {
            return Ok(false);
        }
        before = Some(key);
    }
    Ok(true)
}

/// Parameters have a name and a check.
pub(super) fn params(t: &Tables<'_>) -> Checked {
    for (row, param) in t.params.iter().enumerate() {
        let bad = |good, what| ensure(good, SectionKind::Params, row, what);
        bad(within(param.key, t.strings), "the name is out of range")?;
        bad(optional(param.check, t.checks), "the check is out of range")?;
    }
    Ok(())
}

/// Kinds have a name, and parameters in order.
pub(super) fn kinds(t: &Tables<'_>, work: &mut Work) -> Checked {
    for (row, kind) in t.kinds.iter().enumerate() {
        let bad = |good, what| ensure(good, SectionKind::Kinds, row, what);
        bad(within(kind.name, t.strings), "the name is out of range")?;
        bad(spans(kind.params, t.params), "parameters out of range")?;
        bad(sorted(t, kind, work)?, "parameters are not ascending")?;
        let reserved = t.params_of_kind(kind).iter().any(|param| t.bytes(param.key.get()) == b"type");
        bad(!reserved, "a parameter has the name `type`")?;
    }
    Ok(())
}

fn sorted(t: &Tables<'_>, kind: &Kind, work: &mut Work) -> Checked<bool> {
    let params = t.params_of_kind(kind);
    work.charge(size_of_val(params))?;
    if params.len() < 2 {
        return Ok(true);
    }
    ascending(t, params.iter().map(|param| param.key), work)
}

/// Arguments are templates and constants.
pub(super) fn arguments(t: &Tables<'_>) -> Checked {
    t.arguments.iter().enumerate().try_for_each(|(row, argument)| self::argument(t, row, argument))
}

/// An argument is a template or a constant.
pub(super) fn argument(t: &Tables<'_>, row: usize, argument: &Argument) -> Checked {
    let known = match argument.value() {
        ParamValue::Template(node) => (node as usize) < t.templates.len(),
        ParamValue::Const(constant) => (constant as usize) < t.consts.len(),
    };
    ensure(known, SectionKind::Arguments, row, "the value is out of range")
}

/// Actions have a kind, and a value for each of its parameters.
pub(super) fn actions(t: &Tables<'_>, work: &mut Work) -> Checked {
    t.actions.iter().enumerate().try_for_each(|(row, action)| self::action(t, row, action, work).map(drop))
}

/// An action has a kind and a value for each of its parameters; returns the range of those.
pub(super) fn action(t: &Tables<'_>, row: usize, action: &Action, work: &mut Work) -> Checked<Range> {
    let bad = |good, what| ensure(good, SectionKind::Actions, row, what);
    let kind = t.kinds.get(action.kind.get() as usize);
    bad(kind.is_some(), "the kind is out of range")?;
    let length = kind.map_or(U32::ZERO, |kind| kind.params.length);
    let arguments = Range { start: action.arguments, length };
    bad(spans(arguments, t.arguments), "arguments out of range")?;
    work.charge((length.get() as usize).saturating_mul(size_of::<Argument>()))?;
    Ok(arguments)
}
