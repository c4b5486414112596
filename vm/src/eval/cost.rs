//! What a predicate about a node costs: steps in proportion to its time, so that a decision ends in time whatever it
//! does with its values.

use crate::event::Item;
use crate::op::Op;

/// Bytes of text that are compared or searched in one step.
const TEXT: usize = 16;
/// Bytes of text that a pattern matches in one step. The slowest patterns need ten times as long as a search.
const PATTERN: usize = 2;
/// Steps for a byte of an array that is searched: its elements are read and compared one by one.
const SEARCH: usize = 2;

/// The steps of a predicate about two values.
pub(super) fn steps(op: Op, left: Item<'_>, right: Item<'_>) -> usize {
    let (a, b) = (length(left), length(right));
    match op {
        Op::InSlot | Op::InSlotFold => b.saturating_mul(SEARCH).saturating_add(a / TEXT),
        Op::Contains | Op::ContainsFold | Op::ContainsSlot | Op::ContainsSlotFold
            if matches!(left, Item::Array(_)) =>
        {
            a.saturating_mul(SEARCH).saturating_add(b / TEXT)
        }
        // The canonical texts of both are made.
        Op::Eq | Op::EqFold | Op::EqSlot | Op::EqSlotFold | Op::In | Op::InFold
            if is_container(left) || is_container(right) =>
        {
            if is_container(left) && (is_container(right) || matches!(op, Op::In | Op::InFold)) {
                a.saturating_add(b)
            } else {
                0
            }
        }
        Op::Regex | Op::RegexFold => a / PATTERN,
        _ => a.saturating_add(b) / TEXT,
    }
}

/// The steps of looking a value up among hashed elements.
pub(super) fn lookup(item: Item<'_>) -> usize {
    match item {
        Item::Array(text) | Item::Object(text) => text.len(),
        _ => (length(item) / TEXT).saturating_add(1),
    }
}

fn is_container(item: Item<'_>) -> bool {
    matches!(item, Item::Array(_) | Item::Object(_))
}

/// Bytes of the text of a value.
fn length(item: Item<'_>) -> usize {
    match item {
        Item::Num(text) | Item::Str(text) | Item::Array(text) | Item::Object(text) => text.len(),
        Item::Absent | Item::Null | Item::Bool(_) => 0,
    }
}
