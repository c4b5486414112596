//! Patterns of commands that no command matches, because the program has no such subcommand or flag.

use std::ops::Range;

use hookc_base::suggest;

use super::tokens::tokens;
use super::verb;
use crate::effects::ALTERNATIVES;
use crate::effects::pattern::braces;
use crate::programs::{self, Row};

/// A word of a pattern that its program does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// The bytes of the pattern.
    pub range: Range<usize>,
    /// What the word would be.
    pub kind: DoubtKind,
    /// The word.
    pub word: String,
    /// The program, with its subcommand if the word is a flag of that.
    pub program: String,
    /// What it may mean.
    pub closest: Option<String>,
}

/// What a word of a pattern would be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DoubtKind {
    /// A subcommand.
    Subcommand,
    /// A flag.
    Flag,
}

/// The words of a pattern that no command of its program has. Rows that do not list everything have none.
#[must_use]
pub fn doubts(pattern: &str) -> Vec<Doubt> {
    let tokens = tokens(pattern);
    tokens.split(|token| token.text == "|").flat_map(doubts_of_command).collect()
}

fn doubts_of_command(tokens: &[super::tokens::Token<'_>]) -> Vec<Doubt> {
    let is_setting = |text: &str| text.contains('=') && !text.starts_with('-');
    let mut words = tokens.iter().skip_while(|token| is_setting(token.text));
    let Some(program) = words.next() else { return Vec::new() };
    let Some(row) = programs::program(program.text).map(|program| program.row) else { return Vec::new() };
    let mut doubts = Vec::new();
    let operands: Vec<_> = words.clone().filter(|token| !token.text.starts_with(['-', '!'])).collect();
    let plain: Vec<&str> =
        operands.iter().map(|token| token.text).take_while(|word| is_plain(word)).collect();
    let verb = verb::find(row, &plain);
    if let (None, Some(first), Some(word)) = (&verb, operands.first(), plain.first()) {
        let names = || row.subs().iter().flat_map(Row::names);
        let closest = suggest::nearest_spelling(word, names()).filter(|_| !names().any(|name| name == *word));
        doubts.extend(closest.map(|closest| Doubt {
            range: first.at..first.at + first.text.len(),
            kind: DoubtKind::Subcommand,
            word: (*word).to_owned(),
            program: program.text.to_owned(),
            closest: Some(closest.to_owned()),
        }));
        if !row.subs().is_empty() {
            return doubts;
        }
    }
    let place = verb.as_ref().map_or(row, |verb| verb.row);
    let listed = || row.known().chain(place.known()).map(|(name, _)| name);
    if place.is_lenient() || listed().next().is_none() || row.subs().is_empty() == verb.is_some() {
        return doubts;
    }
    for token in words {
        let text = token.text.trim_start_matches('!');
        let alternatives = braces::expand(text, ALTERNATIVES).unwrap_or_default();
        for flag in alternatives.iter().filter_map(|word| word.split('=').next()) {
            let is_long = flag.starts_with("--") && flag.len() > 2;
            if is_long && is_plain(flag) && !listed().any(|name| name == flag) {
                let subcommand =
                    verb.as_ref().map(|verb| format!(" {}", verb.row.name())).unwrap_or_default();
                doubts.push(Doubt {
                    range: token.at..token.at + token.text.len(),
                    kind: DoubtKind::Flag,
                    word: flag.to_owned(),
                    program: format!("{}{subcommand}", program.text),
                    closest: suggest::nearest_spelling(flag, listed().filter(|name| name.starts_with("--")))
                        .map(str::to_owned),
                });
            }
        }
    }
    doubts
}

/// Whether a word of a pattern has no wildcards, braces or sets.
fn is_plain(word: &str) -> bool {
    !word.is_empty() && !word.contains(['*', '?', '[', '{', '@', '$', '/', '\\'])
}
