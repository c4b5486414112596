//! Tools that an `allow` excludes no file of, because they name it in another input (W0655):
//! `not tool_input.file_path starts_with '/etc/'` is true for each `Grep`, which has `path`.

use hookc_schema::tree::{Cond, CondKind, Leaf, Op, Path, Quantifier};
use hookc_schema::{Code, Diagnostic};

use super::input::{input, without};
use super::member::listed_all;
use super::set::ToolSet;
use super::{Narrowed, Place, Table, vain};
use crate::fields::PATHS;

/// Reports the first test that is true for a named tool whatever file it names.
pub(in crate::check) fn check(cond: &Cond, narrowed: &Narrowed, table: &mut Table<'_>) -> Option<Diagnostic> {
    let named = vain::named(cond, true, table) & narrowed.whole().known() & table.all();
    let mut unread = named;
    read(cond, &mut |path| {
        unread &= input(path).map_or(0, |name| without(&name, table));
    });
    let found = find(cond, false, narrowed.place(), &|path, tools| of_path(path, tools & unread, table))?;
    Some(report(&found))
}

/// Calls `each` with the paths that lead into the input of the tool. The recursion depth is the nesting.
fn read<'c>(cond: &'c Cond, each: &mut impl FnMut(&'c Path)) {
    match &cond.kind {
        CondKind::Const(_) | CondKind::Predicate(_) => {}
        CondKind::All(parts) | CondKind::Any(parts) => parts.iter().for_each(|part| read(part, each)),
        CondKind::Not(part) => read(part, each),
        CondKind::Leaf(leaf) if leaf.path.is_in("tool_input") => each(&leaf.path),
        CondKind::Leaf(_) => {}
        CondKind::Quantified(inner) => {
            if inner.path.is_in("tool_input") {
                each(&inner.path);
            }
            read(&inner.cond, each);
        }
    }
}

/// A test that is true because a tool does not have its input.
struct Found<'c, 't> {
    path: &'c Path,
    tools: Vec<&'t str>,
    /// The inputs with which they name a file.
    inputs: Vec<&'static str>,
}

/// The first test that is true for an absent value, of those for which `of` gives something. The recursion depth is
/// the nesting.
fn find<'c, T>(
    cond: &'c Cond,
    negated: bool,
    place: Place<'_>,
    of: &impl Fn(&'c Path, u128) -> Option<T>,
) -> Option<T> {
    let here = |path: &'c Path| of(path, place.tools().known());
    match &cond.kind {
        CondKind::Const(_) | CondKind::Predicate(_) => None,
        CondKind::All(parts) | CondKind::Any(parts) => {
            let places = place.parts(matches!(cond.kind, CondKind::All(_)), parts.len());
            parts.iter().zip(places).find_map(|(part, place)| find(part, negated, place, of))
        }
        CondKind::Not(part) => find(part, !negated, place.inner(), of),
        CondKind::Leaf(leaf) => here(&leaf.path).filter(|_| is_true_without(leaf, negated)),
        CondKind::Quantified(inner) => {
            let every = inner.quantifier == Quantifier::Every;
            here(&inner.path).filter(|_| every != negated)
        }
    }
}

/// Whether a leaf excludes values, and is true for an absent one.
pub(super) fn is_true_without(leaf: &Leaf, negated: bool) -> bool {
    leaf.op.node != Op::Exists && leaf.if_absent().is_some_and(|value| value != negated)
}

fn of_path<'c, 't>(path: &'c Path, tools: u128, table: &Table<'t>) -> Option<Found<'c, 't>> {
    let name = input(path).filter(|name| PATHS.contains(&name.as_str()))?;
    let tools = tools & without(&name, table);
    let mut found = Found { path, tools: Vec::new(), inputs: Vec::new() };
    for (index, (tool, declared)) in table.tools.iter().enumerate() {
        let has = |name: &&&str| declared.input.as_ref().is_some_and(|input| input.property(name).is_some());
        let Some(other) = PATHS.iter().find(has).filter(|_| tools & ToolSet::bit(index) != 0) else {
            continue;
        };
        found.tools.push(tool);
        if !found.inputs.contains(other) {
            found.inputs.push(other);
        }
    }
    (!found.tools.is_empty()).then_some(found)
}

fn report(found: &Found<'_, '_>) -> Diagnostic {
    let tools = listed_all(&found.tools);
    let path = found.path.source();
    let name = input(path).unwrap_or_default();
    let what = format!("this allows {tools} for every file");
    let new = Diagnostic::new(Code::W0655, found.path.span, what).with_label("true if it is absent");
    let have = if found.tools.len() == 1 { "has" } else { "have" };
    let inputs: Vec<String> = found.inputs.iter().map(|input| format!("`{input}`")).collect();
    let new = new.note(format!("{tools} {have} no input `{name}`, but {}", inputs.join(" or ")));
    let others: Vec<String> = found.inputs.iter().map(|input| format!("`tool_input.{input}`")).collect();
    new.help(format!(
        "exclude the same of {} too, with `and`, or allow {tools} in a hook of its own",
        others.join(" and ")
    ))
}
