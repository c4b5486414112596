//! Tests of what a tool writes.

use hookc_schema::tree::{Leaf, Op};

use super::files;
use super::meaning::{self, Meaning};

/// What a test of a content means.
pub(super) fn meaning(leaf: &Leaf, tools: Option<&[String]>) -> Option<Meaning> {
    if !files::is_content(&leaf.path, tools) {
        return None;
    }
    let text = leaf.right.text()?;
    let regex = match leaf.op.node {
        Op::Contains => escaped(text),
        // What is about the whole of a content is about its form.
        Op::Regex if !text.starts_with('^') && !text.ends_with('$') => text.to_owned(),
        _ => return None,
    };
    if let Some(set) = meaning::text_set(&[text]) {
        return Some(set);
    }
    let flag = if leaf.ignore_case.is_some() { "i" } else { "" };
    let is_one_line = !regex.contains(['\n', '/']) && !regex.is_empty();
    Meaning::new(None, vec![format!("/{regex}/{flag}")]).filter(|_| is_one_line)
}

/// A regular expression that matches a text.
pub(super) fn escaped(text: &str) -> String {
    let is_special = |next: char| r"\.+*?()|[]{}^$".contains(next);
    text.chars().flat_map(|next| is_special(next).then_some('\\').into_iter().chain([next])).collect()
}
