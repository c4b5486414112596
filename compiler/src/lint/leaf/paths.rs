//! Tests of names of files: text that only a shell expands (W0620), paths in a form that events never have (W0622), and
//! globs in another notation (W0623).
//!
//! Agents send absolute paths, except for the names in a patch; the changed files of a repository are relative to its
//! root. Paths of views are judged with the other members of views.

use std::collections::BTreeSet;

use hookc_schema::tree::{Cond, Fold, Leaf, Op, PathKind};
use hookc_syntax::expr::print::literal;

use super::Subject::If;
use super::{ANY, GLOB, Row, Tested, Wrong, rows};
use crate::fields::PATHS;
use crate::lint::expansion;
use crate::lint::relative::is_relative;

/// Those of [`PATHS`] that agents fill with absolute paths.
const ABSOLUTE: [&str; 5] = ["file_path", "notebook_path", "transcript_path", "cwd", "project_dir"];

/// Fields with the names of files only: none of them ends with a slash.
const FILES: [&str; 3] = ["file_path", "notebook_path", "transcript_path"];

const ENDS: &[Op] = &[Op::Eq, Op::Ne, Op::In, Op::EndsWith];
const LISTED: &[Op] = &[Op::Eq, Op::In, Op::Glob];
const STARTS: &[Op] = &[Op::Eq, Op::Ne, Op::In, Op::StartsWith, Op::Glob, Op::Regex];

/// The first that says something is reported.
pub(super) const ROWS: &[Row] = rows! {
    W0620 If(is_path), ANY, expanded =>
        "`{part}` is text here: no shell expands it", "compared character by character", "agents send absolute paths";
    W0622 If(is_changed), LISTED, outside =>
        "changed files are relative to the repository, and this starts with `{part}`", "matches no file";
    W0622 If(is_branch), STARTS, reference =>
        "`{path}` is the name of a branch, and this is the name of a reference", "no branch starts with `refs/`";
    W0622 If(is_branch), STARTS, remote =>
        "`{path}` is the name of a branch, and this starts with a remote", "the branch of a remote",
        "it is the branch that is checked out, which has no remote in its name";
    W0623 If(has_globs), GLOB, parentheses =>
        "this glob is in another notation, and matches nothing", "parentheses are characters";
    W0623 If(has_globs), GLOB, list =>
        "this glob is in another notation, and matches nothing", "one glob, with the separators in it";
    W0623 If(has_globs), GLOB, negation =>
        "this glob is in another notation, and matches nothing", "globs have no negation";
    W0623 If(has_globs), GLOB, regex =>
        "this glob is in another notation, and matches nothing", "a regular expression";
    W0623 If(is_file), GLOB, directory =>
        "this glob is in another notation, and matches nothing", "no name of a file ends with `/`";
    W0622 If(is_absolute), ENDS, slash => "`{path}` never ends with `/`", "the last character";
    W0622 If(is_absolute), GLOB, one_level =>
        "`{path}` is an absolute path, and `*` is one name", "matches only paths of this depth",
        "agents send absolute paths, except for the names in a patch of Codex CLI";
    W0622 If(is_absolute), STARTS, relative =>
        "`{path}` is an absolute path, and this is a relative one", "not the start of an absolute path",
        "agents send absolute paths, except for the names in a patch of Codex CLI";
};

/// Whether the field has the names of branches, as its declaration says.
fn is_branch(tested: &Tested<'_>) -> bool {
    tested.declared().is_some_and(|field| field.format.as_deref() == Some("branch"))
}

/// `refs/heads/main`
fn reference(tested: &Tested<'_>) -> Option<Wrong> {
    let (_, branch) = start(tested).strip_prefix("refs/")?.split_once('/').unwrap_or_default();
    Some(write_branch(branch))
}

/// `origin/main`
fn remote(tested: &Tested<'_>) -> Option<Wrong> {
    let text = start(tested);
    ["origin/", "upstream/"].iter().find_map(|remote| text.strip_prefix(remote)).map(write_branch)
}

/// The text that a value starts with.
fn start<'t>(tested: &'t Tested<'_>) -> &'t str {
    tested.text.strip_prefix('^').filter(|_| tested.op == Op::Regex).unwrap_or(&tested.text)
}

fn write_branch(branch: &str) -> Wrong {
    Wrong::write(match branch {
        "" => "compare it with the name of a branch: `main`".to_owned(),
        branch => format!("write `{}`", literal(branch)),
    })
}

fn is_changed(tested: &Tested<'_>) -> bool {
    is_of_repository(tested.leaf)
}

fn is_of_repository(leaf: &Leaf) -> bool {
    leaf.path.text.starts_with("$.changed_files[")
}

