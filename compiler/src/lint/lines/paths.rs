//! What leaves and paths are about: commands of a line, absent values.

use hookc_schema::tree::{Leaf, Op, Path, Right, Segment, Selector, View, ViewKind};
use hookc_schema::value::Kind;

/// Whether a path into commands is about one at a position.
pub(super) fn is_nth(view: &View) -> bool {
    matches!(view.rest.segments.get(1), Some(Segment::Child(second)) if matches!(second.as_slice(), [Selector::Index(_)]))
}

/// A path to commands of a line, or into them, and its view.
pub(super) fn commands_of(path: &Path) -> Option<(&Path, &View)> {
    let view = path.view(ViewKind::Shell)?;
    let Some(Segment::Child(first)) = view.rest.segments.first() else { return None };
    let is_commands = matches!(first.as_slice(), [Selector::Name(name)] if name == "commands");
    is_commands.then_some((path, view))
}

/// Whether a leaf is true for an absent value only.
pub(super) fn is_absence(leaf: &Leaf) -> bool {
    leaf.op.node == Op::Exists
        && matches!(&leaf.right, Right::Value(value) if value.kind == Kind::Bool(false))
}
