//! Paths in a form that the view never has (W0622): `path` of a redirection and `cwd` are absolute, or below
//! `~`, without a slash at their end. So is `path` of the view of a path.

use hookc_schema::tree::{Leaf, Op, ViewKind};
use hookc_schema::vocab::ViewMember;
use hookc_schema::{Code, Diagnostic};
use hookc_syntax::expr::print;

use super::{Compared, sibling};
use crate::check::Cx;
use crate::lint::certain::is_relative;
use crate::lint::expansion;

/// Reports the texts that a resolved path never matches.
pub(super) fn check(leaf: &Leaf, member: ViewMember, compared: &[Compared<'_>], cx: &mut Cx<'_>) {
    if !matches!(member, ViewMember::File | ViewMember::Cwd) {
        return;
    }
    for one in compared {
        if let Some(new) = relative(leaf, member, one).or_else(|| slash(leaf, one)) {
            cx.report_once(new);
        }
    }
}

fn relative(leaf: &Leaf, member: ViewMember, one: &Compared<'_>) -> Option<Diagnostic> {
    let text = &*one.text;
    // A `*` alone matches `~`.
    let open = matches!(one.op, Op::Contains | Op::EndsWith) || text.trim_matches(['*', '?']).is_empty();
    if open || !is_relative(one.op, text) {
        return None;
    }
    let path = &leaf.path.text;
    let what = format!("`{path}` is absolute, or below `~`, and this is a relative path");
    let new = Diagnostic::new(Code::W0622, one.value.span, what).with_label("never matches");
    let is_file = leaf.path.view(ViewKind::File).is_some();
    if is_file && expansion::at_start(text.trim_start_matches('^'), true).is_some() {
        return None;
    }
    let other = if is_file { "relative" } else { "target" };
    let target = sibling(&leaf.path, "path", other).filter(|_| member == ViewMember::File);
    let bare = text.strip_prefix("./").unwrap_or(text).trim_start_matches('*');
    let end = match one.op {
        Op::Regex => "remove the `^`, or write `(^|/)` instead of it".to_owned(),
        Op::StartsWith => format!("write `{path} glob {}`", print::literal(&format!("**/{bare}**"))),
        _ => format!("write `{path} glob {}`", print::literal(&format!("**/{bare}"))),
    };
    Some(match target {
        Some(target) if is_file => new.help(format!("{end}, or test `{target}`, which starts at `cwd`")),
        Some(target) => new.help(format!("{end}, or test `{target}`, which is the word as it is written")),
        None => new.help(end),
    })
}

fn slash(leaf: &Leaf, one: &Compared<'_>) -> Option<Diagnostic> {
    let whole = matches!(one.op, Op::Eq | Op::Ne | Op::EndsWith);
    let rest = one.text.strip_suffix('/').filter(|rest| whole && !rest.is_empty())?;
    let what = format!("`{}` never ends with `/`", leaf.path.text);
    let new = Diagnostic::new(Code::W0622, one.value.span, what).with_label("the last character");
    Some(new.help(format!("write `{}`", print::literal(rest))))
}
