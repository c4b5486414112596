//! Texts that the parts of a path never equal (W0622): `name` is without a directory, `extension` without a dot,
//! `relative` never starts with `/`, `./` or `../`. What is text there, and a directory elsewhere (W0620): `~`, `$HOME`.

use hookc_schema::tree::{Leaf, Op, ViewKind};
use hookc_schema::vocab::ViewMember;
use hookc_schema::{Code, Diagnostic};
use hookc_syntax::expr::print;

use super::{Compared, sibling};
use crate::check::{Cx, file_paths};

/// Names that people give to members of the view of a path, and what to write instead.
const INSTEAD: [(&[&str], &str); 6] = [
    (&["basename", "base_name", "filename", "file_name", "file", "base"], "write `name`"),
    (&["ext", "suffix", "type"], "write `extension`"),
    (&["absolute", "abs", "real", "realpath", "resolved", "full", "normalized", "canonical"], "write `path`"),
    (&["in_project", "in_cwd", "within", "is_inside", "contained", "local"], "write `inside`"),
    (&["rel", "below", "relative_path"], "write `relative`"),
    (
        &["dir", "dirname", "directory", "parent", "folder", "parents", "segments"],
        "test the path, as in `path glob '**/DIRECTORY/**'`",
    ),
];

/// What to write instead of a member that the view of a path does not have.
pub(super) fn instead(name: &str) -> Option<String> {
    match name {
        "stem" => Some("test the name, as in `name starts_with 'x.'`".to_owned()),
        "exists" => Some("the view is made from the text alone: nothing looks at the disk".to_owned()),
        _ => INSTEAD.iter().find(|(names, _)| names.contains(&name)).map(|(_, help)| (*help).to_owned()),
    }
}

/// Reports the texts that a part of a path never equals.
pub(super) fn check(leaf: &Leaf, member: ViewMember, compared: &[Compared<'_>], cx: &mut Cx<'_>) {
    if leaf.path.view(ViewKind::File).is_none() {
        return;
    }
    for one in compared {
        let found = match member {
            // The view has `~` for the home directory.
            ViewMember::File if one.text.trim_start_matches('^').starts_with('~') => None,
            ViewMember::File => file_paths::expanded(leaf, one.value, &one.text),
            ViewMember::FileName => name(leaf, one),
            ViewMember::Extension => extension(leaf, one),
            ViewMember::Relative => relative(leaf, one),
            _ => None,
        };
        if let Some(new) = found {
            cx.report_once(new);
        }
    }
}

fn is_whole(op: Op) -> bool {
    matches!(op, Op::Eq | Op::Ne)
}

fn never(one: &Compared<'_>, what: String, label: &'static str) -> Diagnostic {
    Diagnostic::new(Code::W0622, one.value.span, what).with_label(label)
}

/// `name == 'src/.env'`
fn name(leaf: &Leaf, one: &Compared<'_>) -> Option<Diagnostic> {
    let text = &*one.text;
    // `**/` also matches nothing, and an alternative can be without a slash.
    let can_match = one.op == Op::Glob && (text.starts_with("**") || text.contains('{'));
    if can_match || !text.contains('/') {
        return None;
    }
    let what = format!("`{}` is one name, without a directory", leaf.path.text);
    let path = sibling(&leaf.path, "name", "path")?;
    let end = text.trim_start_matches('/');
    let (op, end) = match one.op {
        Op::StartsWith | Op::Contains => ("contains", format!("/{end}")),
        Op::Glob => ("glob", format!("**/{end}")),
        _ => ("ends_with", format!("/{end}")),
    };
    Some(never(one, what, "never matches").help(format!("write `{path} {op} {}`", print::literal(&end))))
}

/// `extension == '.env'`
fn extension(leaf: &Leaf, one: &Compared<'_>) -> Option<Diagnostic> {
    let text = &*one.text;
    let may_be_open = one.op == Op::Glob && !text.starts_with(['.', '*']);
    if may_be_open || !text.contains('.') {
        return None;
    }
    let what = format!("`{}` is the part of the name after its last dot", leaf.path.text);
    let new = never(one, what, "with a dot");
    let name = sibling(&leaf.path, "extension", "name")?;
    let last = text.rsplit('.').next().unwrap_or_default();
    let is_one = text.strip_prefix("*.").or_else(|| text.strip_prefix('.')) == Some(last);
    if !is_one {
        let end = text.trim_start_matches('*').trim_start_matches('.');
        return Some(new.help(format!("write `{name} ends_with {}`", print::literal(&format!(".{end}")))));
    }
    let new = match is_whole(one.op) {
        true => new.note(format!("a file named {} has no extension: test `{name}`", print::literal(text))),
        false => new,
    };
    Some(new.help(format!("write {}", print::literal(last))))
}

/// `relative starts_with '/srv'`, `relative == './x'`
fn relative(leaf: &Leaf, one: &Compared<'_>) -> Option<Diagnostic> {
    let text = &*one.text;
    let is_start = !matches!(one.op, Op::Contains | Op::EndsWith);
    let start = ["/", "./", "../", "~/"].into_iter().find(|start| is_start && text.starts_with(start));
    if let Some(start) = start {
        let what =
            format!("`{}` is below the working directory, and never starts with `{start}`", leaf.path.text);
        let rest = text.strip_prefix("./").filter(|rest| !rest.is_empty());
        let new = never(one, what, "never matches");
        return Some(match (rest, sibling(&leaf.path, "relative", "path")) {
            (Some(rest), _) => new.help(format!("write {}", print::literal(rest))),
            (None, Some(path)) => new.help(format!("test `{path}`, which is absolute")),
            (None, None) => new,
        });
    }
    let whole = is_whole(one.op) || one.op == Op::EndsWith;
    let rest = text.strip_suffix('/').filter(|rest| whole && !rest.is_empty())?;
    let what = format!("`{}` never ends with `/`", leaf.path.text);
    Some(never(one, what, "the last character").help(format!("write {}", print::literal(rest))))
}
