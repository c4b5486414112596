//! Lists of patterns, with the sets that they name.

use std::collections::BTreeMap;

use super::glob::{Glob, Wildcards, braces, relate};
use super::text::Text;

/// The patterns of a set, as they are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetSource {
    /// Patterns of which one must match.
    pub of: Vec<String>,
    /// Patterns of what the set does not contain.
    pub except: Vec<String>,
}

/// All sets by name.
pub type Sets = BTreeMap<String, SetSource>;

/// A pattern without braces, or a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Item {
    Pattern(String),
    Set { of: Vec<Item>, except: Vec<Item> },
}

/// What patterns are about, as far as sets and braces need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PatternsOf {
    Objects,
    Commands,
}

/// Reads a list of patterns of objects.
pub(super) fn items(patterns: &[String], sets: &Sets) -> Vec<Item> {
    items_of(patterns, sets, PatternsOf::Objects)
}

/// Reads a list of patterns.
pub(super) fn items_of(patterns: &[String], sets: &Sets, kind: PatternsOf) -> Vec<Item> {
    let texts = patterns.iter().flat_map(|pattern| match kind {
        PatternsOf::Objects => alternatives(pattern),
        PatternsOf::Commands => commands(pattern),
    });
    texts.map(|text| item(text, sets, kind)).collect()
}

/// The texts that a pattern stands for; a regular expression has no braces.
pub(super) fn alternatives(pattern: &str) -> Vec<String> {
    if is_regex(pattern) { vec![pattern.to_owned()] } else { braces(pattern) }
}

/// The patterns of commands that one with braces stands for, word by word.
fn commands(pattern: &str) -> Vec<String> {
    let add = |texts: Vec<String>, word: &str| {
        let join = |text: &String| {
            let join = |word: String| if text.is_empty() { word } else { format!("{text} {word}") };
            alternatives(word).into_iter().map(join).collect::<Vec<_>>()
        };
        texts.iter().flat_map(join).collect()
    };
    pattern.split_whitespace().fold(vec![String::new()], add)
}

/// Whether a pattern is a regular expression: `/x/` or `/x/i`.
pub(super) fn is_regex(pattern: &str) -> bool {
    regex(pattern).is_some()
}

/// The expression, and whether it ignores case.
pub(super) fn regex(pattern: &str) -> Option<(&str, bool)> {
    let rest = pattern.strip_prefix('/')?;
    rest.strip_suffix("/i")
        .map(|body| (body, true))
        .or_else(|| rest.strip_suffix('/').map(|body| (body, false)))
}

fn item(text: String, sets: &Sets, kind: PatternsOf) -> Item {
    let Some((before, name, after)) = set_name(&text, sets, kind) else { return Item::Pattern(text) };
    let Some(set) = sets.get(&name) else { return Item::Pattern(text) };
    let around = |patterns: &[String]| {
        let texts: Vec<String> = patterns.iter().map(|pattern| format!("{before}{pattern}{after}")).collect();
        items_of(&texts, sets, kind)
    };
    Item::Set { of: around(&set.of), except: around(&set.except) }
}

/// The first set in a pattern, and what is before and after its name.
fn set_name(text: &str, sets: &Sets, kind: PatternsOf) -> Option<(String, String, String)> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    text.match_indices('@').find_map(|(at, _)| {
        let before = text.get(..at)?;
        let rest = text.get(at + 1..)?;
        let name: String = rest.chars().take_while(|c| is_name(*c)).collect();
        let is_free = !before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '\\');
        let after = rest.get(name.len()..)?.to_owned();
        // A set that is an operand stays there: it can be one of paths.
        let is_word = before.ends_with([' ', '!', '^']) && (after.is_empty() || after.starts_with(' '));
        let is_operand = kind == PatternsOf::Commands && is_word && !before.ends_with("| ");
        (is_free && !is_operand && sets.contains_key(&name)).then(|| (before.to_owned(), name, after))
    })
}

/// All patterns of a list as one list, without what sets except.
pub(super) fn flat(items: &[Item]) -> Vec<String> {
    let texts = items.iter().map(|item| match item {
        Item::Pattern(text) => vec![text.clone()],
        Item::Set { of, .. } => flat(of),
    });
    texts.flatten().collect()
}

/// Whether a text without holes matches a glob in which `*` is any text.
pub(super) fn is_text(glob: &str, text: &str) -> bool {
    let mut parts = glob.split(['*', '?', '[', ']', '\\']);
    let is_near = parts.next().is_some_and(|start| text.starts_with(start))
        && parts.next_back().is_some_and(|end| text.ends_with(end));
    glob == text
        || is_near
            && glob.contains('*')
            && relate(&[Glob::new(glob, Wildcards::Texts)], &Text::from(text)).certain
}
