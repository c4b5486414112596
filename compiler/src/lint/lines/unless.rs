//! Denials of lines without a certain command: `not some(c in ...: c.name == 'git')`. A line with
//! that command and others evades them.

use foldhash::HashMap;
use hookc_schema::tree::{
    Cond, CondKind, Leaf, Op, Quantified, Quantifier, Segment, Selector, SharedId, View,
};

use super::part_of_line::is_start;
use super::paths::{commands_of, is_absence};

/// What is known about conditions that several hooks share, and whether they are negated.
pub(super) type Known<'h> = HashMap<(SharedId, bool), Unless<'h>>;

/// The exception of a denial.
#[derive(Clone, Copy, Default)]
pub(super) struct Unless<'h> {
    /// The first test that one command makes false.
    pub(super) exception: Option<Exception<'h>>,
    /// Whether the condition requires a certain command: the denial is about lines with it.
    about: bool,
}

/// A test that is false for each line with a certain command.
#[derive(Clone, Copy)]
pub(super) enum Exception<'h> {
    /// A quantifier over the commands.
    Quantified(&'h Quantified),
    /// A test of a path into the commands.
    Path(&'h Leaf, &'h View),
    /// The start of the text.
    Text(&'h Leaf),
}

/// The recursion depth is the nesting of the condition.
pub(super) fn find<'h>(cond: &'h Cond, negated: bool, known: &mut Known<'h>) -> Unless<'h> {
    let key = cond.shared().map(|id| (id, negated));
    if let Some(found) = key.and_then(|key| known.get(&key)) {
        return *found;
    }
    let found = match &cond.kind {
        CondKind::Const(_) | CondKind::Predicate(_) => Unless::default(),
        CondKind::All(parts) => of_group(parts, negated, !negated, known),
        CondKind::Any(parts) => of_group(parts, negated, negated, known),
        CondKind::Not(part) => find(part, !negated, known),
        CondKind::Leaf(leaf) => of_leaf(leaf, negated),
        CondKind::Quantified(inner) => of_quantified(inner, negated),
    };
    known.extend(key.map(|key| (key, found)));
    found
}

/// `all` is whether every part must have its result.
fn of_group<'h>(parts: &'h [Cond], negated: bool, all: bool, known: &mut Known<'h>) -> Unless<'h> {
    let parts: Vec<Unless<'h>> = parts.iter().map(|part| find(part, negated, known)).collect();
    let about = if all { parts.iter().any(|part| part.about) } else { parts.iter().all(|part| part.about) };
    let exception = parts.iter().filter(|_| !(all && about)).find_map(|part| part.exception);
    Unless { exception, about }
}

fn of_quantified(inner: &Quantified, negated: bool) -> Unless<'_> {
    if commands_of(&inner.path).is_none() {
        return Unless::default();
    }
    match (inner.quantifier == Quantifier::Every) == negated {
        true => Unless { about: true, exception: None },
        false => Unless { about: false, exception: Some(Exception::Quantified(inner)) },
    }
}

fn of_leaf(leaf: &Leaf, negated: bool) -> Unless<'_> {
    let negated = negated != (leaf.op.node == Op::Ne || is_absence(leaf));
    let commands = commands_of(&leaf.path);
    let text = leaf.path.is_command_line() && leaf.op.node != Op::Exists;
    match (commands, negated) {
        (Some((_, view)), _) if leaf.op.node == Op::Exists && !selects(view) => Unless::default(),
        (Some((_, view)), true) => Unless { about: false, exception: Some(Exception::Path(leaf, view)) },
        (Some(_), false) => Unless { about: true, exception: None },
        (None, true) => {
            let exception = Some(leaf).filter(|leaf| text && is_start(leaf)).map(Exception::Text);
            Unless { about: false, exception }
        }
        (None, false) => Unless { about: text, exception: None },
    }
}

/// Whether a path leads to members of commands, or to some of the commands.
fn selects(view: &View) -> bool {
    let all = |selector: &Selector| matches!(selector, Selector::Index(_) | Selector::Wildcard);
    view.rest.segments.iter().skip(1).any(|segment| match segment {
        Segment::Child(selectors) | Segment::Descendant(selectors) => !selectors.iter().all(all),
    })
}
