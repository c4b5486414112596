//! Globs about command lines whose stars stop at a slash (W0650): `tool_input.command glob 'rm -rf *'` is false for
//! `rm -rf /etc`.

use hookc_schema::tree::{Leaf, Op};
use hookc_schema::value::Value;
use hookc_schema::{Code, Diagnostic};
use hookc_syntax::expr::print;
use hookc_vm::format::text::glob;

use super::Cx;

/// Reports the globs of a leaf about a command line that have a star alone.
pub(super) fn check(leaf: &Leaf, cx: &mut Cx<'_>) {
    if leaf.op.node != Op::Glob || !leaf.path.is_command_line() {
        return;
    }
    for (item, text) in leaf.texts() {
        let stars = glob::stars(text);
        if !stars.is_empty() {
            cx.report_once(report(item, &doubled(text, &stars)));
        }
    }
}

fn report(glob: &Value, wider: &str) -> Diagnostic {
    let what = "this glob is false for a line with a `/` where it has `*`";
    Diagnostic::new(Code::W0650, glob.span, what).with_label("`*` stops at a slash").help(format!(
        "write `{}`, or test the commands of the line, with `shell(...)`",
        print::literal(wider)
    ))
}

/// A text with one more star at each of these positions.
fn doubled(text: &str, stars: &[usize]) -> String {
    let mut wider = text.to_owned();
    stars.iter().rev().for_each(|at| wider.insert(*at, '*'));
    wider
}
