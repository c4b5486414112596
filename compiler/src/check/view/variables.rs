//! `$HOME` and `$PWD` in texts that are compared with the view, which has what they stand for (W0620).

use hookc_schema::tree::{Leaf, Op, ViewKind};
use hookc_schema::vocab::ViewMember;
use hookc_schema::{Code, Diagnostic};
use hookc_syntax::expr::print;

use super::Compared;
use crate::check::Cx;

/// Spellings of the home directory, which is `~` in the view.
const HOME: [&str; 2] = ["$HOME", "${HOME}"];

/// Spellings of the working directory, which is itself in the view.
const DIRECTORY: [&str; 2] = ["$PWD", "${PWD}"];

/// Reports the variables at the start of texts that the view has filled in.
pub(super) fn check(leaf: &Leaf, member: ViewMember, compared: &[Compared<'_>], cx: &mut Cx<'_>) {
    // No shell fills in the variables of a path.
    if leaf.path.view(ViewKind::File).is_some() {
        return;
    }
    if matches!(member, ViewMember::Globs | ViewMember::Reason | ViewMember::Opaque | ViewMember::Operator) {
        return;
    }
    let literal = if leaf.op.node == Op::Regex { anchored(leaf) } else { None };
    for one in compared.iter().chain(&literal) {
        if let Some(new) = find(leaf, one) {
            cx.report_once(new);
        }
    }
}

/// The text of `^\$HOME/`, a pattern with more than text.
fn anchored(leaf: &Leaf) -> Option<Compared<'_>> {
    let hookc_schema::tree::Right::Value(value) = &leaf.right else { return None };
    let text = value.as_str()?.strip_prefix("^\\$")?;
    Some(Compared { op: Op::Regex, value, text: format!("${text}").into() })
}

fn find(leaf: &Leaf, one: &Compared<'_>) -> Option<Diagnostic> {
    let text = &*one.text;
    let home = starts_with(text, &HOME);
    let written = home.or_else(|| starts_with(text, &DIRECTORY))?;
    let rest = text.get(written.len()..)?;
    let becomes = if home.is_some() { "`~`" } else { "the working directory" };
    let what = format!("the view has {becomes} for `{written}`");
    let new =
        Diagnostic::new(Code::W0620, one.value.span, what).with_label("compared character by character");
    let path = &leaf.path.text;
    Some(new.help(match (home, one.op) {
        (Some(_), Op::Regex) => "write `^~` instead of it".to_owned(),
        (Some(_), _) => format!("write `{}`", print::literal(&format!("~{rest}"))),
        (None, _) if rest.is_empty() => format!("compare `{path}` with `cwd`, without quotes"),
        (None, _) => format!("write `{path} ends_with {}`, or the absolute path", print::literal(rest)),
    }))
}

/// The variable that a text starts with; `$HOMEPAGE` is another one.
fn starts_with(text: &str, variables: &[&'static str]) -> Option<&'static str> {
    variables.iter().copied().find(|variable| {
        let rest = text.strip_prefix(variable);
        let ends = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        rest.is_some_and(ends)
    })
}
