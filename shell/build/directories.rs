//! The directories that patterns of paths name files in.

use std::collections::BTreeSet;

use crate::braces;

/// The most alternatives of a pattern.
const ALTERNATIVES: usize = 1_024;

/// What comes before a `/` in the patterns, where the name certainly is that of a directory: it has a leading dot
/// somewhere, or a place from the root or a home. `private` anywhere can be a file too.
pub(crate) fn directories(patterns: &[String]) -> BTreeSet<String> {
    let alternatives = patterns.iter().filter_map(|pattern| braces::expand(pattern, ALTERNATIVES)).flatten();
    let mut found = BTreeSet::new();
    for pattern in alternatives.filter(|pattern| !pattern.starts_with('@')) {
        let parents = pattern.match_indices('/').filter_map(|(at, _)| pattern.get(..at));
        found.extend(parents.filter(|parent| is_certain(parent)).map(str::to_owned));
    }
    found
}

fn is_certain(directory: &str) -> bool {
    let name = directory.rsplit('/').next().unwrap_or_default();
    let is_placed = directory.starts_with(['/', '~']);
    let has_dot = directory.split('/').any(|name| name.starts_with('.') && name != "." && name != "..");
    !name.is_empty() && !name.contains(['*', '?', '[', '\\']) && name != "~" && (is_placed || has_dot)
}
