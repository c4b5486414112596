//! Flags of what a command starts: `-f` of `sudo rm -f`, `--fake` of `python manage.py migrate --fake`.

use super::Flag;
use super::matches::Context;
use crate::arguments::is_false;
use crate::effects::pattern::glob::Case;
use crate::effects::{Act, Text};

impl Flag {
    /// Whether a command whose options end at a word, its first operand, passes the flag on: to a command that it starts, or
    /// to a script.
    pub(super) fn is_started(&self, act: Act<'_>, end: usize, context: Context<'_>) -> bool {
        let number = act.number();
        let is_below = |other: &Act<'_>| {
            let by =
                |command: Act<'_>| command.starter().and_then(|starter| context.actions.command(starter));
            std::iter::successors(by(*other), |starter| by(*starter))
                .any(|starter| starter.number() == number)
        };
        context.actions.commands().filter(is_below).any(|other| self.is_in(other, 0, false, context))
            || self.is_word(act, end, context)
    }

    /// Whether a word after another one is the flag.
    fn is_word(&self, act: Act<'_>, end: usize, context: Context<'_>) -> bool {
        let words: Vec<Text<'_>> = act.words().skip(end + 1).collect();
        let is_named = words.iter().enumerate().any(|(at, word)| {
            let Some((name, value)) = word.as_literal().and_then(flag) else { return false };
            let value = value.map(Text::literal);
            let has_value = match &self.value {
                None => !value.and_then(Text::as_literal).is_some_and(is_false),
                Some(expected) => {
                    let next = || words.get(at + 1).copied();
                    value.or_else(next).is_some_and(|value| expected.matches(value, context))
                }
            };
            has_value && context.name(&self.name, name.trim_start_matches('-'), Case::Respected)
        });
        let has_letter = |letter: &String| {
            let letters = words.iter().filter_map(|word| flag(word.as_literal()?));
            let letters = letters.filter(|(name, _)| !name.starts_with("--"));
            letters.into_iter().any(|(name, _)| name.contains(letter.as_str()))
        };
        let is_short = self.value.is_none() && !self.letters.is_empty();
        is_named || is_short && self.letters.iter().all(has_letter)
    }
}

/// A word that is a flag, with its dashes, and the value in it.
fn flag(word: &str) -> Option<(&str, Option<&str>)> {
    let (name, value) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
    (name.len() > 1 && name.starts_with('-')).then_some((name, value))
}
