//! Quantifiers as they would be written. A module has no names for their nodes: the outermost is
//! `x`, the next one `y`.

use hookc_vm::format::op::{Op, Operand};
use hookc_vm::format::{NONE, Row, Segment, SegmentTag, Selector, SelectorForm};

use super::condition::{Tree, tree};
use super::describe::Names;
use crate::plan::infix;

/// Tests of a quantifier's condition, inner ones included, that are printed: conditions can share
/// others, so that a printed one could be far larger than its module.
const TESTS: usize = 64;

/// The position of a test.
struct At {
    /// The quantifiers around it.
    depth: u32,
    /// The tests that can still be printed.
    left: usize,
}

impl Names<'_> {
    /// A quantifier over nodes of the event: as `some`, or negated as `every`.
    pub(super) fn quantifier(&self, pred: u32, negated: bool) -> String {
        self.test(pred, negated, &mut At { depth: 0, left: TESTS })
    }

    /// A test of the condition of a quantifier, which is negated for `every`.
    pub(crate) fn in_quantifier(&self, some: u32, test: u32, negated: bool) -> Option<String> {
        let row = self.tables.preds.get(some as usize)?;
        let is_negated = polarity(&tree(&self.tables, row.b.get(), TESTS)?, test)?;
        Some(self.test(test, is_negated != negated, &mut At { depth: 1, left: TESTS }))
    }

    fn test(&self, pred: u32, negated: bool, at: &mut At) -> String {
        let row = self.tables.preds.get(pred as usize);
        let Some((row, op)) = row.and_then(|row| Some((row, Op::from_number(row.op)?))) else {
            return format!("p{pred}");
        };
        let Some(left) = at.left.checked_sub(1) else { return "...".to_owned() };
        at.left = left;
        if op == Op::Some {
            return self.some(row, negated, at);
        }
        if op == Op::Recalled {
            return self.test(row.a.get(), negated, at);
        }
        if op == Op::Past {
            let text = self.recall(row.a.get(), at.depth);
            return if negated { format!("not {text}") } else { text };
        }
        if matches!(op, Op::Any | Op::Acts) {
            return if negated { self.negation(pred) } else { self.predicate(pred) };
        }
        let left = self.operand(row.a.get(), at.depth);
        let right = match op.operands().1 {
            Operand::Slot => self.operand(row.b.get(), at.depth),
            kind => self.right(kind, row.b.get()),
        };
        let text = infix(op, &left, &right);
        match (negated, op) {
            (false, _) => text,
            (true, Op::Eq | Op::EqFold | Op::EqSlot | Op::EqSlotFold) => {
                text.replacen(&format!("{left} =="), &format!("{left} !="), 1)
            }
            (true, _) => format!("not {text}"),
        }
    }

    fn some(&self, row: &Row, negated: bool, at: &mut At) -> String {
        let nodes = self.nodes(row.a.get(), at.depth);
        let name = name(at.depth);
        at.depth += 1;
        let body = match tree(&self.tables, row.b.get(), TESTS) {
            Some(tree) => self.body(&tree, negated, None, at),
            None => "...".to_owned(),
        };
        at.depth -= 1;
        let word = if negated { "every" } else { "some" };
        format!("{word}({name} in {nodes}: {body})")
    }

    /// A condition, negated or not, in a group of `and` (`true`), `or`, or alone.
    fn body(&self, tree: &Tree, negated: bool, inside: Option<bool>, at: &mut At) -> String {
        let (is_all, parts) = match tree {
            Tree::Const(value) => return (*value != negated).to_string(),
            Tree::Test { pred, negated: own } => return self.test(*pred, *own != negated, at),
            Tree::All(parts) => (!negated, parts),
            Tree::Any(parts) => (negated, parts),
        };
        let parts: Vec<String> =
            parts.iter().map(|part| self.body(part, negated, Some(is_all), at)).collect();
        let text = parts.join(if is_all { " and " } else { " or " });
        if inside.is_some_and(|inside| inside != is_all) { format!("({text})") } else { text }
    }

    /// A whole condition.
    pub(super) fn whole(&self, tree: &Tree) -> String {
        self.body(tree, false, None, &mut At { depth: 0, left: TESTS })
    }

    /// The path of a slot of a predicate.
    pub(super) fn operand(&self, slot: u32, depth: u32) -> String {
        match slot.checked_sub(self.tables.slots) {
            None => self.slot(slot),
            Some(_) if self.recall_of(slot).is_some() => self.slot(slot),
            Some(bound) => self.below(bound, depth),
        }
    }

    /// The path of the nodes of a quantifier; without the step to all children of a value.
    fn nodes(&self, bound: u32, depth: u32) -> String {
        let Some(row) = self.tables.bounds.get(bound as usize) else { return format!("u{bound}") };
        let query = self.tables.queries.get(row.query.get() as usize);
        let children = query.is_some_and(|query| {
            let segments = self.tables.segments_of(query);
            let wildcard = |at: &Segment| {
                let is_wildcard = |one: &Selector| one.form() == Some(SelectorForm::Wildcard);
                let child = at.kind() == Some(SegmentTag::Child);
                child && matches!(self.tables.selectors_of(at), [one] if is_wildcard(one))
            };
            matches!(segments, [one] if wildcard(one))
        });
        match (row.up.get(), query) {
            (NONE, Some(query)) if children => self.slot(query.slot.get()),
            (NONE, _) => self.query(row.query.get()),
            _ => {
                let path = self.below(bound, depth);
                path.strip_suffix(".*")
                    .or_else(|| path.strip_suffix("[*]"))
                    .map_or(path.clone(), str::to_owned)
            }
        }
    }

    /// A path that starts at a bound node.
    fn below(&self, bound: u32, depth: u32) -> String {
        let Some(row) = self.tables.bounds.get(bound as usize) else { return format!("u{bound}") };
        let from = depth.saturating_sub(1).saturating_sub(row.up.get());
        let path = self.query(row.query.get());
        format!("{}{}", name(from), path.strip_prefix('@').unwrap_or(&path))
    }
}

/// Whether a test is negated in a condition; `None` if the condition does not have it.
fn polarity(tree: &Tree, test: u32) -> Option<bool> {
    match tree {
        Tree::Const(_) => None,
        Tree::Test { pred, negated } => (*pred == test).then_some(*negated),
        Tree::All(parts) | Tree::Any(parts) => parts.iter().find_map(|part| polarity(part, test)),
    }
}

/// The name of the node that the quantifier at a depth binds.
pub(crate) fn name(depth: u32) -> String {
    match depth {
        0 => "x".to_owned(),
        1 => "y".to_owned(),
        2 => "z".to_owned(),
        _ => format!("x{depth}"),
    }
}
