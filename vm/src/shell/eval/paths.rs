//! Paths by their text: `..` and `.` are resolved, links are not followed.

/// `target` from `base`, which is absolute, starts with `~`, or is below an unknown directory
/// (which is empty). `None`: its place is unknown.
pub(in super::super) fn resolve(base: &str, target: &str) -> Option<String> {
    let (root, rest) = match target.chars().next() {
        Some('/') => ("/", target),
        Some('~') => match target.get(1..)?.chars().next() {
            None | Some('/') => ("~", target.get(1..)?),
            Some(_) => return None,
        },
        _ => return joined(base, target),
    };
    normal(root, Vec::new(), rest)
}

fn joined(base: &str, target: &str) -> Option<String> {
    let (root, rest) = match base.chars().next() {
        Some('/') => ("/", base),
        Some('~') => ("~", base.get(1..)?),
        _ => ("", base),
    };
    let parts = rest.split('/').filter(|part| !part.is_empty()).collect();
    normal(root, parts, target)
}

fn normal<'t>(root: &str, mut parts: Vec<&'t str>, rest: &'t str) -> Option<String> {
    for part in rest.split('/') {
        match (part, parts.last()) {
            ("" | ".", _) => {}
            ("..", Some(last)) if *last != ".." => drop(parts.pop()),
            ("..", _) if root == "/" => {}
            // What is above a home is unknown.
            ("..", _) if root == "~" => return None,
            (part, _) => parts.push(part),
        }
    }
    let path = parts.join("/");
    Some(match (root, path.is_empty()) {
        ("/", _) => format!("/{path}"),
        ("~", true) => "~".to_owned(),
        ("~", false) => format!("~/{path}"),
        _ => path,
    })
}

/// Whether a resolved path is in the directory of the event.
pub(in super::super) fn is_inside(event: &str, path: &str) -> Option<bool> {
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
