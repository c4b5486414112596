//! Inputs of tools that a condition reads.

use hookc_schema::tree::{Path, PathKind, Step};
use hookc_schema::vocab::ToolField;

use super::Table;
use super::set::ToolSet;

/// The input of the tool at which a path starts.
pub(crate) fn input(path: &Path) -> Option<String> {
    let steps = match &path.source().kind {
        PathKind::Short(steps) => steps.to_vec(),
        PathKind::Query(query) => query.prefix().0,
        PathKind::View(_) | PathKind::Recall(_) => return None,
    };
    match steps.as_slice() {
        [Step::Name(root), Step::Name(name), ..] if root == "tool_input" => Some(name.clone()),
        _ => None,
    }
}

/// The declared tools without an input of this name.
pub(crate) fn without(name: &str, table: &Table<'_>) -> u128 {
    without_member(ToolField::Input, name, table)
}

/// The declared tools whose response is declared, without a member of this name.
pub(crate) fn without_response(name: &str, table: &Table<'_>) -> u128 {
    without_member(ToolField::Response, name, table)
}

fn without_member(part: ToolField, name: &str, table: &Table<'_>) -> u128 {
    let has_not = |index: usize| {
        let schema = table.tools.get(index).and_then(|(_, tool)| tool.field(part));
        schema.is_some_and(|schema| schema.property(name).is_none())
    };
    (0..table.tools.len()).filter(|index| has_not(*index)).fold(0, |tools, index| tools | ToolSet::bit(index))
}
