//! Globs about command lines whose stars stop at a slash (W0650): `tool_input.command glob 'rm -rf *'` is false for
//! `rm -rf /etc`.

use hookc_schema::tree::{Leaf, Op, Path, Right, Step};
use hookc_schema::value::{Kind, Value};
use hookc_schema::{Code, Diagnostic};
use hookc_syntax::expr::print;

use super::Cx;

/// Reports the globs of a leaf about a command line that have a star alone.
pub(super) fn check(leaf: &Leaf, cx: &mut Cx<'_>) {
    let Right::Value(value) = &leaf.right else { return };
    if leaf.op.node != Op::Glob || !is_line(&leaf.path) {
        return;
    }
    let globs = match &value.kind {
        Kind::Seq(items) => items.as_slice(),
        _ => std::slice::from_ref(&**value),
    };
    for glob in globs {
        if let Some(wider) = glob.as_str().and_then(widened) {
            cx.report_once(report(glob, &wider));
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

fn is_line(path: &Path) -> bool {
    matches!(path.singular().as_deref(), Some([.., Step::Name(input), Step::Name(name)])
        if input == "tool_input" && name == "command")
}

/// The glob with two stars for each that stands alone; `None` if none does.
fn widened(glob: &str) -> Option<String> {
    let (mut wider, mut in_class, mut changed) = (String::new(), false, false);
    let mut rest = glob.chars().peekable();
    while let Some(c) = rest.next() {
        wider.push(c);
        match c {
            '\\' => wider.extend(rest.next()),
            '[' => in_class = true,
            ']' => in_class = false,
            '*' if !in_class && rest.peek() != Some(&'*') => {
                wider.push('*');
                changed = true;
            }
            '*' if !in_class => {
                while rest.next_if_eq(&'*').is_some() {
                    wider.push('*');
                }
            }
            _ => {}
        }
    }
    changed.then_some(wider)
}
