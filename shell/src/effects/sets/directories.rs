//! Patterns of paths that match a directory and nothing in it.

use super::super::pattern::braces;
use super::super::{ALTERNATIVES, Comparable, PatternKind, Relation};
use super::shipped::{directories, shipped_sets};

/// For a pattern of paths that matches directories, the pattern that matches what is in them too. A pattern matches a
/// directory if it is a root (`/`, `~`, `.`), or if a shipped set names files below it.
#[must_use]
pub fn below_directory(pattern: &str) -> Option<String> {
    let alternatives = braces::expand(pattern, ALTERNATIVES)?;
    if !alternatives.iter().any(|alternative| is_directory(alternative)) {
        return None;
    }
    let pattern = pattern.trim_end_matches('/');
    let is_name = !pattern.contains('/') && !pattern.is_empty() && !is_root(pattern);
    Some(if is_name { format!("**/{pattern}/**") } else { format!("{pattern}/**") })
}

fn is_directory(pattern: &str) -> bool {
    let Some(name) = pattern.split('/').rfind(|name| !name.is_empty()).filter(|name| !is_root(name)) else {
        return !pattern.is_empty();
    };
    let same_name = directories()
        .iter()
        .filter(|directory| directory.rsplit('/').next().is_some_and(|last| last.eq_ignore_ascii_case(name)));
    // A name without a dot, anywhere, can be a file: `log`, `bin`.
    let is_telling = pattern.trim_start_matches("**/").contains('/') || name.starts_with('.');
    let mut same_name = same_name.filter(|_| is_telling).peekable();
    if same_name.peek().is_none() {
        return false;
    }
    let pattern = Comparable::new(PatternKind::Path, pattern, &[]);
    let covers = |one: &Comparable<'_>, other: &Comparable<'_>| one.relation(other) == Relation::Covers;
    same_name.any(|directory| {
        let directory = Comparable::new(PatternKind::Path, directory, &[]);
        covers(&directory, &pattern) || covers(&pattern, &directory)
    })
}

/// Whether a shipped set of paths names files so.
#[must_use]
pub fn is_known_file(name: &str) -> bool {
    let of_paths = shipped_sets().iter().filter(|set| set.kind == PatternKind::Path);
    let mut alternatives = of_paths
        .flat_map(|set| set.of)
        .flat_map(|pattern| braces::expand(pattern, ALTERNATIVES).unwrap_or_default());
    alternatives.any(|pattern| pattern.rsplit('/').next() == Some(name))
}

/// Whether a name stands for a directory of any name.
fn is_root(name: &str) -> bool {
    matches!(name, "~" | "." | "..")
}
