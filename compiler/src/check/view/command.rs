//! What a condition asks about a command of a line.

use hookc_schema::tree::{Cond, CondKind, Leaf, Path, PathKind, Step};

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
    pub(in crate::check) fn of(cond: &Cond, node: &str) -> Self {
        let mut found = Self::default();
        found.read(cond, node);
        found
    }

    /// The recursion depth is the nesting of the condition.
    fn read(&mut self, cond: &Cond, node: &str) {
        match &cond.kind {
            CondKind::Const(_) | CondKind::Predicate(_) => {}
            CondKind::All(parts) | CondKind::Any(parts) => {
                parts.iter().for_each(|part| self.read(part, node))
            }
            CondKind::Not(part) => self.read(part, node),
            CondKind::Quantified(inner) => self.read(&inner.cond, node),
            CondKind::Leaf(leaf) => self.read_leaf(leaf, node),
        }
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
