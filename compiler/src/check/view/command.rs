//! What a condition asks about a command of a line; and subcommands that it searches for among the other words
//! (W0651): `c.operands contains 'push'` is false for `git push`.

use hookc_schema::tree::{Cond, CondKind, Leaf, Op, Path, PathKind, Step};
use hookc_schema::vocab::ViewMember;
use hookc_schema::{Code, Diagnostic};
use hookc_shell::programs;
use hookc_syntax::expr::print;

use super::Compared;
use crate::check::Cx;

/// What a condition asks about a command.
#[derive(Debug, Default)]
pub(in crate::check) struct Command {
    /// The programs that it is compared with.
    programs: Vec<String>,
    /// Whether its subcommand is tested.
    sub: bool,
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
            Some("sub") => {
                self.sub = true;
                self.subs.extend(texts());
            }
            Some("name") => self.programs.extend(texts()),
            _ => {}
        }
    }

    /// Whether it can be one that runs its words elsewhere: those are not options of its own.
    pub(super) fn is_remote(&self) -> bool {
        self.programs.iter().any(|name| programs::runs_elsewhere(name))
    }

    /// The programs that it is compared with.
    pub(super) fn programs(&self) -> &[String] {
        &self.programs
    }

    /// The subcommands that it is compared with.
    pub(super) fn subs(&self) -> &[String] {
        &self.subs
    }

    /// The program that has this subcommand.
    fn with_sub(&self, text: &str) -> Option<&str> {
        self.programs.iter().map(String::as_str).find(|name| programs::has_subcommand(name, text))
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

/// Reports a subcommand among the texts that words are compared with.
pub(super) fn check(leaf: &Leaf, searched: ViewMember, all: &[Compared<'_>], cx: &mut Cx<'_>) {
    if !matches!(searched, ViewMember::Args | ViewMember::Operands | ViewMember::Rest) {
        return;
    }
    // The words of a program contain its subcommand; only its place is uncertain.
    let placed =
        matches!(&leaf.path.kind, PathKind::Short(steps) if matches!(steps.last(), Some(Step::Index(_))));
    if searched == ViewMember::Args && !placed {
        return;
    }
    let command = cx.bound.iter().rev().find_map(|bound| {
        let command = bound.command.as_ref().filter(|command| !command.sub)?;
        member(&leaf.path, &bound.name).map(|_| command)
    });
    let Some(command) = command else { return };
    let equal = |one: &&Compared<'_>| matches!(one.op, Op::Eq | Op::Contains);
    let found = all.iter().filter(equal).find_map(|one| command.with_sub(&one.text).map(|name| (one, name)));
    let Some((one, program)) = found else { return };
    let new = report(leaf, searched, one, program);
    cx.report_once(new);
}

fn report(leaf: &Leaf, searched: ViewMember, one: &Compared<'_>, program: &str) -> Diagnostic {
    let (text, path) = (&*one.text, &leaf.path.text);
    let what = match searched {
        ViewMember::Args => format!("`{text}` is not always the word at `{path}`"),
        _ => format!("`{path}` does not have the subcommand, such as `{text}`"),
    };
    let new = Diagnostic::new(Code::W0651, one.value.span, what).with_label("a subcommand among the words");
    let new = match searched {
        ViewMember::Args => new.note("options can precede it"),
        _ => new.note("they are the words after the subcommand"),
    };
    let node = path.split(['[', '.']).next().unwrap_or_default();
    new.help(format!("for `{program} {text}`, write `{node}.sub == {}`", print::literal(text)))
}
