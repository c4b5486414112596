//! The directories that relative patterns start at, and where paths are, seen from them.

use super::glob::Case;
use super::machine::is_same;
use super::path::Roots;
use crate::HoleKind;
use crate::effects::Text;
use crate::token::long;

/// The directories that a relative pattern starts at.
pub(super) fn roots(roots: Roots<'_>, up: usize, is_wide: bool) -> impl Iterator<Item = &str> {
    let cwd = roots.cwd.filter(|cwd| is_wide && roots.project != Some(cwd));
    [roots.project, cwd].into_iter().flatten().filter_map(move |root| above(root, up))
}

/// A directory some steps above another one; above the root is the root.
fn above(root: &str, up: usize) -> Option<&str> {
    (0..up).try_fold(root, |root, _| match root.rsplit_once('/') {
        Some(("", _)) => Some("/"),
        Some((above, _)) => Some(above),
        None => None,
    })
}

/// A relative path from a directory.
pub(super) fn join(root: &str, path: &str) -> String {
    if path.is_empty() || root.is_empty() {
        return format!("{root}{path}");
    }
    format!("{}/{path}", root.trim_end_matches('/'))
}

/// Where an object is, seen from a directory.
pub(super) enum Below {
    /// In the directory, or the directory itself: the bytes in front of its relative path.
    At(usize),
    Outside,
    /// A hole decides it.
    Unclear,
    /// Both the directory and the start of the path are unknown.
    Nowhere,
}

pub(super) fn below(object: Text<'_>, root: &str, case: Case) -> Below {
    let first_hole = object.holes.first().map_or(usize::MAX, |hole| long(hole.from));
    let is_unknown_start =
        object.holes.first().is_some_and(|hole| hole.from == 0 && hole.kind == HoleKind::Text);
    if root.is_empty() {
        return match object.text {
            _ if is_unknown_start => Below::Nowhere,
            text if text.starts_with(['/', '~']) || text == ".." || text.starts_with("../") => Below::Outside,
            _ => Below::At(0),
        };
    }
    let root = root.trim_end_matches('/');
    let known = object.text.get(..first_hole.min(object.text.len())).unwrap_or_default();
    match strip(known, root, case) {
        Some("") if known.len() < object.text.len() => Below::Unclear,
        Some("") => Below::At(known.len()),
        Some(rest) if rest.starts_with('/') => Below::At(known.len() - rest.len() + 1),
        Some(_) => Below::Outside,
        None if known.len() < object.text.len() && strip(root, known, case).is_some() => Below::Unclear,
        None => Below::Outside,
    }
}

/// A text without a prefix.
pub(super) fn strip<'t>(text: &'t str, prefix: &str, case: Case) -> Option<&'t str> {
    if prefix.is_ascii()
        && let Some((start, rest)) = text.split_at_checked(prefix.len())
        && start.is_ascii()
    {
        let is_same = start == prefix || case == Case::Ignored && start.eq_ignore_ascii_case(prefix);
        return is_same.then_some(rest);
    }
    let mut rest = text.chars();
    let is_prefix = prefix.chars().all(|next| rest.next().is_some_and(|found| is_same(next, found, case)));
    is_prefix.then_some(rest.as_str())
}
