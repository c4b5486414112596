//! Texts that the names of the view never equal (W0622): with a directory or arguments for `name` and `sub`,
//! without a directory for `path`; and stars in them (W0617).

use hookc_schema::tree::{Leaf, Op};
use hookc_schema::vocab::{FieldSchema, Type, ViewMember};
use hookc_schema::{Code, Diagnostic};
use hookc_syntax::expr::print;

use super::{Compared, sibling};
use crate::check::Cx;

/// Reports the texts that a name never equals.
pub(super) fn check(
    leaf: &Leaf,
    (member, field): (ViewMember, &FieldSchema),
    compared: &[Compared<'_>],
    cx: &mut Cx<'_>,
) {
    for one in compared {
        let found = match member {
            ViewMember::Name | ViewMember::Sub | ViewMember::Runs | ViewMember::PipesTo => {
                with_more(leaf, member, one).or_else(|| with_star(leaf, field, one))
            }
            ViewMember::Program => without_directory(leaf, one),
            _ => None,
        };
        if let Some(new) = found {
            cx.report_once(new);
        }
    }
}

/// A directory, or arguments, where there is one word.
fn with_more(leaf: &Leaf, member: ViewMember, one: &Compared<'_>) -> Option<Diagnostic> {
    let text = &*one.text;
    let found = match one.op {
        Op::Glob => is_plain(text) && text.contains('/'),
        _ => text.contains(['/', ' ']),
    };
    if !found {
        return None;
    }
    let what = format!("`{}` is one word, without a directory or arguments", leaf.path.text);
    let new = Diagnostic::new(Code::W0622, one.value.span, what).with_label("never equal");
    if let Some((first, second)) = text.split_once(' ').filter(|_| member == ViewMember::Sub) {
        let (first, second) = (print::literal(first), print::literal(second));
        return Some(new.help(format!(
            "write `{first}` and test `operands` for the rest; if that is a group, as in `docker container run`, write `{second}`"
        )));
    }
    let program = text.split(' ').next().unwrap_or(text).rsplit('/').next().unwrap_or(text);
    let rest = if text.contains(' ') { "; test `sub`, `flags` and `operands` for the rest" } else { "" };
    Some(new.help(format!("write `{}`{rest}", print::literal(program))))
}

/// `c.name == 'git*'`
fn with_star(leaf: &Leaf, field: &FieldSchema, one: &Compared<'_>) -> Option<Diagnostic> {
    let literal = matches!(one.op, Op::Eq | Op::Ne | Op::Contains | Op::StartsWith | Op::EndsWith);
    if !literal || !one.text.contains('*') || leaf.op.node == Op::Regex {
        return None;
    }
    let what = format!("`{}` compares text, and this looks like a glob", leaf.op.node.name());
    let new =
        Diagnostic::new(Code::W0617, one.value.span, what).with_label("compared character by character");
    let (path, glob) = (&leaf.path.text, print::literal(one.text.trim()));
    let list = field.types.has(Type::Array);
    Some(new.help(match (list, leaf.path.is_singular()) {
        (false, _) => format!("write `{path} glob {glob}`"),
        (true, true) => format!("write `some(x in {path}: x glob {glob})`"),
        (true, false) => format!("write `{path}[*] glob {glob}`"),
    }))
}

/// A program without a `/`, where only those with one are.
fn without_directory(leaf: &Leaf, one: &Compared<'_>) -> Option<Diagnostic> {
    let text = &*one.text;
    let never = match one.op {
        Op::Eq | Op::Ne => !text.contains('/'),
        Op::Glob => is_plain(text) && !text.contains('/'),
        _ => false,
    };
    if !never {
        return None;
    }
    let path = &leaf.path.text;
    let what = format!("`{path}` is a program that is written with a directory, and this has none");
    let new = Diagnostic::new(Code::W0622, one.value.span, what).with_label("never equal");
    let new = new.note("it is null for a program without a `/`");
    let name = sibling(&leaf.path, "path", "name").unwrap_or_else(|| "name".to_owned());
    Some(new.help(format!("test `{name}`, which is the program in both cases")))
}

/// Whether a `*` of a glob is always within a segment.
fn is_plain(glob: &str) -> bool {
    !glob.contains("**") && !glob.contains(['{', '\\'])
}
