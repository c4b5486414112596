//! Whether words tell all that a command does.

use super::commands::{Parsed, flag};
use super::line::Word;
use super::rows::{Options, Row};
use super::text::{Symbol, Text};

/// Whether the words of a command say all that it does.
pub(super) fn is_plain(row: &Row, parsed: &Parsed<'_>, words: &[Word]) -> bool {
    let is_code = parsed.arguments.given.iter().any(|given| flag(given).is_code);
    let is_verb_unknown = parsed.arguments.verb.as_ref().is_some_and(|verb| verb.path.is_none());
    row.is("plain")
        && !row.is("not_plain")
        && !is_code
        && !is_verb_unknown
        && !can_be_harmful(row, parsed, words)
}

/// Whether an unknown word can be an option that does more than show something else.
fn can_be_harmful(row: &Row, parsed: &Parsed<'_>, words: &[Word]) -> bool {
    let harmless = |role: &String| matches!(role.as_str(), "TEXT" | "READ" | "LIST" | "USE");
    let is_harmful =
        |options: &Options| !options.attributes.is_empty() || !options.roles.iter().all(harmless);
    let parents = parsed.arguments.verb.iter().flat_map(|verb| verb.parents.iter().copied());
    let mut rows = std::iter::once(row).chain(parents).chain(parsed.program);
    let starts_open = |text: &Text| text.0.first() == Some(&Symbol::ANY);
    let words = words.iter().skip(1).take_while(|word| word.source != "--");
    words.clone().any(|word| starts_open(&word.text)) && rows.any(|row| row.options.iter().any(is_harmful))
}
