//! The paths of Rust sources that lead to other modules of their crate, found by
//! reading `crate::` and `super::`. Comments, strings and test modules do not count.

use std::path::Path;

use super::graph::Graph;

/// The imports of a crate's sources.
pub(super) fn of_crate(source: &Path) -> Graph {
    of_folder(source, "crate::")
}

/// The imports between the modules of a folder, to which `prefix` leads in its crate.
pub(super) fn of_folder(source: &Path, prefix: &str) -> Graph {
    let mut graph = Graph::default();
    let mut files = hookc_corpus::files(source);
    files.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    // The root first: it says which names it re-exports.
    files.sort_by_key(|path| (!path.ends_with("lib.rs"), path.clone()));
    for path in files {
        let name = path.strip_prefix(source).unwrap().to_string_lossy().into_owned();
        graph.file(&name, &std::fs::read_to_string(&path).unwrap().replace(prefix, "crate::"));
    }
    graph
}

/// The text without comments, strings and inline test modules.
pub(super) fn code(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['"', '/', '\'']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        rest = match from.as_bytes() {
            [b'/', b'/', ..] => from.find('\n').map_or("", |end| &from[end..]),
            [b'/', b'*', ..] => from.find("*/").map_or("", |end| &from[end + 2..]),
            [b'"', ..] => string(before, from),
            [b'\'', ..] => character(from),
            _ => &from[1..],
        };
    }
    out.push_str(rest);
    match out.find("#[cfg(test)]\nmod ") {
        Some(end) if out[end..].contains('{') => out[..end].to_owned(),
        _ => out,
    }
}

/// What follows a string literal; `before` shows whether it is a raw one.
fn string<'t>(before: &str, from: &'t str) -> &'t str {
    let raw = before.trim_end_matches('#');
    if raw.ends_with('r') && !raw.trim_end_matches('r').ends_with(|c: char| c.is_alphanumeric() || c == '_') {
        let end = format!("\"{}", &before[raw.len()..]);
        return from[1..].find(&end).map_or("", |at| &from[1 + at + end.len()..]);
    }
    let mut escaped = false;
    let end = from[1..].find(|c: char| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    });
    end.map_or("", |at| &from[at + 2..])
}

/// What follows a character literal, or the quote of a lifetime.
fn character(from: &str) -> &str {
    let mut chars = from.char_indices().skip(1);
    match (chars.next(), chars.next()) {
        (Some((_, '\\')), Some((at, c))) => {
            let after = at + c.len_utf8();
            from[after..].find('\'').map_or("", |end| &from[after + end + 1..])
        }
        (Some(_), Some((at, '\''))) => &from[at + 1..],
        _ => &from[1..],
    }
}

/// The paths that a `use` tree or a path in code has after `start`, each as its
/// first segments; nested groups are unfolded.
pub(super) fn paths(text: &str) -> Vec<Vec<String>> {
    let text = text.trim_start();
    if let Some(inner) = text.strip_prefix('{') {
        return group(inner).into_iter().flat_map(|item| paths(&item)).collect();
    }
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    if name.is_empty() {
        return Vec::new();
    }
    let below = rest.strip_prefix("::").map_or_else(Vec::new, paths);
    if below.is_empty() {
        let renamed = rest.trim_start().strip_prefix("as ").map(|name| name.trim().to_owned());
        return vec![
            std::iter::once(name.to_owned()).chain(renamed.map(|name| format!("as {name}"))).collect(),
        ];
    }
    below.into_iter().map(|path| std::iter::once(name.to_owned()).chain(path).collect()).collect()
}

/// The items of a group whose opening brace has been read.
fn group(text: &str) -> Vec<String> {
    let mut items = vec![String::new()];
    let mut depth = 0;
    for c in text.chars() {
        match c {
            '}' if depth == 0 => break,
            ',' if depth == 0 => items.push(String::new()),
            _ => {
                depth += i32::from(c == '{') - i32::from(c == '}');
                items.last_mut().unwrap().push(c);
            }
        }
    }
    items
}
