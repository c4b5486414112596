//! Patterns that match a directory and nothing in it (W0678): `reads('~/.ssh')`, `writes('node_modules')`.

use hookc_base::Verb;
use hookc_schema::Diagnostic;
use hookc_schema::diag::Fix;
use hookc_shell::effects::{Comparable, PatternKind, Relation, Set, below_directory, is_known_file};
use hookc_shell::programs;

use super::listed::Listed;

/// Longer lists are not checked.
const COMPARED: usize = 64;

/// The patterns of a list of paths, to compare each with the others; `None` if the list is not checked.
pub(super) fn comparables<'l>(
    listed: &[Listed<'l>],
    kind: PatternKind,
    sets: &[Set],
) -> Option<Vec<Comparable<'l>>> {
    let is_checked = kind == PatternKind::Path && listed.len() <= COMPARED;
    is_checked.then(|| listed.iter().map(|one| Comparable::new(kind, one.text, sets)).collect())
}

/// Reports a pattern of a directory, unless another one of the list matches what is in it.
pub(super) fn check(
    one: &Listed<'_>,
    listed: &[Listed<'_>],
    comparables: &[Comparable<'_>],
    verb: Verb,
    sets: &[Set],
) -> Option<Diagnostic> {
    // A directory can be deleted or moved as a whole. To write one as a path, `changes('**/.git')`, says that this is meant.
    let is_whole = verb == Verb::Delete || verb == Verb::Change && one.text.contains('/');
    if is_whole || one.text.ends_with("//") {
        return None;
    }
    let known = below_directory(one.text);
    let below = known.clone().or_else(|| below_name(one.text))?;
    let read = Comparable::new(PatternKind::Path, &below, sets);
    let covers = |other: &Comparable<'_>| other.relation(&read) == Relation::Covers;
    // Another pattern is about what is in it.
    let direct = format!("{}/*", one.text);
    let inside = format!("{}/**", one.text);
    let is_distinct = |other: &Listed<'_>| other.text == direct || other.text.ends_with(&inside);
    if listed.iter().any(is_distinct) || comparables.iter().any(covers) {
        return None;
    }
    if known.is_none() {
        let new = one.diagnostic("this matches a file of this name, and nothing in a directory of this name");
        let name = one.text;
        return Some(new.help(format!("write `'{below}'` for a directory, or `'**/{name}'` for a file")));
    }
    let new = one.diagnostic("this matches the directory itself, and no file in it");
    let mut new = new.help(format!("for the files in it too, write `'{below}'`"));
    // A text without quotes in YAML cannot start with `*`.
    new.fix = (!below.starts_with('*')).then(|| {
        let mut fix = Fix::new(one.span, below);
        fix.keeps_quotes = true;
        fix
    });
    Some(new)
}

/// For a name that is rather one of a directory, the pattern of what is in it. A file has an extension, capitals, or a
/// name that a shipped set or a program has.
fn below_name(pattern: &str) -> Option<String> {
    let is_plain =
        |next: char| next.is_ascii_lowercase() || next.is_ascii_digit() || matches!(next, '_' | '-');
    let is_name = !pattern.is_empty() && pattern.chars().all(is_plain);
    let is_file = || is_known_file(pattern) || programs::program(pattern).is_some();
    (is_name && !is_file()).then(|| format!("**/{pattern}/**"))
}
