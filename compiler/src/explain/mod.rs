//! Explains why a condition is true or false: its tree with the result of each part at an event,
//! computed by the same code as the decision, so both agree.

mod commands;
mod effects;
mod file;
mod report;
mod spelling;

pub use report::Report;
pub use spelling::Spelling;

use hookc_vm::DecideError;
use hookc_vm::format::{Tables, ViewKind};
use hookc_vm::trace::{Deciding, Probe};

use crate::disasm::condition::{Tree, tree_of_hook};
use crate::disasm::describe::Names;
use crate::limits;

/// A part of a condition, with its result.
#[derive(Clone, Debug)]
pub struct Part {
    /// Whether it is true; `None` if the decision did not need it.
    pub outcome: Option<bool>,
    /// Its kind.
    pub kind: Kind,
}

/// The kind of a [`Part`].
#[derive(Clone, Debug)]
pub enum Kind {
    /// `true` or `false`.
    Const,
    /// A test.
    Test {
        /// As a leaf of a `when` expression.
        text: String,
        /// The values that it read, if it was evaluated.
        read: Option<Box<Deciding>>,
        /// The path of the right operand, if there is one.
        other: Option<String>,
        /// Whether it is `every`: the matching nodes are counterexamples.
        every: bool,
        /// The views that it read, as JSON.
        views: Vec<(ViewKind, String)>,
        /// Of a quantifier, by node, the test that determined its condition, and whether it is true.
        decided_by: Vec<Option<(String, bool)>>,
    },
    /// All of these.
    All(Vec<Part>),
    /// One of these.
    Any(Vec<Part>),
}

/// The condition of the hook of `rank` over the probed event; `None` if it has more
/// than [`limits::EXPLAINED_TESTS`] tests.
///
/// # Errors
/// A pattern could not be built, or a limit was reached.
pub fn condition(
    tables: &Tables<'_>,
    names: &Names<'_>,
    probe: &mut Probe<'_>,
    rank: u32,
) -> Result<Option<Part>, DecideError> {
    let found = probe.condition(rank).and_then(|test| tree_of_hook(tables, test, limits::EXPLAINED_TESTS));
    found.map(|tree| part(&tree, true, names, probe)).transpose()
}

/// The recursion is as deep as conditions nest.
fn part(tree: &Tree, needed: bool, names: &Names<'_>, probe: &mut Probe<'_>) -> Result<Part, DecideError> {
    let (is_all, inner) = match tree {
        Tree::Const(value) => return Ok(Part { outcome: needed.then_some(*value), kind: Kind::Const }),
        Tree::Test { pred, negated } => return test(*pred, *negated, needed, names, probe),
        Tree::All(inner) => (true, inner),
        Tree::Any(inner) => (false, inner),
    };
    let (mut open, mut parts) = (needed, Vec::new());
    for inner in inner {
        let part = part(inner, open, names, probe)?;
        open &= part.outcome != Some(!is_all);
        parts.push(part);
    }
    let outcome = needed.then_some(open == is_all);
    Ok(Part { outcome, kind: if is_all { Kind::All(parts) } else { Kind::Any(parts) } })
}

fn test(
    pred: u32,
    negated: bool,
    needed: bool,
    names: &Names<'_>,
    probe: &mut Probe<'_>,
) -> Result<Part, DecideError> {
    let text = if negated { names.negation(pred) } else { names.predicate(pred) };
    let read = if needed { probe.test(pred)?.map(Box::new) } else { None };
    let outcome = read.as_ref().map(|read| read.holds != negated);
    let mut views: Vec<(ViewKind, String)> = Vec::new();
    for slot in names.slots(pred).into_iter().filter(|_| needed) {
        views.extend(probe.view(slot).filter(|view| !views.contains(view)));
    }
    let every = negated && names.is_quantifier(pred);
    let nodes = read.iter().flat_map(|read| &read.decided_by);
    let decided_by = nodes.map(|(holds, last)| {
        let text = names.in_quantifier(pred, (*last)?, negated)?;
        Some((text, *holds != negated))
    });
    let decided_by = decided_by.collect();
    Ok(Part { outcome, kind: Kind::Test { text, read, other: names.other(pred), every, views, decided_by } })
}
