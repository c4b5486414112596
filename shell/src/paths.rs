//! Paths by their text, of command lines and of tools: `..` and `.` are resolved, links are not followed, except
//! the one to the root that each process has.

/// Appends `target` from `base`, which is resolved, and is absolute, starts with `~`, or is below an
/// unknown directory (which is empty). `None`: its place is unknown.
#[must_use]
pub fn resolve(base: &str, target: &str, path: &mut String) -> Option<()> {
    let (base, rest) = match target.as_bytes() {
        [b'/', ..] => ("/", target),
        [b'~'] => ("~", ""),
        [b'~', b'/', ..] => ("~", target.get(1..)?),
        [b'~', ..] => return None,
        _ => (base, target),
    };
    path.reserve(base.len().saturating_add(rest.len()).saturating_add(1));
    path.push_str(base);
    if !rest.as_bytes().contains(&b'/') && !matches!(rest, "" | "." | "..") {
        enter(path, rest);
        return Some(());
    }
    for part in rest.split('/') {
        match part {
            "" | "." => {}
            ".." => leave(path)?,
            part => enter(path, part),
        }
    }
    Some(())
}

fn enter(path: &mut String, part: &str) {
    if !path.is_empty() && !path.ends_with('/') {
        path.push('/');
    }
    path.push_str(part);
    if part == "root" && is_process_root(path) {
        path.truncate(1);
    }
}

/// Whether a path is the link to the root that the kernel has for each process: `/proc/self/root`.
pub(crate) fn is_process_root(path: &str) -> bool {
    let process = path.strip_prefix("/proc/").and_then(|rest| rest.strip_suffix("/root"));
    process.is_some_and(|process| {
        let is_number = !process.is_empty() && process.bytes().all(|byte| byte.is_ascii_digit());
        is_number || matches!(process, "self" | "thread-self" | "$$")
    })
}

/// Goes one directory up; what is above a home is unknown.
fn leave(path: &mut String) -> Option<()> {
    match path.as_str() {
        "/" => return Some(()),
        "~" => return None,
        "" | ".." => {}
        other if other.ends_with("/..") => {}
        other => {
            let end = other.rfind('/').unwrap_or_default();
            let end = if end == 0 && other.starts_with('/') { 1 } else { end };
            path.truncate(end);
            return Some(());
        }
    }
    enter(path, "..");
    Some(())
}

/// Whether a resolved path is in the directory of the event.
#[must_use]
pub fn is_inside(event: &str, path: &str) -> Option<bool> {
    if event.is_empty() {
        return match path.chars().next() {
            Some('/' | '~') => None,
            _ => Some(path != ".." && !path.starts_with("../")),
        };
    }
    if event == "/" && path.starts_with('/') {
        return Some(true);
    }
    let is_below = path.strip_prefix(event).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let same_root = event.starts_with('/') == path.starts_with('/');
    if is_below || same_root { Some(is_below) } else { None }
}

/// What separates the names of a path on some system.
pub const SEPARATORS: [char; 2] = ['/', '\\'];

/// Whether tools differ in what a path means: `..\x` and `C:x` are names on one system and lead elsewhere on another,
/// some tools read `file:///x` as `/x`, and some remove whitespace at the ends.
#[must_use]
pub fn is_ambiguous(text: &str) -> bool {
    let first = text.split('/').next().unwrap_or_default();
    text.contains('\\')
        || text.starts_with(is_blank)
        || text.ends_with(is_blank)
        || first.ends_with(':')
        || without_drive(first).len() < first.len()
}

/// Whether some tools remove a character from the ends of a path.
#[must_use]
pub fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

/// A name without the drive in front of it.
fn without_drive(name: &str) -> &str {
    match name.as_bytes() {
        [letter, b':', ..] if letter.is_ascii_alphabetic() => name.get(2..).unwrap_or_default(),
        _ => name,
    }
}

/// The last name of a path on any system, after `.` and `..`.
#[must_use]
pub fn name(path: &str) -> Option<&str> {
    let (mut left, mut up) = (path.len(), 0_usize);
    for part in path.rsplit(SEPARATORS) {
        let is_first = left == part.len();
        left = left.saturating_sub(part.len().saturating_add(1));
        match part {
            "" | "." => {}
            ".." => up = up.saturating_add(1),
            _ if up > 0 => up = up.saturating_sub(1),
            // A home, a drive, a scheme.
            part if is_first && (part.starts_with('~') || part.ends_with(':')) => return None,
            part => return Some(if is_first { without_drive(part) } else { part }),
        }
    }
    None
}
