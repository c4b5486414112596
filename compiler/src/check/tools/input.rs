//! Inputs of tools that a condition reads.

use hookc_schema::tree::{Leaf, Op, Path, PathKind, Right, Step};
use hookc_schema::value::{Kind, Value};

use super::Table;
use super::set::ToolSet;

/// The input of the tool at which a path starts.
pub(super) fn input(path: &Path) -> Option<String> {
    let steps = match &path.source().kind {
        PathKind::Short(steps) => steps.to_vec(),
        PathKind::Query(query) => query.prefix().0,
        PathKind::View(_) => return None,
    };
    match steps.as_slice() {
        [Step::Name(root), Step::Name(name), ..] if root == "tool_input" => Some(name.clone()),
        _ => None,
    }
}

/// The declared tools without an input of this name.
pub(super) fn without(name: &str, table: &Table<'_>) -> u128 {
    let has_not = |index: usize| {
        let input = table.tools.get(index).and_then(|(_, tool)| tool.input.as_ref());
        input.is_some_and(|input| input.property(name).is_none())
    };
    (0..table.tools.len()).filter(|index| has_not(*index)).fold(0, |all, index| all | ToolSet::bit(index))
}

/// The result of a leaf for an absent value, if that is certain.
pub(crate) fn absent(leaf: &Leaf) -> Option<bool> {
    let null = |value: &Value| value.kind == Kind::Null;
    match (leaf.op.node, &leaf.right) {
        (Op::Exists, Right::Value(value)) => Some(value.kind == Kind::Bool(false)),
        (Op::Exists, _) => Some(false),
        (Op::Matches, _) => Some(false),
        (_, Right::None) => None,
        (Op::Eq | Op::Ne | Op::In, Right::Path(_)) => None,
        (Op::Eq | Op::Contains, Right::Value(value)) => (!null(value)).then_some(false),
        (Op::Ne, Right::Value(value)) => (!null(value)).then_some(true),
        (Op::In, Right::Value(value)) => match &value.kind {
            Kind::Seq(items) => (!items.iter().any(null)).then_some(false),
            _ => None,
        },
        _ => Some(false),
    }
}
