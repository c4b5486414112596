//! Names of files in conditions: text that only a shell expands (W0620), paths in a form that
//! events never have (W0622), and globs in another notation (W0623).
//!
//! Agents send absolute paths, except for the names in a patch; the changed files of a repository
//! are relative to its root.

use std::collections::BTreeSet;

use hookc_schema::tree::{Cond, Family, Fold, Leaf, Op, PathKind};
use hookc_schema::value::Value;
use hookc_schema::{Code, Diagnostic};
use hookc_syntax::expr::print;

use super::Cx;
use super::event::Scope;
use crate::fields::PATHS;
use crate::lint::certain::is_relative;
use crate::lint::expansion;

/// Those of [`PATHS`] that agents fill with absolute paths.
const ABSOLUTE: [&str; 4] = ["file_path", "notebook_path", "transcript_path", "cwd"];

/// Fields with the names of files only: none of them ends with a slash.
const FILES: [&str; 3] = ["file_path", "notebook_path", "transcript_path"];

/// What a field contains, as far as this module judges it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Subject {
    /// A path of an agent, with the name of its field.
    Agent { absolute: bool, file: bool },
    /// Files of a repository, relative to its root.
    Changed,
    /// The scope of an ability: names with slashes.
    Ability,
}

fn subject(leaf: &Leaf) -> Option<Subject> {
    if leaf.path.text.starts_with("$.changed_files[") {
        return Some(Subject::Changed);
    }
    // A command line has paths of any form, and the view of a path is checked with the other views.
    if matches!(leaf.path.kind, PathKind::View(_)) {
        return None;
    }
    let field = &*leaf.path.last_name()?;
    match field {
        "ability_id" => Some(Subject::Ability),
        _ => PATHS
            .contains(&field)
            .then(|| Subject::Agent { absolute: ABSOLUTE.contains(&field), file: FILES.contains(&field) }),
    }
}

/// The paths of a condition that are also compared with absolute paths: there, a relative one is
/// intended for other agents.
pub(super) fn absolute(cond: &Cond, known: &mut Fold<BTreeSet<String>>) -> BTreeSet<String> {
    known.value(cond.whole(), &mut |part, parts| {
        let is_absolute = |leaf: &&Leaf| {
            let op = leaf.op.node;
            let has_start = matches!(op, Op::Eq | Op::Ne | Op::In | Op::StartsWith | Op::Glob | Op::Regex);
            let is_subject = || matches!(subject(leaf), Some(Subject::Agent { absolute: true, .. }));
            has_start && is_subject() && leaf.texts().any(|(_, text)| !is_relative(op, text))
        };
        let path = part.leaf().filter(is_absolute).map(|leaf| leaf.path.text.to_string());
        parts.into_iter().flatten().chain(path).collect()
    })
}

/// Reports the texts of a leaf that no name of a file can match.
pub(super) fn check(leaf: &Leaf, scope: &Scope, cx: &mut Cx<'_>) {
    let Some(subject) = subject(leaf) else { return };
    let open = cx.here.names_others() || cx.absolute.contains(&*leaf.path.text);
    for (value, text) in leaf.texts() {
        if text.contains(char::is_control) || cx.reported.contains(&(Code::W0617, value.span)) {
            continue;
        }
        let found = match subject {
            Subject::Agent { absolute, file } => {
                let found = expanded(leaf, value, text).or_else(|| notation(leaf, value, text, file));
                found.or_else(|| slash(leaf, value, text).filter(|_| absolute)).or_else(|| {
                    let judged = absolute && !open && scope.family == Family::Agent;
                    judged.then(|| relative(leaf, value, text)).flatten()
                })
            }
            Subject::Changed => outside(leaf, value, text).or_else(|| notation(leaf, value, text, true)),
            Subject::Ability => notation(leaf, value, text, false),
        };
        if let Some(found) = found {
            cx.report_once(found);
        }
    }
}

/// `~/.ssh`, `$HOME/.ssh`.
pub(super) fn expanded(leaf: &Leaf, value: &Value, text: &str) -> Option<Diagnostic> {
    let op = leaf.op.node;
    let (anchor, path) = match text.strip_prefix('^') {
        Some(rest) if op == Op::Regex => ("^", rest),
        _ => ("", text),
    };
    let written = expansion::at_start(path, true)?;
    let rest = path.get(written.len()..)?;
    let what = format!("`{written}` is text here: no shell expands it");
    let new = Diagnostic::new(Code::W0620, value.span, what).with_label("compared character by character");
    let new = new.note("agents send absolute paths");
    if let Some(test) = below(leaf, written, rest) {
        return Some(new.help(format!("write `{test}`, or the absolute path")));
    }
    let left = &leaf.path.text;
    Some(new.help(match op {
        Op::Regex => format!("remove `{anchor}{written}` from the pattern"),
        Op::Glob => format!("write `{left} glob {}`", quoted(&format!("**{rest}"))),
        Op::StartsWith | Op::Contains => format!("write `{left} contains {}`", quoted(rest)),
        _ => format!("write `{left} ends_with {}`", quoted(rest)),
    }))
}

