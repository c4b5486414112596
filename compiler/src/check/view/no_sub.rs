//! Subcommands of programs for which the view has none (W0622): `c.name == 'mytool' and c.sub == 'deploy'` is never
//! true, because `sub` is null.

use hookc_schema::tree::{Cond, CondKind, Leaf, Op};
use hookc_schema::{Code, Diagnostic};
use hookc_shell::programs;
use hookc_syntax::expr::print;

use super::command::member;
use crate::check::Cx;
use crate::check::tools::member::listed_all;

/// Reports tests of `sub` beside a test of the name that admits only such programs.
pub(in crate::check) fn check(cond: &Cond, node: &str, cx: &mut Cx<'_>) {
    let mut found = Vec::new();
    find(cond, node, &[], &mut found);
    found.into_iter().for_each(|new| cx.report_once(new));
}

/// `programs` are those that a condition around this one admits; none for any. The recursion depth is the nesting.
fn find<'c>(cond: &'c Cond, node: &str, programs: &[&'c str], found: &mut Vec<Diagnostic>) {
    match &cond.kind {
        CondKind::Const(_) | CondKind::Predicate(_) => {}
        CondKind::All(parts) => {
            let own = parts.iter().find_map(|part| admitted(part, node));
            let programs = own.as_deref().unwrap_or(programs);
            parts.iter().for_each(|part| find(part, node, programs, found));
        }
        CondKind::Any(parts) => parts.iter().for_each(|part| find(part, node, programs, found)),
        CondKind::Not(part) => find(part, node, programs, found),
        CondKind::Quantified(inner) => find(&inner.cond, node, programs, found),
        CondKind::Leaf(leaf) => {
            let has_none =
                !programs.is_empty() && !programs.iter().any(|name| programs::takes_subcommands(name));
            if has_none && member(&leaf.path, node) == Some("sub") && leaf.texts().next().is_some() {
                found.push(report(leaf, node, programs));
            }
        }
    }
}

/// The programs that a test of the name admits.
pub(super) fn admitted<'c>(cond: &'c Cond, node: &str) -> Option<Vec<&'c str>> {
    match &cond.kind {
        CondKind::Leaf(leaf)
            if matches!(leaf.op.node, Op::Eq | Op::In) && member(&leaf.path, node) == Some("name") =>
        {
            Some(leaf.texts().map(|(_, text)| text).collect())
        }
        CondKind::Any(parts) => {
            let all: Option<Vec<Vec<&str>>> = parts.iter().map(|part| admitted(part, node)).collect();
            all.map(|all| all.concat())
        }
        _ => None,
    }
}

fn report(leaf: &Leaf, node: &str, programs: &[&str]) -> Diagnostic {
    let path = &leaf.path.text;
    let what = format!("hookc knows no subcommands of {}, so `{path}` is null", listed_all(programs));
    let new = Diagnostic::new(Code::W0622, leaf.path.span, what).with_label("never a text");
    let text = leaf.texts().next().map_or("", |(_, text)| text);
    new.help(format!(
        "the words of the command are in `operands`: write `{node}.operands contains {}`",
        print::literal(text)
    ))
}
