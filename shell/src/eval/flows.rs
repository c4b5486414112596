//! Which words are in values that the walk does not know: `read X <<< "$Y"`.

use super::super::token::{Symbol, Token, long, within};
use super::Walk;
use crate::limits;

/// A word in the value of a variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flow {
    /// The variable; none for the positional parameters.
    pub(crate) name: Option<Symbol>,
    pub(crate) word: Token,
}

impl Walk {
    /// Notes the words in the value of a variable; of too many, only the first ones.
    pub(super) fn flows_into(&mut self, name: Option<Symbol>, words: &[Token]) {
        let room = limits::SHELL_VARIABLES.saturating_sub(self.flows.len());
        let marked = words.iter().filter(|word| word.is_marked()).take(room);
        self.flows.extend(marked.map(|word| Flow { name, word: *word }));
        self.steps += words.len();
    }

    /// Notes what a builtin reads into variables.
    pub(super) fn reads_into(&mut self, names: &[Token]) {
        let input = self.inputs.get(long(self.input())).copied().filter(|_| self.input() > 0);
        let Some(input) = input else { return };
        let mut words: Vec<Token> = input.text.into_iter().collect();
        for seen in within(&self.commands, input.from) {
            words.extend_from_slice(self.arena.words(seen.words));
        }
        for name in names {
            let name = self.arena.text(*name).to_owned();
            let name = self.arena.symbol(&name);
            self.flows_into(Some(name), &words);
        }
    }
}
