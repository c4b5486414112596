//! What the values of fields of events are, by their names: paths and URLs.

use hookc_schema::tree::{Leaf, Op, Path, Step};
use hookc_syntax::expr::print;

/// Fields with the name of a file or directory: names contain no stars.
pub(crate) const PATHS: [&str; 9] = [
    "file_path",
    "notebook_path",
    "absolute_path",
    "transcript_path",
    "target_file",
    "path",
    "cwd",
    "directory",
    "folder",
];

/// The field with a prompt.
pub(crate) const PROMPT: &str = "prompt";

/// The field that says whether a tool succeeded.
pub(crate) const SUCCEEDED: &str = "tool_ok";

/// Whether a leaf is `tool_ok == true`.
pub(crate) fn is_success(leaf: &Leaf) -> bool {
    let is_field = leaf.path.last_name().as_deref() == Some(SUCCEEDED);
    leaf.op.node == Op::Eq && leaf.right.truth() == Some(true) && is_field
}

/// The field with a URL: its host has no star, and nothing in it is a pattern.
pub(crate) const URL: &str = "url";

/// Whether a path reads the name of the event's tool.
pub(crate) fn is_tool_name(path: &Path) -> bool {
    match path.singular().as_deref() {
        Some([Step::Name(name)]) => name == "tool_name",
        Some([Step::Name(event), Step::Name(name)]) => {
            !path.is_query() && event == "event" && name == "tool_name"
        }
        _ => false,
    }
}

/// The test for the URLs of the host that a text names, `HOST` if it names none.
pub(crate) fn of_host(path: &str, text: &str) -> String {
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let start = rest.trim_start_matches(['*', '.']);
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
    let host = start.split(|c| !part(c)).next().unwrap_or_default().trim_end_matches('.');
    let host = if host.contains('.') { host.replace('.', "\\.") } else { "HOST".to_owned() };
    let before = if rest.starts_with('*') || host == "HOST" { r"([^/?#\\]*[.@])?" } else { r"([^/?#\\]*@)?" };
    let pattern = format!(r"^https?://{before}{host}(:[0-9]+)?([/?#]|$)");
    format!("{path} =~ {} nocase", print::literal(&pattern))
}

#[cfg(test)]
mod tests {
    use super::of_host;

    #[test]
    fn the_urls_of_a_host() {
        assert_eq!(
            of_host("u", "https://*.example.com/*"),
            r"u =~ '^https?://([^/?#\\]*[.@])?example\.com(:[0-9]+)?([/?#]|$)' nocase"
        );
        assert_eq!(
            of_host("u", "example.com"),
            r"u =~ '^https?://([^/?#\\]*@)?example\.com(:[0-9]+)?([/?#]|$)' nocase"
        );
        assert!(of_host("u", "http*").contains("HOST"));
    }
}
