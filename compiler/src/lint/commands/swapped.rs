//! The name of a program where the subcommand is compared, and the other way round (W0622):
//! `c.sub == 'git'`, `c.name == 'push'`.

use hookc_schema::tree::{Leaf, Op};
use hookc_schema::vocab::{ViewMember, Wrapper};
use hookc_schema::{Code, Diagnostic};
use hookc_shell::programs::{self, Row};
use hookc_syntax::expr::print;
use hookc_syntax::pattern::LiteralTest;

use super::Command;
use crate::lint::leaf::{Compared, compared, sibling};

/// Subcommands of git that are hardly the names of scripts too.
const OF_GIT: [&str; 6] = ["push", "commit", "rebase", "checkout", "cherry-pick", "stash"];

/// Reports a program among subcommands, and a subcommand among programs. `command` is what the condition asks about the
/// command.
pub(crate) fn swapped(
    leaf: &Leaf,
    member: ViewMember,
    command: Option<&Command>,
    wrappers: &[Wrapper],
    plain: Option<&LiteralTest>,
) -> Vec<Diagnostic> {
    let none = Command::default();
    let command = command.unwrap_or(&none);
    let find = |text: &str| match member {
        ViewMember::Sub => program(text, command),
        ViewMember::Name => subcommand(text, command, wrappers),
        _ => None,
    };
    let equal = |one: &Compared<'_>| matches!(one.op, Op::Eq | Op::Ne);
    let texts = compared(leaf, plain).into_iter().filter(equal);
    texts.filter_map(|one| Some(report(leaf, &one, &find(&one.text)?))).collect()
}

/// A name in the other's place.
enum Swapped {
    /// A program.
    Program,
    /// A subcommand of this program.
    SubcommandOf(String),
}

/// The subcommands from which on the name of a program means that program.
const LARGE: usize = 20;

/// A text that is a program, and no subcommand of the programs that the condition names.
fn program(text: &str, command: &Command) -> Option<Swapped> {
    let can = |program: &String| {
        // The targets of `make` have any name.
        let is_free = programs::takes_subcommands(program) && !programs::has_subcommands(program);
        is_free || programs::has_subcommand(program, text)
    };
    // `git` is also a subcommand of programs that pass the words after it on.
    let is_large = programs::program(text)
        .is_some_and(|program| program.row.subs().iter().flat_map(Row::names).count() >= LARGE);
    let is_program = programs::takes_subcommands(text) && (is_large || !programs::is_subcommand(text));
    (is_program && !command.programs.iter().any(can)).then_some(Swapped::Program)
}

/// A text that is no program, and a subcommand of a program that the condition compares with the subcommand,
/// or one of git's.
fn subcommand(text: &str, command: &Command, wrappers: &[Wrapper]) -> Option<Swapped> {
    if programs::has_program(text) || wrappers.iter().any(|wrapper| wrapper.name.node == text) {
        return None;
    }
    let has = |program: &&str| programs::has_subcommand(program, text);
    let other = command.subs.iter().map(String::as_str).find(has);
    let of_git = command.subs.is_empty() && OF_GIT.contains(&text);
    let program = other.or_else(|| of_git.then_some("git"))?;
    Some(Swapped::SubcommandOf(program.to_owned()))
}

fn report(leaf: &Leaf, one: &Compared<'_>, swapped: &Swapped) -> Diagnostic {
    let (text, path) = (print::literal(&one.text), &leaf.path.text);
    let other = |from: &str, to: &str| sibling(leaf, from, to).unwrap_or_else(|| to.to_owned());
    match swapped {
        Swapped::Program => {
            let what = format!("`{path}` is a subcommand, and `{}` is a program", one.text);
            let new = Diagnostic::new(Code::W0622, one.value.span, what).with_label("the name of a program");
            new.help(format!("write `{} == {text}`", other("sub", "name")))
        }
        Swapped::SubcommandOf(program) => {
            let what = format!("`{path}` is a program, and `{}` is a subcommand of `{program}`", one.text);
            let new = Diagnostic::new(Code::W0622, one.value.span, what).with_label("a subcommand");
            let (name, sub) = (print::literal(program), other("name", "sub"));
            new.help(format!("write `{path} == {name} and {sub} == {text}`"))
        }
    }
}