/// Whether a leaf compares one of these fields of an agent, not what a view makes of it.
fn is_one_of(leaf: &Leaf, field: &str, fields: &[&str]) -> bool {
    let is_view = matches!(leaf.path.kind, PathKind::View(_));
    !is_view && !is_of_repository(leaf) && fields.contains(&field)
}

fn is_path(tested: &Tested<'_>) -> bool {
    is_one_of(tested.leaf, &tested.field, &PATHS)
}

fn is_absolute(tested: &Tested<'_>) -> bool {
    is_one_of(tested.leaf, &tested.field, &ABSOLUTE)
}

fn is_file(tested: &Tested<'_>) -> bool {
    is_changed(tested) || is_one_of(tested.leaf, &tested.field, &FILES)
}

/// Paths, and the scopes of abilities, which are names with slashes.
fn has_globs(tested: &Tested<'_>) -> bool {
    is_path(tested) || is_changed(tested) || is_one_of(tested.leaf, &tested.field, &["ability_id"])
}

/// The paths of a condition that are also compared with absolute paths: there, a relative one is intended for other
/// agents.
pub(crate) fn absolute(cond: &Cond, known: &mut Fold<BTreeSet<String>>) -> BTreeSet<String> {
    known.value(cond.whole(), &mut |part, parts| {
        let is_absolute = |leaf: &&Leaf| {
            let op = leaf.op.node;
            let is_meant = || leaf.path.last_name().is_some_and(|field| is_one_of(leaf, &field, &ABSOLUTE));
            let is_level = |text: &str| op == Op::Glob && text.starts_with("*/");
            let mut texts = leaf.texts().map(|(_, text)| text);
            STARTS.contains(&op) && is_meant() && texts.any(|text| !is_relative(op, text) && !is_level(text))
        };
        let path = part.leaf().filter(is_absolute).map(|leaf| leaf.path.text.to_string());
        parts.into_iter().flatten().chain(path).collect()
    })
}

/// `~/.ssh`, `$HOME/.ssh`
pub(super) fn expanded(tested: &Tested<'_>) -> Option<Wrong> {
    let (text, op) = (&*tested.text, tested.op);
    let path = text.strip_prefix('^').filter(|_| op == Op::Regex);
    let anchor = if path.is_some() { "^" } else { "" };
    let path = path.unwrap_or(text);
    let written = expansion::at_start(path, true)?;
    let rest = path.get(written.len()..)?;
    let help = match (below(tested, written, rest), op) {
        (Some(test), _) => format!("write `{test}`, or the absolute path"),
        (None, Op::Regex) => format!("remove `{anchor}{written}` from the pattern"),
        (None, Op::Glob) => format!("write `{}`", tested.test("glob", &format!("**{rest}"))),
        (None, Op::StartsWith | Op::Contains) => format!("write `{}`", tested.test("contains", rest)),
        (None, _) => format!("write `{}`", tested.test("ends_with", rest)),
    };
    Some(Wrong::new(written, help))
}

/// The test of a path in or below the working directory: `$PWD` is written, and `rest` follows.
fn below(tested: &Tested<'_>, written: &str, rest: &str) -> Option<String> {
    let source = tested.leaf.path.source();
    if !expansion::is_directory(written) || !source.is_in("tool_input") {
        return None;
    }
    let (op, file) = (tested.op, format!("file({})", source.text));
    match (op, rest) {
        (Op::StartsWith, "" | "/") => Some(format!("{file}.inside == true")),
        (Op::StartsWith | Op::Eq | Op::Glob, _) => {
            let relative = rest.strip_prefix('/').filter(|relative| !relative.is_empty())?;
            Some(format!("{file}.relative {} {}", op.symbol(), literal(relative)))
        }
        _ => None,
    }
}

/// A slash at the end of a path, where events have none.
pub(super) fn slash(tested: &Tested<'_>) -> Option<Wrong> {
    let rest = tested.text.strip_suffix('/').filter(|rest| !rest.is_empty())?;
    Some(Wrong::write(format!("write {}", literal(rest))))
}

/// A relative path where events have absolute ones.
fn relative(tested: &Tested<'_>) -> Option<Wrong> {
    let (text, op) = (&*tested.text, tested.op);
    if tested.place.is_none_or(|place| place.takes_relative) || !is_relative(op, text) {
        return None;
    }
    let bare = text.strip_prefix("./").unwrap_or(text);
    let test = match op {
        _ if bare.starts_with('.') && bare.trim_matches(['.', '/']).is_empty() => {
            return Some(Wrong::write("write the absolute path, or compare with `cwd`"));
        }
        Op::Regex => return Some(Wrong::write("remove the `^`, or write `(^|/)` instead of it")),
        Op::StartsWith if !bare.ends_with('/') => tested.test("contains", &format!("/{bare}")),
        Op::StartsWith => tested.test("glob", &format!("**/{bare}**")),
        _ => tested.test("glob", &format!("**/{bare}")),
    };
    Some(Wrong::write(format!("write `{test}`")))
}