/// The test of a path in or below the working directory: `$PWD` is written, and `rest` behind it.
fn below(leaf: &Leaf, written: &str, rest: &str) -> Option<String> {
    let source = leaf.path.source();
    if !expansion::is_directory(written) || !source.is_in("tool_input") {
        return None;
    }
    let (op, file) = (leaf.op.node, format!("file({})", source.text));
    match (op, rest) {
        (Op::StartsWith, "" | "/") => Some(format!("{file}.inside == true")),
        (Op::StartsWith | Op::Eq | Op::Glob, _) => {
            let relative = rest.strip_prefix('/').filter(|relative| !relative.is_empty())?;
            Some(format!("{file}.relative {} {}", op.symbol(), quoted(relative)))
        }
        _ => None,
    }
}

/// A slash at the end of a path, where events have none.
fn slash(leaf: &Leaf, value: &Value, text: &str) -> Option<Diagnostic> {
    let whole = matches!(leaf.op.node, Op::Eq | Op::Ne | Op::In | Op::EndsWith);
    let rest = text.strip_suffix('/').filter(|rest| whole && !rest.is_empty())?;
    let what = format!("`{}` never ends with `/`", leaf.path.text);
    let new = Diagnostic::new(Code::W0622, value.span, what).with_label("the last character");
    Some(new.help(format!("write {}", quoted(rest))))
}

/// A relative path where events have absolute ones.
fn relative(leaf: &Leaf, value: &Value, text: &str) -> Option<Diagnostic> {
    let op = leaf.op.node;
    if !is_relative(op, text) || matches!(op, Op::Contains | Op::EndsWith) {
        return None;
    }
    let left = &leaf.path.text;
    let what = format!("`{left}` is an absolute path, and this is a relative one");
    let new = Diagnostic::new(Code::W0622, value.span, what).with_label("not the start of an absolute path");
    let new = new.note("agents send absolute paths, except for the names in a patch of Codex CLI");
    let bare = text.strip_prefix("./").unwrap_or(text);
    Some(new.help(match op {
        _ if bare.starts_with('.') && bare.trim_matches(['.', '/']).is_empty() => {
            "write the absolute path, or compare with `cwd`".to_owned()
        }
        Op::Regex => "remove the `^`, or write `(^|/)` instead of it".to_owned(),
        Op::StartsWith if !bare.ends_with('/') => {
            format!("write `{left} contains {}`", quoted(&format!("/{bare}")))
        }
        Op::StartsWith => format!("write `{left} glob {}`", quoted(&format!("**/{bare}**"))),
        _ => format!("write `{left} glob {}`", quoted(&format!("**/{bare}"))),
    }))
}

/// A path that leads out of the repository, where paths are relative to its root.
fn outside(leaf: &Leaf, value: &Value, text: &str) -> Option<Diagnostic> {
    if leaf.op.node != Op::Glob && leaf.op.node != Op::Eq && leaf.op.node != Op::In {
        return None;
    }
    let tilde = expansion::at_start(text, true);
    let start = ["./", "../", "/"].into_iter().find(|start| text.starts_with(start)).or(tilde)?;
    let what = format!("changed files are relative to the repository, and this starts with `{start}`");
    let new = Diagnostic::new(Code::W0622, value.span, what).with_label("matches no file");
    let rest = text.get(start.len()..)?.trim_start_matches('/');
    Some(match (start, rest) {
        ("../", _) | (_, "") => new.help("write a path from the root of the repository"),
        _ if tilde.is_some() => new.help("write a path from the root of the repository"),
        (_, rest) => new.help(format!("write {}", quoted(rest))),
    })
}

/// A glob in the notation of something else: a list in one text, a negation, a regular expression.
fn notation(leaf: &Leaf, value: &Value, text: &str, file: bool) -> Option<Diagnostic> {
    if leaf.op.node != Op::Glob {
        return None;
    }
    let report = |label: &str, help: String| {
        let new =
            Diagnostic::new(Code::W0623, value.span, "this glob is in another notation, and matches nothing");
        Some(new.with_label(label.to_owned()).help(help))
    };
    if let Some(braces) = with_braces(text) {
        return report("parentheses are characters", format!("write {}", quoted(&braces)));
    }
    if let Some(globs) = several(text) {
        let globs: Vec<String> = globs.into_iter().map(quoted).collect();
        return report(
            "one glob, with the separators in it",
            format!("write a list: `[{}]`", globs.join(", ")),
        );
    }
    if let Some(rest) = text.strip_prefix('!').filter(|rest| !rest.is_empty()) {
        let left = &leaf.path.text;
        return report(
            "globs have no negation",
            match left.starts_with("$.changed_files[") {
                true => "write globs of the files that matter".to_owned(),
                false => format!("write `not ({left} glob {})`", quoted(rest)),
            },
        );
    }
    let regex = text.starts_with('^') || text.ends_with('$') || text.contains("\\.") || text.contains(".+");
    if regex {
        return report("a regular expression", "write a glob, or use the operator `=~`".to_owned());
    }
    if file && text.ends_with('/') && text.len() > 1 {
        let help = format!("for everything below it, write {}", quoted(&format!("{text}**")));
        return report("no name of a file ends with `/`", help);
    }
    None
}

/// A glob with its alternatives in parentheses, `*.(env|pem)`, in braces instead.
fn with_braces(text: &str) -> Option<String> {
    let (before, rest) = text.split_once('(')?;
    let (inner, after) = rest.split_once(')').filter(|(inner, _)| inner.contains('|'))?;
    let before = before.strip_suffix('@').unwrap_or(before);
    let after = with_braces(after).unwrap_or_else(|| after.to_owned());
    Some(format!("{before}{{{}}}{after}", inner.replace('|', ",")))
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

fn quoted(text: &str) -> String {
    print::literal(text)
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
