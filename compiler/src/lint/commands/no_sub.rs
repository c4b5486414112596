//! Subcommands of programs for which the view has none (W0622): `c.name == 'mytool' and c.sub == 'deploy'` is never
//! true, because `sub` is null.

use hookc_schema::tree::Leaf;
use hookc_schema::{Code, Diagnostic};
use hookc_shell::programs;
use hookc_syntax::expr::print;

use super::member;
use crate::names::listed_all;

/// The diagnostic for a test of `sub` next to a test of the name that admits only such `programs`.
pub(super) fn check(leaf: &Leaf, node: &str, programs: &[&str]) -> Option<Diagnostic> {
    let has_none = !programs.iter().any(|name| programs::takes_subcommands(name));
    let is_test = member(&leaf.path, node) == Some("sub") && leaf.texts().next().is_some();
    (has_none && is_test).then(|| report(leaf, node, programs))
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
