//! The messages about decisions that a further command evades.

use std::sync::Arc;

use hookc_schema::tree::{Cond, CondKind, Leaf, Op, Path, Quantifier};
use hookc_schema::{Code, Diagnostic, Spanned};
use hookc_syntax::expr::print;

use super::found::Command;
use super::unless::Exception;
use crate::lint::allowed;

/// `others` are further tests of this condition about a part of the text.
pub(super) fn by_text<'h>(leaf: &Leaf, others: impl Iterator<Item = &'h Leaf>) -> Diagnostic {
    let what = "this allows a line with further commands";
    let new = Diagnostic::new(Code::W0644, leaf.path.span.to(leaf.op.span), what);
    let new = new.with_label("about a part of the text");
    let new = others.fold(new, |new, other| new.also(other.path.span.to(other.op.span), "so is this"));
    let new = new.note("a line can contain several commands: `git status; rm -rf /`");
    new.help(allowed::instead(&leaf.path, "c", &allowed::command(leaf)))
}

pub(super) fn one_allows(command: Command<'_>) -> Diagnostic {
    let what = "this allows a line with further commands";
    let new = Diagnostic::new(Code::W0644, command.path.span, what).with_label("one command suffices");
    let new = new.note("a line can contain several commands: `git status; rm -rf /`");
    let source = &command.view.source;
    new.help(match command.inner {
        Some(inner) => allowed::instead(source, &inner.name.node, &print::when(&inner.cond, false)),
        None => allowed::instead(source, "c", "c.name == 'PROGRAM'"),
    })
}

pub(super) fn without(path: &Path) -> Diagnostic {
    let what = format!("this allows every tool without `{}`", path.source().text);
    let new = Diagnostic::new(Code::W0655, path.span, what).with_label("true if it is absent");
    new.help("require the tool, with `and`: `tool_name == 'NAME'`")
}

pub(super) fn others_pass(path: &Path) -> Diagnostic {
    let what = "one other command on the line evades this";
    let new = Diagnostic::new(Code::W0644, path.span, what).with_label("about one position");
    let new = new.note("a line can contain several commands: `cd /; rm -rf x`");
    new.help("test each command, with `some(c in shell(...).commands: ...)`")
}

pub(super) fn one_passes(path: &Path) -> Diagnostic {
    let what = "one other command on the line evades this";
    let new = Diagnostic::new(Code::W0644, path.span, what).with_label("every command must match");
    let new = new.note("the condition is false for a line with one command for which it is false");
    new.help("write `some` instead of `every`")
}

/// A denial except for lines with a certain command.
pub(super) fn one_suffices(exception: Exception<'_>) -> Diagnostic {
    let span = match exception {
        Exception::Quantified(inner) => inner.path.span,
        Exception::Path(leaf, _) | Exception::Text(leaf) => leaf.path.span,
    };
    let what = "a line with one such command and others evades this";
    let new = Diagnostic::new(Code::W0644, span, what).with_label("one command suffices");
    let new = new.note("a line can contain several commands: `git status; rm -rf /`");
    let each = match exception {
        Exception::Quantified(inner) => {
            // `every(c: c.name != 'git')` is `not some(c: c.name == 'git')`.
            let each = match inner.quantifier {
                Quantifier::Some => negation(&inner.cond),
                Quantifier::Every => print::when(&inner.cond, false),
            };
            some_of(inner.path.source(), &inner.name.node, &each)
        }
        Exception::Path(leaf, view) => some_of(&view.source, "c", &without_name(leaf)),
        Exception::Text(leaf) => some_of(&leaf.path, "c", &format!("not ({})", allowed::command(leaf))),
    };
    new.help(format!("deny it for each other command, and for lines that cannot be read: `{each}`"))
}

/// A condition for one command of a line, true also for a line that cannot be read.
fn some_of(source: &Path, name: &str, each: &str) -> String {
    let source = print::path(source);
    format!("(shell({source}).ok == false or some({name} in shell({source}).commands: {each}))")
}

/// A condition that excludes the commands that a leaf names.
fn without_name(leaf: &Leaf) -> String {
    let names: Vec<String> = leaf.texts().map(|(_, text)| print::literal(text)).collect();
    match names.as_slice() {
        [] => "c.name != 'PROGRAM'".to_owned(),
        [name] => format!("c.name != {name}"),
        names => format!("not c.name in [{}]", names.join(", ")),
    }
}

fn negation(cond: &Cond) -> String {
    let kind = match &cond.kind {
        CondKind::Not(part) => return print::when(part, false),
        CondKind::Leaf(leaf) if matches!(leaf.op.node, Op::Eq | Op::Ne) => {
            let op = if leaf.op.node == Op::Eq { Op::Ne } else { Op::Eq };
            CondKind::Leaf(Arc::new(Leaf { op: Spanned::new(op, leaf.op.span), ..Leaf::clone(leaf) }))
        }
        _ => CondKind::Not(Arc::new(cond.clone())),
    };
    print::when(&Cond { span: cond.span, kind }, false)
}

/// A denial of all but some commands that an unread line evades.
pub(super) fn unread_evades(path: &Path) -> Diagnostic {
    let what = "a command line that cannot be read evades this";
    let new = Diagnostic::new(Code::W0643, path.span, what).with_label("such a line has no commands");
    let new = new.note("a condition about some of no commands is false");
    let source = print::path(path.source());
    new.help(format!("deny such a line too, with `or`: `shell({source}).ok == false`"))
}
