//! The texts of a command that a rule may match.

use super::shell::Word;
use super::wild::{Unit, units};

/// Words that a shell reads before a command.
const RESERVED: [&str; 11] =
    ["if", "then", "elif", "else", "while", "until", "do", "!", "{", "coproc", "function"];

/// How many wrappers are taken away.
const WRAPPED: usize = 8;

/// Programs that run the command behind them: the options that take a word,
/// and how many words stand before the command.
const WRAPPERS: [(&str, &[&str], usize); 6] = [
    ("timeout", &["-s", "-k", "--signal", "--kill-after"], 1),
    ("time", &["-f", "-o"], 0),
    ("nice", &["-n"], 0),
    ("nohup", &[], 0),
    ("stdbuf", &["-i", "-o", "-e"], 0),
    ("xargs", &[], 0),
];

/// A command as the texts that a rule may match: without what a shell reads
/// before it, and without each of the wrappers before it.
pub(super) fn forms(command: &[Word]) -> Vec<Vec<Unit>> {
    let mut words = command;
    while let Some((first, rest)) = words.split_first() {
        let reserved = RESERVED.iter().any(|word| *first == units(word));
        if !reserved && !is_assignment(first) {
            break;
        }
        words = rest;
    }
    let mut forms = Vec::new();
    while !words.is_empty() && forms.len() <= WRAPPED {
        forms.push(words.join(&Unit::Char(' ')));
        match unwrapped(words) {
            Some(rest) => words = rest,
            None => break,
        }
    }
    forms
}

fn is_assignment(word: &Word) -> bool {
    let name: Option<String> = word
        .iter()
        .map_while(|unit| match unit {
            Unit::Char('=') | Unit::Any => None,
            Unit::Char(char) => Some(Some(*char)),
        })
        .collect();
    let name = name.unwrap_or_default();
    let ends = word.get(name.chars().count()) == Some(&Unit::Char('='));
    let name = name.strip_suffix('+').unwrap_or(&name);
    let sound = |char: char| char.is_ascii_alphanumeric() || char == '_';
    ends && name.starts_with(|char: char| !char.is_ascii_digit()) && name.chars().all(sound)
}

/// What a wrapper runs.
fn unwrapped(words: &[Word]) -> Option<&[Word]> {
    let (first, mut rest) = words.split_first()?;
    let (name, options, before) = WRAPPERS.iter().find(|(name, ..)| *first == units(name))?;
    while let Some((option, more)) =
        rest.split_first().filter(|(word, _)| word.first() == Some(&Unit::Char('-')))
    {
        if *name == "xargs" {
            return None;
        }
        let takes = options.iter().any(|own| *option == units(own));
        rest = if takes { more.get(1..)? } else { more };
    }
    rest.get(*before..)
}
