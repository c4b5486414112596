//! Tools that an `allow` excludes no file of, because they name it in another input (W0655):
//! `not tool_input.file_path starts_with '/etc/'` is true for each `Grep`, which has `path`.

use hookc_schema::tree::{Cond, CondPart, Demand, Op, Path};
use hookc_schema::{Code, Diagnostic};

use super::without_effect::{SharedResults, named};
use crate::fields::PATHS;
use crate::names::listed_all;
use crate::tools::input::{input, without};
use crate::tools::narrow::find;
use crate::tools::{Narrowed, Table, ToolSet};

/// Reports the first test that is true for a named tool whatever file it names.
pub(super) fn check(
    cond: &Cond,
    narrowed: &Narrowed,
    table: &Table<'_>,
    known: &mut SharedResults,
) -> Option<Diagnostic> {
    let named = named(cond, table, known) & narrowed.whole().known() & table.all();
    let paths = cond.walk().filter_map(CondPart::path).filter(|path| path.is_in("tool_input"));
    let unread =
        paths.fold(named, |unread, path| unread & input(path).map_or(0, |name| without(&name, table)));
    let found = find(cond.whole(), narrowed.place(), &|part, path, tools| {
        if is_true_without(part) { in_other_input(path, tools.known() & unread, table) } else { None }
    })?;
    Some(report(&found))
}

/// A test that is true because a tool does not have its input.
struct Found<'c, 't> {
    path: &'c Path,
    tools: Vec<&'t str>,
    /// The inputs with which they name a file.
    inputs: Vec<&'static str>,
}

/// Whether a part excludes values, and is true for an absent one.
pub(super) fn is_true_without(part: CondPart<'_>) -> bool {
    match part.demand() {
        Demand::Leaf(leaf) => leaf.op.node != Op::Exists && leaf.if_absent() == Some(!part.negated),
        Demand::Every(_) => true,
        _ => false,
    }
}

fn in_other_input<'c, 't>(path: &'c Path, tools: u128, table: &Table<'t>) -> Option<Found<'c, 't>> {
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
