//! Denials that are also true of events without the field (W0671): `tool_input.file_path != '/srv/x'` is true of each
//! tool without that input, `agent_type != 'builder'` of the main agent.

use hookc_schema::tree::{Cond, CondPart, Demand, Leaf, Path, Step};
use hookc_schema::vocab::{EventType, FieldSchema};
use hookc_schema::{Code, Diagnostic};

use super::other_input::is_true_without;
use super::without_effect::{SharedResults, possible};
use crate::lint::guards::is_about_lines;
use crate::names::listed;
use crate::tools::input::{input, without, without_response};
use crate::tools::{Narrowed, Table, ToolSet};

/// The most parts of a group that are compared with each other.
const PARTS: usize = 64;

/// What is known at a part of a condition.
#[derive(Clone, Copy)]
struct At<'c, 'n> {
    /// The declared tools for which the other parts can be true.
    tools: u128,
    /// The groups around it whose parts must all be true.
    groups: Option<&'n Groups<'c, 'n>>,
}

struct Groups<'c, 'n> {
    group: CondPart<'c>,
    outer: Option<&'n Groups<'c, 'n>>,
}

/// Reports the first test in the condition of a denial that is true because its field is absent.
pub(super) fn check(
    cond: &Cond,
    narrowed: &Narrowed,
    event: &EventType,
    table: &mut Table<'_>,
    known: &mut SharedResults,
) -> Option<Diagnostic> {
    let tools = table.all() & narrowed.whole().known();
    find(cond.whole(), At { tools, groups: None }, event, table, known)
}

/// The recursion depth is the nesting.
fn find<'c>(
    part: CondPart<'c>,
    at: At<'c, '_>,
    event: &EventType,
    table: &mut Table<'_>,
    known: &mut SharedResults,
) -> Option<Diagnostic> {
    if let Some(path) = part.path() {
        let is_meant = !is_true_without(part) || is_about_lines(path, part.leaf());
        return if is_meant { None } else { report(path, at, event, table) };
    }
    let parts: Vec<_> = part.parts().collect();
    if !matches!(part.demand(), Demand::All) || parts.len() > PARTS {
        return parts.into_iter().find_map(|part| find(part, at, event, table, known));
    }
    let groups = Groups { group: part, outer: at.groups };
    parts.iter().enumerate().find_map(|(index, part)| {
        let others = parts.iter().enumerate().filter(|(other, _)| *other != index);
        let tools = others.fold(at.tools, |tools, (_, other)| tools & possible(*other, table, known));
        find(*part, At { tools, groups: Some(&groups) }, event, table, known)
    })
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
            if let [Step::Name(root), Step::Name(name), ..] = &*steps
                && root == "tool_response"
            {
                let names = table.names_in(ToolSet::declared(at.tools & without_response(name, table)));
                let note = format!("the responses of {} have no `{name}`", listed(&names));
                return (!names.is_empty()).then(|| new(path, &format!("{root}.{name}"), note));
            }
            let Step::Name(root) = steps.first()? else { return None };
            let (field, when) = sometimes(&event.schema, &steps)?;
            let is_present = at.groups.is_some_and(|groups| groups.require(root)) || at.tools == 0;
            (!is_present).then(|| (field, format!("an event has it only {when}")))?
        }
    };
    Some(new(path, &field, note))
}

/// The first field on the way of a path that not each event has, and which events have it.
fn sometimes<'s>(schema: &'s FieldSchema, steps: &[Step]) -> Option<(String, &'s str)> {
    let (mut here, mut field) = (schema, String::new());
    for step in steps {
        let Step::Name(name) = step else { return None };
        here = here.property(name)?;
        let dot = if field.is_empty() { "" } else { "." };
        field = format!("{field}{dot}{name}");
        if let Some(when) = &here.when {
            return Some((field, when));
        }
    }
    None
}

fn new(path: &Path, field: &str, note: String) -> Diagnostic {
    let what = format!("this is also true of events without `{field}`");
    let new = Diagnostic::new(Code::W0671, path.span, what).with_label("true if it is absent").note(note);
    new.help(format!("if they are not meant, add `exists({field})` with `and`"))
}

impl Groups<'_, '_> {
    /// Whether one of the parts is certainly not true without a field.
    fn require(&self, field: &str) -> bool {
        self.group.parts().any(|part| requires(part, field))
            || self.outer.is_some_and(|outer| outer.require(field))
    }
}

/// Whether a part is certainly not what it must be without a field. The recursion depth is the nesting.
fn requires(part: CondPart<'_>, field: &str) -> bool {
    match part.demand() {
        Demand::Leaf(leaf) => is_at(leaf, field) && leaf.if_absent() == Some(part.negated),
        Demand::All | Demand::Not => part.parts().any(|part| requires(part, field)),
        Demand::Any => part.parts().all(|part| requires(part, field)),
        _ => false,
    }
}

fn is_at(leaf: &Leaf, field: &str) -> bool {
    let steps = leaf.path.source().singular();
    matches!(steps.as_deref(), Some([Step::Name(name), ..]) if name == field)
}
