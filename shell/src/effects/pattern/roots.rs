//! The directories that relative patterns start at, and where paths are, seen from them.

use super::glob::Case;
use super::machine::is_same;
use super::path::Roots;
use crate::HoleKind;
use crate::effects::{Gap, Text};
use crate::token::{long, short};

/// The directories that a relative pattern starts at.
pub(super) fn roots(roots: Roots<'_>, up: usize, is_wide: bool) -> impl Iterator<Item = &str> {
    let cwd = roots.cwd.filter(|cwd| is_wide && roots.project != Some(cwd));
    [roots.project, cwd].into_iter().flatten().filter_map(move |root| above(root, up))
}

/// What is above the unknown directory of the event, at most so many steps.
const ABOVE: &str = "../../../../../../../../../../../../../../../..";

/// A directory some steps above another one; above the root is the root.
fn above(root: &str, up: usize) -> Option<&str> {
    if root.is_empty() && up > 0 {
        return ABOVE.get(..up * 3 - 1);
    }
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
    /// Some directories with unknown names below it, and the bytes in front of the path from there.
    Inside(usize, usize),
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
    if let Some(levels) = steps_up(root, usize::MAX) {
        return match object.text {
            _ if is_unknown_start => Below::Nowhere,
            text if text.starts_with(['/', '~']) => Below::Outside,
            text => {
                let steps = steps_up(text, first_hole).unwrap_or_default();
                let start = (steps * 3).min(text.len());
                match levels.checked_sub(steps) {
                    None => Below::Outside,
                    Some(0) => Below::At(start),
                    Some(inside) => Below::Inside(inside, start),
                }
            }
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

/// How many directories above its start a path goes: 2 of `../../x`. None if it does not.
fn steps_up(path: &str, first_hole: usize) -> Option<usize> {
    let known = path.get(..first_hole.min(path.len()))?;
    // A name that ends in a hole is another one.
    let known = if known.len() < path.len() { known.rsplit_once('/')?.0 } else { known };
    let steps = known.split('/').take_while(|name| *name == "..").count();
    (steps > 0).then_some(steps)
}

/// Calls a test with a path below some directories with unknown names.
pub(super) fn inside(
    levels: usize,
    path: Text<'_>,
    start: usize,
    test: impl FnOnce(Text<'_>) -> bool,
) -> bool {
    let mut text = "\u{10FFFD}/".repeat(levels);
    let added = text.len();
    text.push_str(path.text.get(start..).unwrap_or_default());
    let moved = |at: u32| short((long(at) + added).saturating_sub(start));
    let holes: Vec<Gap> =
        path.holes.iter().map(|hole| Gap { from: moved(hole.from), to: moved(hole.to), ..*hole }).collect();
    test(Text { text: &text, holes: &holes })
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
