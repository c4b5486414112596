//! The globs of rows, in which `*` is any text.

/// Whether a text matches one of some globs, and none of those after `!`.
pub(crate) fn matches_any(globs: &str, text: &str) -> bool {
    let is_match = |glob: &str| matches(glob, text);
    let (not, globs): (Vec<_>, Vec<_>) = globs.split(' ').partition(|glob| glob.starts_with('!'));
    globs.into_iter().any(is_match)
        && !not.into_iter().filter_map(|glob| glob.strip_prefix('!')).any(is_match)
}

/// Whether a text matches a glob, in which `*` is any text.
pub(crate) fn matches(glob: &str, text: &str) -> bool {
    let Some((first, rest)) = glob.split_once('*') else { return glob == text };
    let Some(mut text) = text.strip_prefix(first) else { return false };
    let mut parts = rest.split('*').peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return text.ends_with(part);
        }
        let Some(at) = text.find(part) else { return false };
        text = text.get(at + part.len()..).unwrap_or_default();
    }
    true
}
