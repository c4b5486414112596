//! Which words of a pattern name the subcommand of a command.

use super::{Context, Operand};
use crate::effects::pattern::choice::Choice;
use crate::effects::pattern::glob::{Case, Glob};
use crate::effects::pattern::machine::Match;
use crate::effects::text::Stored;
use crate::effects::{Act, Text};

/// Words of a pattern that are compared with the words of the subcommand of a command.
pub(super) struct Sequence<'s> {
    pub(super) verb: &'s [Glob],
    pub(super) rest: &'s [Choice<Operand>],
    /// How many of them certainly name a subcommand.
    pub(super) known: usize,
    pub(super) words: &'s [Stored],
}

impl Sequence<'_> {
    /// How many words of a pattern name the subcommand of a command: words of the verb, and operands. None if the command has
    /// another subcommand.
    pub(super) fn align(&self, act: Act<'_>, context: Context<'_>) -> Option<(usize, usize)> {
        let Self { verb, rest, words, .. } = self;
        let is_open = act.sub().is_some_and(|sub| !sub.holes.is_empty()) && act.verb().is_none();
        if is_open && context.reading.how() == Match::Possible {
            return Some((verb.len(), 0));
        }
        // `dotnet add x.csproj package y`: a word of the subcommand can come after an operand.
        let known = if context.reading.how() == Match::Possible { self.known } else { 0 };
        let operand = |at: usize| rest.get(at.checked_sub(verb.len())?);
        let mut at: usize = 0;
        for (number, word) in words.iter().enumerate() {
            let word = context.actions.text(*word);
            // A subcommand can have another name than the canonical one.
            let typed = act.sub().filter(|_| number + 1 == words.len());
            let is_word = |glob: &Glob| {
                let is_same =
                    |word: Text<'_>| glob.matches(word, Match::Certain, Case::Respected, context.meter);
                is_same(word) || typed.is_some_and(is_same)
            };
            let is_same = match (verb.get(at), operand(at)) {
                (Some(glob), _) => is_word(glob),
                (None, Some(operand)) if operand.of.first().is_some_and(Operand::is_no_verb) => break,
                (None, Some(operand)) => operand.iter().any(|operand| match operand {
                    Operand::Each => true,
                    Operand::Text(glob) => is_word(glob),
                    Operand::Path(_) | Operand::Variable(_) | Operand::Regex(_) => false,
                }),
                (None, None) => break,
            };
            let is_after_each = at.checked_sub(1).and_then(operand).is_some_and(Choice::has_each);
            match (is_same, is_after_each) {
                (true, _) => at += 1,
                (false, true) => {}
                (false, false) if at > 0 && at >= verb.len().max(known) => break,
                (false, false) => return None,
            }
        }
        let used = at.min(verb.len());
        // Words of the subcommand that the row does not know are operands.
        (used == verb.len() || used == words.len()).then_some((used, at - used))
    }
}

impl Choice<Operand> {
    /// Whether it takes each operand.
    fn has_each(&self) -> bool {
        self.iter().any(|operand| matches!(operand, Operand::Each))
    }
}
