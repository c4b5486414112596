//! The files of patches: the sections of `apply_patch`, and unified diffs.

use super::model::Kind;

/// What is done to a file, by its path in the patch.
pub(super) type Change = (Kind, String);

/// What the sections of a patch do; nothing if it has none.
pub(super) fn sections(text: &str) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut before: Option<String> = None;
    for (head, path) in text.lines().filter_map(section) {
        let kinds: &[Kind] = match head {
            "Add File" | "Move to" => &[Kind::Write],
            "Update File" => &[Kind::Use, Kind::Write],
            _ => &[Kind::Delete],
        };
        changes.extend(kinds.iter().map(|kind| (*kind, path.clone())));
        if let Some(before) = before.filter(|_| head == "Move to") {
            changes.push((Kind::Delete, before));
        }
        before = Some(path);
    }
    changes
}

/// The head of a section: `*** Add File: PATH`, with any whitespace between its parts.
fn section(line: &str) -> Option<(&'static str, String)> {
    let rest = line.trim_start().strip_prefix("***").filter(|rest| rest.starts_with(char::is_whitespace))?;
    let heads = ["Add File", "Update File", "Delete File", "Move to"];
    heads.into_iter().find_map(|head| {
        let path = rest.trim_start().strip_prefix(head)?.strip_prefix(':')?.trim();
        (!path.is_empty()).then(|| (head, path.to_owned()))
    })
}

/// What a unified diff does; nothing if it names no file. Without a number of names in front of paths that are dropped,
/// `a/` and `b/` are.
pub(super) fn diff(text: &str, dropped: Option<usize>) -> Vec<Change> {
    let stripped = |path: &str| match dropped {
        Some(count) => path.splitn(count + 1, '/').last().unwrap_or(path).to_owned(),
        None => path.strip_prefix("a/").or_else(|| path.strip_prefix("b/")).unwrap_or(path).to_owned(),
    };
    let file = |path: &str| (path != "/dev/null").then(|| stripped(path));
    let (mut changes, mut before) = (Vec::new(), None);
    for line in text.lines() {
        let after = |head: &str| Some(line.strip_prefix(head)?.split('\t').next().unwrap_or_default());
        if let Some(path) = after("--- ") {
            before = file(path);
        } else if let Some(path) = after("+++ ") {
            match (before.take(), file(path)) {
                (Some(before), None) => changes.push((Kind::Delete, before)),
                (None, Some(new)) => changes.push((Kind::Write, new)),
                (Some(before), Some(new)) => {
                    changes.extend([(Kind::Use, before.clone()), (Kind::Write, before), (Kind::Write, new)]);
                }
                (None, None) => {}
            }
        } else if let Some(path) = after("rename from ") {
            changes.push((Kind::Delete, path.to_owned()));
        } else if let Some(path) = after("rename to ").or_else(|| after("copy to ")) {
            changes.push((Kind::Write, path.to_owned()));
        }
    }
    changes
}
