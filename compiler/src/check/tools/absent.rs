//! Denials that are also true of events without the field (W0671): `tool_input.file_path != '/srv/x'` is true of each
//! tool without that input, `agent_type != 'builder'` of the main agent.

use hookc_schema::tree::{Cond, CondKind, Leaf, Path, Quantifier, Step};
use hookc_schema::vocab::EventType;
use hookc_schema::{Code, Diagnostic};

use super::input::{input, without};
use super::member::listed;
use super::other_input::is_true_without;
use super::{Narrowed, Table, ToolSet, vain};
use crate::lint::guards::is_about_lines;

/// The most parts of a group that are compared with each other.
const PARTS: usize = 64;

/// What is known at a part of a condition.
#[derive(Clone, Copy)]
struct At<'c, 'n> {
    negated: bool,
    /// The declared tools for which the other parts can be true.
    tools: u128,
    /// The parts that must have this result too, and the group around theirs.
    siblings: Option<&'n Siblings<'c, 'n>>,
}

struct Siblings<'c, 'n> {
    parts: &'c [Cond],
    negated: bool,
    outer: Option<&'n Siblings<'c, 'n>>,
}

/// Reports the first test in the condition of a denial that is true because its field is absent.
pub(in crate::check) fn check(
    cond: &Cond,
    narrowed: &Narrowed,
    event: &EventType,
    table: &mut Table<'_>,
) -> Option<Diagnostic> {
    let tools = table.all() & narrowed.whole().known();
    find(cond, At { negated: false, tools, siblings: None }, event, table)
}

/// The recursion depth is the nesting.
fn find<'c>(cond: &'c Cond, at: At<'c, '_>, event: &EventType, table: &mut Table<'_>) -> Option<Diagnostic> {
    match &cond.kind {
        CondKind::Const(_) | CondKind::Predicate(_) => None,
        CondKind::Not(part) => find(part, At { negated: !at.negated, ..at }, event, table),
        CondKind::All(parts) | CondKind::Any(parts) => {
            let is_all = matches!(cond.kind, CondKind::All(_)) != at.negated;
            if !is_all || parts.len() > PARTS {
                return parts.iter().find_map(|part| find(part, at, event, table));
            }
            let siblings = Siblings { parts, negated: at.negated, outer: at.siblings };
            (0..parts.len()).find_map(|index| {
                let others = parts.iter().enumerate().filter(|(other, _)| *other != index);
                let tools =
                    others.fold(at.tools, |tools, (_, other)| tools & possible(other, at.negated, table));
                find(parts.get(index)?, At { tools, siblings: Some(&siblings), ..at }, event, table)
            })
        }
        CondKind::Leaf(leaf) if is_true_without(leaf, at.negated) => {
            if is_about_lines(&leaf.path, Some(leaf)) {
                return None;
            }
            report(&leaf.path, at, event, table)
        }
        CondKind::Leaf(_) => None,
        CondKind::Quantified(inner) => {
            let is_true = (inner.quantifier == Quantifier::Every) != at.negated;
            (is_true && !is_about_lines(&inner.path, None)).then(|| report(&inner.path, at, event, table))?
        }
    }
}

/// The declared tools for which a part can have the result that is needed.
fn possible(cond: &Cond, negated: bool, table: &mut Table<'_>) -> u128 {
    let [when_false, when_true] = vain::can_be(cond, table);
    if negated { when_false } else { when_true }
}

fn report(path: &Path, at: At<'_, '_>, event: &EventType, table: &Table<'_>) -> Option<Diagnostic> {
    let (field, note) = match input(path) {
        Some(name) => {
            let absent = at.tools & without(&name, table);
            // If no possible tool has it, that is reported (W0416, W0424).
            let has_some = at.tools & !absent != 0;
            let set = ToolSet::declared(absent);
            let names = table.names_in(set);
            let has = if names.len() == 1 { "has" } else { "have" };
            let note = format!("{} {has} no input `{name}`", listed(&names));
            (absent != 0 && has_some).then(|| (format!("tool_input.{name}"), note))?
        }
        None => {
            let steps = path.source().singular()?;
            let Step::Name(name) = steps.first()? else { return None };
            let when = event.schema.property(name)?.when.as_ref()?;
            let is_present = at.siblings.is_some_and(|siblings| siblings.require(name)) || at.tools == 0;
            (!is_present).then(|| (name.clone(), format!("an event has it only {when}")))?
        }
    };
    let what = format!("this is also true of events without `{field}`");
    let new = Diagnostic::new(Code::W0671, path.span, what).with_label("true if it is absent");
    Some(new.note(note).help(format!("if they are not meant, add `exists({field})` with `and`")))
}

impl Siblings<'_, '_> {
    /// Whether one of the parts is certainly not true without a field.
    fn require(&self, field: &str) -> bool {
        self.parts.iter().any(|part| requires(part, self.negated, field))
            || self.outer.is_some_and(|outer| outer.require(field))
    }
}

/// Whether a condition, or its negation, is certainly false without a field. The recursion depth is the nesting.
fn requires(cond: &Cond, negated: bool, field: &str) -> bool {
    match &cond.kind {
        CondKind::Const(_) | CondKind::Predicate(_) | CondKind::Quantified(_) => false,
        CondKind::Not(part) => requires(part, !negated, field),
        CondKind::Leaf(leaf) => is_of(leaf, field) && leaf.if_absent() == Some(negated),
        CondKind::All(parts) if !negated => parts.iter().any(|part| requires(part, negated, field)),
        CondKind::Any(parts) if negated => parts.iter().any(|part| requires(part, negated, field)),
        CondKind::All(parts) | CondKind::Any(parts) => {
            parts.iter().all(|part| requires(part, negated, field))
        }
    }
}

fn is_of(leaf: &Leaf, field: &str) -> bool {
    let steps = leaf.path.source().singular();
    matches!(steps.as_deref(), Some([Step::Name(name), ..]) if name == field)
}
