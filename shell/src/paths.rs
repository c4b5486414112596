//! Paths by their text, of command lines and of tools: `..` and `.` are resolved, links are not followed.

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
}

/// Goes one directory up; what is above a home is unknown.
fn leave(path: &mut String) -> Option<()> {
    match path.as_str() {
        "/" => return Some(()),
        "~" => return None,
        "" | ".." => {}
        own if own.ends_with("/..") => {}
        own => {
            let end = own.rfind('/').unwrap_or_default();
            let end = if end == 0 && own.starts_with('/') { 1 } else { end };
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
    let is = path.strip_prefix(event).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let same_root = event.starts_with('/') == path.starts_with('/');
    if is || same_root { Some(is) } else { None }
}
