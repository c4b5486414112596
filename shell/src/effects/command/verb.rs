//! The subcommands of patterns and commands.

use super::Row;
use crate::effects::pattern::glob::{Glob, Syntax};
use crate::effects::text::Stored;
use crate::effects::{Act, Text};
use crate::token::within;

/// The most words of a subcommand.
const WORDS: usize = 3;

/// A subcommand that a row has.
pub(super) struct Verb {
    pub(super) row: &'static Row,
    /// How many words name it.
    pub(super) length: usize,
}

/// The subcommand at the start of some words: the deepest one that the row has.
pub(super) fn find(row: &'static Row, words: &[&str]) -> Option<Verb> {
    let first = words.first()?;
    // A group can be named without a row of its own.
    let is_group = row.text("groups").is_some_and(|groups| groups.split(' ').any(|group| group == *first));
    let direct = (1..=words.len().min(WORDS)).rev().find_map(|length| {
        let row = row.sub(&words.get(..length)?.join(" "))?;
        Some(Verb { row, length })
    });
    match direct {
        Some(verb) => {
            let deeper = find(verb.row, words.get(verb.length..)?);
            Some(
                deeper
                    .map_or(verb_of(&verb), |deeper| Verb { length: deeper.length + verb.length, ..deeper }),
            )
        }
        None if is_group => {
            let verb = find(row, words.get(1..)?)?;
            Some(Verb { length: verb.length + 1, ..verb })
        }
        None => None,
    }
}

const fn verb_of(verb: &Verb) -> Verb {
    Verb { row: verb.row, length: verb.length }
}

/// The canonical words of a subcommand that the row of a program has, and what follows them.
pub(super) fn canonical(row: &'static Row, words: &[&str]) -> Vec<Glob> {
    let literal = |word: &str| Glob::new(&escaped(word), Syntax::Text);
    let glob = |word: &&str| Glob::new(word, Syntax::Text);
    let Some(verb) = find(row, words) else { return words.iter().map(glob).collect() };
    let typed = words.get(verb.length - 1).copied().unwrap_or_default();
    let group = verb.row.group().split(' ').filter(|word| !word.is_empty());
    let rest = words.get(verb.length..).unwrap_or_default();
    group.chain([verb.row.canonical(typed)]).map(literal).chain(rest.iter().map(glob)).collect()
}

fn escaped(word: &str) -> String {
    word.chars().flat_map(|next| ['\\', next]).collect()
}

/// The canonical words of the subcommand of a command.
pub(in super::super) fn of_act(act: Act<'_>) -> Vec<Stored> {
    let Some(verb) = act.facts.verb else { return act.facts.sub.into_iter().collect() };
    let mut start = 0;
    let words = act.actions.text(verb).text.split(' ');
    let part = |word: &str| {
        let part = verb.part(start, word.len());
        start += word.len() + 1;
        part
    };
    words.map(part).collect()
}

/// The words of the subcommand of a command as they are written, with its groups.
pub(in super::super) fn written(act: Act<'_>) -> Vec<Stored> {
    let Some(sub) = act.facts.sub else { return Vec::new() };
    let text = |word: &Stored| act.actions.text(*word);
    let is_value = |at: usize, word: Text<'_>| {
        act.flags().any(|flag| flag.at + 1 == at && flag.value.is_some_and(|value| value.text == word.text))
    };
    let words = within(&act.actions.words, act.facts.words).iter().enumerate().skip(1);
    let names = words.filter(|(at, word)| !text(word).text.starts_with('-') && !is_value(*at, text(word)));
    let before = names.map(|(_, word)| *word).take_while(|word| text(word) != text(&sub));
    before.chain([sub]).collect()
}
