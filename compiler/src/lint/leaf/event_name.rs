//! Tests of the name of the event that the hook's own events decide (W0601, W0604):
//! `hook_event_name == 'PostToolUse'` in a hook of `PreToolUse`.

use hookc_schema::tree::{CondPart, Family, Hook, Leaf, Op, Path, Right, Step};
use hookc_schema::value::{Kind, Value};
use hookc_schema::{Code, Diagnostic};
use hookc_vm::text::fold as text_fold;

use crate::ir::CheckedEvent;
use crate::lint::text;
use crate::names::listed_all;

/// Reports the tests of the event's name that are false, or true, for each event of the hook.
pub(crate) fn event_name(hook: &Hook, events: &[CheckedEvent]) -> Vec<Diagnostic> {
    let Some(cond) = &hook.condition else { return Vec::new() };
    // The type of an event that nobody declares may be another field.
    if events.is_empty() || events.iter().any(|event| event.declared.is_none()) {
        return Vec::new();
    }
    let names: Vec<&str> = events.iter().map(|event| event.name.node.as_str()).collect();
    let family = events.first().map(|event| event.family);
    let is_name = |leaf: &&Leaf| family.is_some_and(|family| is_name(&leaf.path, family));
    // The events of hooks that share a condition may differ.
    let parts = cond.whole().walk(|part| part.cond.shared().is_none());
    parts.filter_map(CondPart::leaf).filter(is_name).filter_map(|leaf| find(leaf, &names)).collect()
}

/// Whether a path is that of the event's name.
fn is_name(path: &Path, family: Family) -> bool {
    match (family, path.singular().as_deref()) {
        (Family::Agent, Some([Step::Name(name)])) => name == "hook_event_name",
        (Family::Repository, Some([Step::Name(name)])) => name == "event_type",
        (Family::Thread, Some([Step::Name(event), Step::Name(name)])) => event == "event" && name == "type",
        _ => false,
    }
}

/// The diagnostic for a leaf about the name that is the same for all names of events.
fn find(leaf: &Leaf, names: &[&str]) -> Option<Diagnostic> {
    let Right::Value(value) = &leaf.right else { return None };
    let results: Option<Vec<bool>> = names.iter().map(|name| result(leaf, value, name)).collect();
    let results = results?;
    let (code, when) = if !results.contains(&true) {
        (Code::W0601, "never")
    } else if leaf.op.node == Op::Ne && !results.contains(&false) {
        (Code::W0604, "always")
    } else {
        // A test that is true for the only event changes nothing.
        return None;
    };
    let what = format!("`{}` of `{}` is {when} true", leaf.op.node.name(), leaf.path.text);
    let new = Diagnostic::new(code, value.span, what).with_label("the events of the hook decide this");
    let new = new.note(format!("the hook runs for {}", listed_all(names)));
    Some(new.help("write the event in `event:`, or remove this test"))
}

/// The result of a leaf for an event's name, if it is known.
fn result(leaf: &Leaf, value: &Value, name: &str) -> Option<bool> {
    let case = leaf.case();
    let equal = |one: &Value| {
        one.as_str().is_some_and(|one| one == name || (case.is_ignored() && text_fold::eq(one, name)))
    };
    match (leaf.op.node, &value.kind) {
        (_, Kind::Null) => None,
        (Op::Eq, _) => Some(equal(value)),
        (Op::Ne, _) => Some(!equal(value)),
        (Op::In, Kind::Seq(items)) => Some(items.iter().any(equal)),
        (op, _) => text::result(op, case, value, name),
    }
}
