//! What patches do to their files: those of tools, and those that programs read from a line.

use super::collector::{Collector, Marks};
use super::inputs::resolve;
use super::roles::Roles;
use super::text::Stored;
use super::{Kind, Scheme, UnknownCause, flow};
use crate::patch::{self, Change};
use crate::programs::Role;

/// A patch that is being applied.
struct Patch<'p, 'a> {
    out: &'p mut Collector<'a>,
    /// Where its paths are from.
    directory: Stored,
    marks: Marks,
    /// How many names in front of the paths of a diff are dropped; none if those are `a/` and `b/`.
    dropped: Option<usize>,
}

/// What a patch does that is an input of a tool.
pub(super) fn input(out: &mut Collector<'_>, directory: Stored, text: &str) {
    out.actions.add_text(text);
    let mut patch = Patch { out, directory, marks: Marks::default(), dropped: None };
    if !patch.sections(text) && !patch.diff(text) {
        patch.out.unknown(UnknownCause::Patch);
    }
}

/// What a patch on the line does, that of an operand or of the input of a program. Whether its files are known.
pub(super) fn given(roles: &mut Roles<'_, '_, '_>) -> bool {
    let reading = roles.reading;
    if reading.text("stdin") != Some("PATCH") || roles.is_dry {
        return false;
    }
    let operand = reading.arguments.iter().find(|argument| argument.role == Some(Role::Patch));
    let input = || flow::input_text(roles.line, roles.command)?.literal();
    let text = operand.map_or_else(input, |argument| argument.word.literal());
    let (Some(text), [Some(directory)]) = (text, roles.directories.as_slice()) else { return false };
    let mut directory = *directory;
    if let Some(into) = roles.into {
        roles.out.resolve(Some(directory), into);
        directory = roles.out.actions.store.push(roles.out.draft.text());
    }
    let dropped =
        reading.flags.iter().find(|flag| matches!(flag.name, "p" | "strip")).and_then(|flag| flag.value);
    let dropped = dropped.map_or(reading.text("strip"), |value| value.literal());
    let dropped = dropped.and_then(|count| count.parse().ok());
    // Paths of git are from the top of its repository.
    let project = roles.out.actions.project.map(|project| roles.out.actions.text(project).text);
    let is_top = || project == Some(roles.out.actions.text(directory).text);
    let is_placed = dropped.is_some() && (reading.inherited("pathspecs").is_none() || is_top());
    let mut patch = Patch { out: roles.out, directory, marks: roles.marks, dropped };
    patch.sections(text) || is_placed && patch.diff(text)
}

impl Patch<'_, '_> {
    fn file(&mut self, path: &str, kinds: &[Kind]) -> Stored {
        resolve(self.out, self.directory, path);
        let object = self.out.actions.store.push(self.out.draft.text());
        kinds.iter().for_each(|kind| self.out.effect(*kind, Scheme::File, object, self.marks));
        object
    }

    /// What the sections of a patch do; whether it has any.
    fn sections(&mut self, text: &str) -> bool {
        let mut before = None;
        for (change, path) in patch::files(text) {
            let kinds: &[Kind] = match change {
                Change::Add | Change::MoveTo => &[Kind::Write],
                Change::Update => &[Kind::Use, Kind::Write],
                Change::Delete => &[Kind::Delete],
            };
            let object = self.file(path, kinds);
            if let Some(before) = before.filter(|_| change == Change::MoveTo) {
                self.out.effect(Kind::Delete, Scheme::File, before, self.marks);
            }
            before = Some(object);
        }
        before.is_some()
    }

    /// What a unified diff does; whether it names a file.
    fn diff(&mut self, text: &str) -> bool {
        let (mut before, mut has_files) = (None, false);
        for line in text.lines() {
            let path = |head: &str| line.strip_prefix(head)?.split('\t').next();
            if let Some(path) = path("--- ") {
                before = Some(path);
                continue;
            }
            let (path, kind) =
                match (path("+++ "), path("rename from "), path("rename to ").or(path("copy to "))) {
                    (Some(path), ..) => {
                        self.changed(before.take(), path);
                        has_files = true;
                        continue;
                    }
                    (_, Some(path), _) => (path, Kind::Delete),
                    (.., Some(path)) => (path, Kind::Write),
                    _ => continue,
                };
            self.file(path, &[kind]);
            has_files = true;
        }
        has_files
    }

    /// A file with another content, a new one or a deleted one.
    fn changed(&mut self, before: Option<&str>, after: &str) {
        let before = before.filter(|path| *path != NOTHING).map(|path| self.path(path));
        let after = Some(after).filter(|path| *path != NOTHING).map(|path| self.path(path));
        match (before, after) {
            (Some(before), None) => _ = self.file(before, &[Kind::Delete]),
            (None, Some(after)) => _ = self.file(after, &[Kind::Write]),
            (Some(before), Some(after)) => {
                self.file(before, &[Kind::Use, Kind::Write]);
                if before != after {
                    self.file(after, &[Kind::Write]);
                }
            }
            (None, None) => {}
        }
    }

    /// A path without the names in front that are dropped.
    fn path<'t>(&self, path: &'t str) -> &'t str {
        match self.dropped {
            None => path.strip_prefix("a/").or_else(|| path.strip_prefix("b/")).unwrap_or(path),
            Some(count) => path.splitn(count + 1, '/').last().unwrap_or(path),
        }
    }
}

/// What a diff names for a file that is not there.
const NOTHING: &str = "/dev/null";