/// `*/secrets/*`, which matches `/secrets/x` and no deeper path.
fn one_level(tested: &Tested<'_>) -> Option<Wrong> {
    if tested.place.is_none_or(|place| place.takes_relative) {
        return None;
    }
    let rest = tested.text.strip_prefix("*/").filter(|rest| !rest.starts_with('*') && rest.len() > 1)?;
    let rest = rest.strip_suffix("/*").map_or_else(|| rest.to_owned(), |root| format!("{root}/**"));
    Some(Wrong::write(format!("write `{}`", tested.test("glob", &format!("**/{rest}")))))
}

/// A path that leads out of the repository, where paths are relative to its root.
fn outside(tested: &Tested<'_>) -> Option<Wrong> {
    let text = &*tested.text;
    let tilde = expansion::at_start(text, true);
    let start = ["./", "../", "/"].into_iter().find(|start| text.starts_with(start)).or(tilde)?;
    let rest = text.get(start.len()..)?.trim_start_matches('/');
    let is_elsewhere = start == "../" || rest.is_empty() || tilde.is_some();
    let help = match is_elsewhere {
        true => "write a path from the root of the repository".to_owned(),
        false => format!("write {}", literal(rest)),
    };
    Some(Wrong::new(start, help))
}

/// `*.(env|pem)`
fn parentheses(tested: &Tested<'_>) -> Option<Wrong> {
    Some(Wrong::write(format!("write {}", literal(&with_braces(&tested.text)?))))
}

/// A glob with its alternatives in braces instead of parentheses.
fn with_braces(text: &str) -> Option<String> {
    let (before, rest) = text.split_once('(')?;
    let (inner, after) = rest.split_once(')').filter(|(inner, _)| inner.contains('|'))?;
    let before = before.strip_suffix('@').unwrap_or(before);
    let after = with_braces(after).unwrap_or_else(|| after.to_owned());
    Some(format!("{before}{{{}}}{after}", inner.replace('|', ",")))
}

/// `*.env, *.pem`
fn list(tested: &Tested<'_>) -> Option<Wrong> {
    let globs: Vec<String> = several(&tested.text)?.into_iter().map(literal).collect();
    Some(Wrong::write(format!("write a list: `[{}]`", globs.join(", "))))
}

/// The globs of a text that lists several: `*.env, *.pem`, `*.env|*.pem`.
fn several(text: &str) -> Option<Vec<&str>> {
    let mut depth = 0_usize;
    let mut start = 0;
    let mut found = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '{' | '[' => depth += 1,
            '}' | ']' => depth = depth.saturating_sub(1),
            '|' | ',' if depth == 0 => {
                let rest = text.get(at + 1..)?;
                if c == '|' || rest.starts_with([' ', '*']) {
                    found.push(text.get(start..at)?.trim());
                    start = at + 1;
                }
            }
            _ => {}
        }
    }
    found.push(text.get(start..)?.trim());
    (found.len() > 1 && found.iter().all(|one| !one.is_empty())).then_some(found)
}

fn negation(tested: &Tested<'_>) -> Option<Wrong> {
    let rest = tested.text.strip_prefix('!').filter(|rest| !rest.is_empty())?;
    Some(Wrong::write(match is_changed(tested) {
        true => "write globs of the files that matter".to_owned(),
        false => format!("write `not ({})`", tested.test("glob", rest)),
    }))
}

fn regex(tested: &Tested<'_>) -> Option<Wrong> {
    let text = &*tested.text;
    let is_regex =
        text.starts_with('^') || text.ends_with('$') || text.contains("\\.") || text.contains(".+");
    is_regex.then(|| Wrong::write("write a glob, or use the operator `=~`"))
}

fn directory(tested: &Tested<'_>) -> Option<Wrong> {
    let is_directory = tested.text.ends_with('/') && tested.text.len() > 1;
    let below = || literal(&format!("{}**", tested.text));
    is_directory.then(|| Wrong::write(format!("for everything below it, write {}", below())))
}

#[cfg(test)]
mod tests {
    use super::several;

    #[test]
    fn lists_in_one_glob() {
        assert_eq!(several("*.env, *.pem"), Some(vec!["*.env", "*.pem"]));
        assert_eq!(several("*.env|*.pem"), Some(vec!["*.env", "*.pem"]));
        for one in ["*.{env,pem}", "a, ", "x[|]y", "a,b.txt", "**"] {
            assert_eq!(several(one), None, "{one}");
        }
    }
}
