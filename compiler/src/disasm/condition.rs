//! Reconstructs the condition of a hook as a tree from its short-circuit code. Negations are at the
//! tests: `not (a or b)` becomes `not a and not b`.
//!
//! The code of a condition is a sequence of tests, each with two targets, one of which is the next
//! row. Two neighbours form a group if the second is only reached from the first and they share a
//! target: `and` if the second is reached when the first is true, otherwise `or`. One pass with a
//! stack finds all groups.

use hookc_vm::format::op::Op;
use hookc_vm::format::{HookTest, Tables};

/// A condition; parts in the order in which they are tested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    /// It has no tests.
    Const(bool),
    /// A predicate, or its negation.
    Test {
        /// Its row.
        pred: u32,
        /// Whether it is negated.
        negated: bool,
    },
    /// All are true.
    All(Vec<Tree>),
    /// One is true.
    Any(Vec<Tree>),
}

/// A tree with negations and other blocks in it.
#[derive(Debug)]
enum Raw {
    Pred(u32),
    Block(u32),
    Not(Box<Raw>),
    All(Vec<Raw>),
    Any(Vec<Raw>),
}

/// A part of a block with its targets.
#[derive(Debug)]
struct Node {
    tree: Raw,
    /// Its first row.
    start: usize,
    yes: usize,
    no: usize,
}

/// The end of a block: after all rows.
const YES: usize = usize::MAX;
const NO: usize = usize::MAX - 1;

/// What a hook tests as a tree; `None` as for [`tree`].
#[must_use]
pub(crate) fn tree_of_hook(tables: &Tables<'_>, test: HookTest, most: usize) -> Option<Tree> {
    match test {
        HookTest::Cond(cond) => tree(tables, cond, most),
        HookTest::Pred(pred) => (most > 0).then_some(Tree::Test { pred, negated: false }),
    }
}

/// The condition of block `cond` as a tree; `None` for one of more than `most`
/// tests, and for code that no condition becomes.
#[must_use]
pub fn tree(tables: &Tables<'_>, cond: u32, most: usize) -> Option<Tree> {
    let mut left = most;
    block(tables, cond, false, &mut left)
}

fn block(tables: &Tables<'_>, cond: u32, negated: bool, left: &mut usize) -> Option<Tree> {
    let rows = tables.block(cond);
    match rows.first().map(|row| (Op::from_number(row.op), row.b.get() as usize)) {
        None | Some((Some(Op::Yes), _)) => return Some(Tree::Const(!negated)),
        Some((Some(Op::No), _)) => return Some(Tree::Const(negated)),
        Some((Some(Op::Jump), to)) if to > rows.len() => return Some(Tree::Const(negated)),
        Some(_) => {}
    }
    normal(tables, raw(tables, cond)?, negated, left)
}

/// The recursion is as deep as conditions nest, which the verifier bounds.
fn normal(tables: &Tables<'_>, raw: Raw, negated: bool, left: &mut usize) -> Option<Tree> {
    let (is_all, parts) = match raw {
        Raw::Pred(pred) => {
            *left = left.checked_sub(1)?;
            return Some(Tree::Test { pred, negated });
        }
        Raw::Block(cond) => return block(tables, cond, negated, left),
        Raw::Not(inner) => return normal(tables, *inner, !negated, left),
        Raw::All(parts) => (!negated, parts),
        Raw::Any(parts) => (negated, parts),
    };
    let mut flat = Vec::new();
    for part in parts {
        match normal(tables, part, negated, left)? {
            Tree::All(inner) if is_all => flat.extend(inner),
            Tree::Any(inner) if !is_all => flat.extend(inner),
            other => flat.push(other),
        }
    }
    Some(if is_all { Tree::All(flat) } else { Tree::Any(flat) })
}

fn raw(tables: &Tables<'_>, cond: u32) -> Option<Raw> {
    let rows = tables.block(cond);
    let end = |at: usize| match rows.get(at).map(|row| Op::from_number(row.op)) {
        Some(Some(Op::Yes)) => YES,
        Some(Some(Op::No) | None) => NO,
        Some(_) => at,
        None if at == rows.len() => YES,
        None => NO,
    };
    let mut stack: Vec<Node> = Vec::new();
    // By row, how many parts on the stack continue there.
    let mut ways = vec![0_u32; rows.len()];
    for (start, row) in rows.iter().enumerate() {
        let (a, to) = (row.a.get(), end(row.b.get() as usize));
        let next = end(start.saturating_add(1));
        let (tree, yes, no) = match Op::from_number(row.op)? {
            Op::IfPred | Op::IfBound => (Raw::Pred(a), to, next),
            Op::UnlessPred | Op::UnlessBound => (Raw::Pred(a), next, to),
            Op::IfCond | Op::IfBoundCond => (Raw::Block(a), to, next),
            Op::UnlessCond | Op::UnlessBoundCond => (Raw::Block(a), next, to),
            Op::Yes | Op::No => break,
            _ => return None,
        };
        stack.push(Node { tree, start, yes, no });
        count(&mut ways, yes, 1);
        count(&mut ways, no, 1);
        while let Some(joined) = join(&mut stack, &mut ways) {
            stack.push(joined);
        }
    }
    let Node { tree, yes, no, .. } = stack.pop().filter(|_| stack.is_empty())?;
    match (yes, no) {
        (YES, NO) => Some(tree),
        (NO, YES) => Some(Raw::Not(Box::new(tree))),
        _ => None,
    }
}

fn count(ways: &mut [u32], to: usize, by: i32) {
    if let Some(ways) = ways.get_mut(to) {
        *ways = ways.saturating_add_signed(by);
    }
}

/// The two last parts as one, if they are a group.
fn join(stack: &mut Vec<Node>, ways: &mut [u32]) -> Option<Node> {
    let [.., first, second] = stack.as_slice() else { return None };
    let is_all = first.yes == second.start;
    let away = if is_all { first.no } else { first.yes };
    let reached = is_all || first.no == second.start;
    let alone = ways.get(second.start) == Some(&1);
    if !reached || !alone || away == second.start || (away != second.yes && away != second.no) {
        return None;
    }
    let (second, first) = (stack.pop()?, stack.pop()?);
    count(ways, second.start, -1);
    count(ways, away, -1);
    // `and` leaves for where the second is false, `or` for where it is true.
    let turned = away == if is_all { second.yes } else { second.no };
    let (tree, yes, no) = match turned {
        true => (Raw::Not(Box::new(second.tree)), second.no, second.yes),
        false => (second.tree, second.yes, second.no),
    };
    let parts = match (first.tree, is_all) {
        (Raw::All(mut parts), true) | (Raw::Any(mut parts), false) => {
            parts.push(tree);
            parts
        }
        (other, _) => vec![other, tree],
    };
    let tree = if is_all { Raw::All(parts) } else { Raw::Any(parts) };
    Some(Node { tree, start: first.start, yes, no })
}
