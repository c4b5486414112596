//! The view of the path of a file: where it leads, by its text. Nothing is looked up, and links are not followed.
//!
//! The rules are those of the files of a command line ([`paths`]). A tool can be of any system, though, so a
//! path that tools understand in different ways leads nowhere here.

use std::fmt;

use hookc_base::json::push_string;
use hookc_shell::effects::Project;
use hookc_shell::paths::{self, is_ambiguous, is_blank, name};

use crate::limits::FILE_PATH_BYTES;

/// The members of the view.
pub const MEMBERS: [&str; 7] = ["extension", "inside", "name", "ok", "path", "reason", "relative"];

hookc_base::named_enums! {
    /// Why it is unknown where a path leads.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Cause as_str {
        /// The value is not a text.
        NotText "not_text";
        /// A NUL, which no path contains.
        Nul "nul";
        /// Longer than [`FILE_PATH_BYTES`].
        TooLong "too_long";
        /// Tools differ in what it means: a backslash, a drive, a scheme, whitespace at an end.
        Ambiguous "ambiguous";
        /// Relative, and the working directory is unknown.
        UnknownCwd "unknown_cwd";
        /// Below another home than `~`, or above `~`.
        UnknownHome "unknown_home";
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotText => "a value that is not a text",
            Self::Nul => "a zero byte",
            Self::TooLong => "a path beyond the limit",
            Self::Ambiguous => "a path with a backslash, a drive, a scheme, or whitespace at an end",
            Self::UnknownCwd => "a relative path, and the working directory is unknown",
            Self::UnknownHome => "a path below another home than `~`, or above `~`",
        })
    }
}

/// The view of the path of a file as canonical JSON. `cwd` is the working directory of the event, and its project.
#[must_use]
pub fn view(text: &str, cwd: Option<&str>) -> String {
    let mut out = String::new();
    write_view(text, (cwd, Project::Absent), &mut out);
    out
}

/// Appends the [`view()`] of the path of a file: relative paths are from the working directory, `inside` and `relative`
/// are about the project.
pub fn write_view(text: &str, (cwd, project): (Option<&str>, Project<'_>), out: &mut String) {
    if let Err(cause) = check(text) {
        return write(&Seen { cause: Some(cause), ..Seen::default() }, out);
    }
    let directory = directory(cwd);
    let project = match project {
        Project::At(path) => self::directory(Some(path)),
        Project::Absent => directory.clone(),
        Project::Nowhere => String::new(),
    };
    let mut path = String::new();
    match locate(text, &directory, &mut path) {
        Err(cause) => write(
            &Seen { cause: Some(cause), name: name(text.trim_matches(is_blank)), ..Seen::default() },
            out,
        ),
        Ok(()) => {
            let inside = if project.is_empty() { None } else { paths::is_inside(&project, &path) };
            let below = || path.strip_prefix(project.as_str()).map(|below| below.trim_start_matches('/'));
            let relative = inside.filter(|is_inside| *is_inside).and_then(|_| below());
            let relative = relative.map(|below| if below.is_empty() { "." } else { below });
            write(&Seen { path: Some(&path), inside, relative, name: name(&path), cause: None }, out);
        }
    }
}

/// Appends the view of a value that is not a text.
pub(crate) fn write_not_text(out: &mut String) {
    write(&Seen { cause: Some(Cause::NotText), ..Seen::default() }, out);
}

/// Rejects a text that is not the path of a file.
fn check(text: &str) -> Result<(), Cause> {
    if text.len() > FILE_PATH_BYTES {
        return Err(Cause::TooLong);
    }
    if text.contains('\0') { Err(Cause::Nul) } else { Ok(()) }
}

/// Where the path of a directory leads; empty if that is unknown.
fn directory(path: Option<&str>) -> String {
    let mut directory = String::new();
    let is_known = |path: &str, out: &mut String| check(path).is_ok() && locate(path, "", out).is_ok();
    if !path.is_some_and(|path| is_known(path, &mut directory)) {
        directory.clear();
    }
    directory
}

/// Appends where a path leads from a directory, which is empty if it is unknown.
fn locate(text: &str, directory: &str, path: &mut String) -> Result<(), Cause> {
    if is_ambiguous(text) {
        return Err(Cause::Ambiguous);
    }
    if directory.is_empty() && !text.starts_with(['/', '~']) {
        return Err(Cause::UnknownCwd);
    }
    paths::resolve(directory, text, path).ok_or(Cause::UnknownHome)
}

/// The part of a name after its last dot; none of `.env` and `name.`.
fn extension(name: &str) -> Option<&str> {
    let (stem, extension) = name.rsplit_once('.')?;
    (!stem.is_empty() && !extension.is_empty()).then_some(extension)
}

/// What is known about a path.
#[derive(Default)]
struct Seen<'p> {
    path: Option<&'p str>,
    inside: Option<bool>,
    relative: Option<&'p str>,
    name: Option<&'p str>,
    /// Why the path is unknown.
    cause: Option<Cause>,
}

fn write(seen: &Seen<'_>, out: &mut String) {
    out.push_str("{\"extension\":");
    optional(seen.name.and_then(extension), out);
    out.push_str(",\"inside\":");
    out.push_str(match seen.inside {
        Some(true) => "true",
        Some(false) => "false",
        None => "null",
    });
    out.push_str(",\"name\":");
    optional(seen.name, out);
    out.push_str(if seen.cause.is_some() { ",\"ok\":false" } else { ",\"ok\":true" });
    out.push_str(",\"path\":");
    optional(seen.path, out);
    if let Some(cause) = seen.cause {
        out.push_str(",\"reason\":\"");
        out.push_str(cause.as_str());
        out.push('"');
    }
    out.push_str(",\"relative\":");
    optional(seen.relative, out);
    out.push('}');
}

fn optional(text: Option<&str>, out: &mut String) {
    match text {
        Some(text) => push_string(text, out),
        None => out.push_str("null"),
    }
}
