//! Flags of what a command starts: `-f` of `sudo rm -f`, `--fake` of `python manage.py migrate --fake`.

use super::matches::{Context, has_open_word};
use super::{Flag, FlagPlace, FlagTest, Simple};
use crate::arguments::is_false;
use crate::effects::pattern::glob::Case;
use crate::effects::pattern::reading::Reading;
use crate::effects::{Act, Text};
use crate::programs::Row;

impl Simple {
    /// Whether a command has the flags after its operands, and none that it must not have there.
    pub(super) fn passed_match(&self, act: Act<'_>, context: Context<'_>) -> bool {
        let is_late = |test: &&FlagTest| test.place != FlagPlace::First;
        let is_permit = context.reading == Reading::Permit;
        self.flags
            .iter()
            .filter(is_late)
            .all(|test| test.is_passed(act, context, is_permit) || context.is_open(act))
            && self.not_flags.iter().filter(is_late).all(|test| match context.reading.is_permit() {
                true => {
                    let wide = Context { reading: Reading::Exclude, ..context };
                    !(test.is_passed(act, wide, false) || is_permit && has_open_word(act))
                }
                false => !test.is_passed(act, Context { reading: Reading::Guard, ..context }, true),
            })
    }
}

impl FlagTest {
    /// The first word that can be the flag, if the command can pass it on.
    pub(super) fn start(&self, act: Act<'_>, context: Context<'_>) -> Option<usize> {
        // A row does not describe the operands of a subcommand that its program does not list.
        let is_own = |row: &&Row| {
            let is_program = act.name().is_some_and(|name| row.is_program(name));
            row.operands().is_some() && (act.sub().is_none() || act.script().is_some() || !is_program)
        };
        let operand = || act.operands().next().map(|first| first.at);
        match self.place {
            FlagPlace::First => None,
            FlagPlace::AfterOperand => operand().filter(|_| act.row().filter(is_own).is_some_and(Row::stops)),
            FlagPlace::AfterDashes => {
                let dashes = act.words().position(|word| word.as_literal() == Some("--"));
                // What permits means the flag after `--` alone.
                let end = || Some(act.words().len()).filter(|_| context.reading == Reading::Permit);
                dashes.or_else(end).or_else(operand)
            }
        }
    }

    /// Whether a command has the flag after its operands, or passes it on; if it has to be certain, as the program reads it
    /// that is started.
    fn is_passed(&self, act: Act<'_>, context: Context<'_>, is_certain: bool) -> bool {
        let start = self.start(act, context);
        self.flags.iter().any(|flag| {
            flag.is_in(act, start.unwrap_or_default(), self.is_after_verb, context)
                || start.is_some_and(|start| flag.is_started(act, start, context, is_certain))
        })
    }
}

impl Flag {
    /// Whether a command passes the flag on that is after one of its words: to a command that it starts, or to a script.
    fn is_started(&self, act: Act<'_>, end: usize, context: Context<'_>, is_certain: bool) -> bool {
        let below = below(act, context);
        below.iter().any(|other| self.is_in(*other, 0, false, context))
            || (below.is_empty() || !is_certain) && self.is_word(act, end, context, is_certain)
    }

    /// Whether a word after another one is the flag; if it has to be certain, by its whole name, and in front of `--`.
    fn is_word(&self, act: Act<'_>, end: usize, context: Context<'_>, is_certain: bool) -> bool {
        let words = act.words().skip(end.saturating_add(1));
        let is_end = |word: &Text<'_>| is_certain && word.as_literal() == Some("--");
        let words: Vec<Text<'_>> = words.take_while(|word| !is_end(word)).collect();
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
        let is_short = !is_certain && self.value.is_none() && !self.letters.is_empty();
        is_named || is_short && self.letters.iter().all(has_letter)
    }
}

/// The commands that a command starts, and those that these start.
fn below<'a>(act: Act<'a>, context: Context<'a>) -> Vec<Act<'a>> {
    let mut is_below = vec![false; context.actions.commands().len()];
    let mut below = Vec::new();
    for other in context.actions.commands().skip(act.number() + 1) {
        let is_it = |starter: usize| starter == act.number() || is_below.get(starter) == Some(&true);
        if other.starter().is_some_and(is_it) {
            is_below.get_mut(other.number()).into_iter().for_each(|is_below| *is_below = true);
            below.push(other);
        }
    }
    below
}

/// A word that is a flag, with its dashes, and the value in it.
fn flag(word: &str) -> Option<(&str, Option<&str>)> {
    let (name, value) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
    (name.len() > 1 && name.starts_with('-')).then_some((name, value))
}
