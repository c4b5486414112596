//! What a condition asks about a command of a line.

use hookc_schema::tree::{Cond, CondKind, CondPart, Leaf, Op, Path, PathKind, Step};

/// What a condition asks about a command.
#[derive(Debug, Default)]
pub(in crate::check) struct Command {
    /// The programs that it is compared with.
    programs: Vec<String>,
    /// The subcommands that it is compared with.
    subs: Vec<String>,
}

impl Command {
    /// What a condition asks about the command that it calls `node`.
    pub(in crate::check) fn new(cond: &Cond, node: &str) -> Self {
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

    /// The programs that it is compared with.
    pub(super) fn programs(&self) -> &[String] {
        &self.programs
    }

    /// The subcommands that it is compared with.
    pub(super) fn subs(&self) -> &[String] {
        &self.subs
    }
}

/// The member of a node that a path starts with.
pub(super) fn member<'p>(path: &'p Path, node: &str) -> Option<&'p str> {
    let PathKind::Short(steps) = &path.kind else { return None };
    match &**steps {
        [Step::Name(first), Step::Name(member), ..] if first == node => Some(member),
        _ => None,
    }
}

/// Calls `call` with the tests of a condition next to a test of the name of the command `node`, and with the programs that
/// it admits. The recursion depth is the nesting.
pub(super) fn each_with_programs<'c>(
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
