//! Tests of the name, the subcommand and the flags of a command that are never true: of each other's texts, or of what a
//! program does not have.
//!
//! | file | codes |
//! |---|---|
//! | `no_sub` | W0622 |
//! | `spelled` | W0627, W0642 |
//! | `swapped` | W0622 |

mod no_sub;
mod spelled;
mod swapped;

use hookc_schema::Diagnostic;
use hookc_schema::tree::{Cond, CondKind, CondPart, Leaf, Op, Path, PathKind, Step};

pub(crate) use swapped::swapped;

/// What a condition asks about a command.
#[derive(Debug, Default)]
pub(crate) struct Command {
    /// The programs that it is compared with.
    programs: Vec<String>,
    /// The subcommands that it is compared with.
    subs: Vec<String>,
}

impl Command {
    /// What a condition asks about the command that it calls `node`.
    pub(crate) fn new(cond: &Cond, node: &str) -> Self {
        let mut found = Self::default();
        cond.leaves().for_each(|leaf| found.read_leaf(leaf, node));
        found
    }

    fn read_leaf(&mut self, leaf: &Leaf, node: &str) {
        let texts = || leaf.texts().map(|(_, text)| text.to_owned());
        match member(&leaf.path, node) {
            Some("sub") => self.subs.extend(texts()),
            Some("name") => self.programs.extend(texts()),
            _ => {}
        }
    }
}

/// Reports the tests of a command that are never true of the programs that a test next to them admits.
pub(crate) fn check(cond: &Cond, node: &str) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    each_with_programs(cond.whole(), node, &[], &mut |leaf, programs| {
        let never = no_sub::check(leaf, node, programs);
        let misspelled = || spelled::check_flag(leaf, node, programs);
        found.extend(never.or_else(misspelled).or_else(|| spelled::check_sub(leaf, node, programs)));
    });
    found
}

/// The member of a node that a path starts with.
pub(crate) fn member<'p>(path: &'p Path, node: &str) -> Option<&'p str> {
    let PathKind::Short(steps) = &path.kind else { return None };
    match &**steps {
        [Step::Name(first), Step::Name(member), ..] if first == node => Some(member),
        _ => None,
    }
}

/// Calls `call` with the tests of a condition next to a test of the name of the command `node`, and with the programs that
/// it admits. The recursion depth is the nesting.
fn each_with_programs<'c>(
    part: CondPart<'c>,
    node: &str,
    programs: &[&'c str],
    call: &mut impl FnMut(&'c Leaf, &[&'c str]),
) {
    let admitted = match &part.cond.kind {
        CondKind::All(parts) => parts.iter().find_map(|part| admitted(part, node)),
        _ => None,
    };
    let programs = admitted.as_deref().unwrap_or(programs);
    if let Some(leaf) = part.leaf().filter(|_| !programs.is_empty()) {
        call(leaf, programs);
    }
    part.parts().for_each(|part| each_with_programs(part, node, programs, call));
}

/// The programs that a test of the name admits.
fn admitted<'c>(cond: &'c Cond, node: &str) -> Option<Vec<&'c str>> {
    match &cond.kind {
        CondKind::Leaf(leaf)
            if matches!(leaf.op.node, Op::Eq | Op::In) && member(&leaf.path, node) == Some("name") =>
        {
            Some(leaf.texts().map(|(_, text)| text).collect())
        }
        CondKind::Any(parts) => {
            let programs: Option<Vec<Vec<&str>>> = parts.iter().map(|part| admitted(part, node)).collect();
            programs.map(|programs| programs.concat())
        }
        _ => None,
    }
}
