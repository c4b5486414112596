//! Which words are in values that the walk does not know: `read X <<< "$Y"`.

use super::super::token::{Mark, Special, Symbol, Token, long, short, within};
use super::Walk;
use super::state::Value;
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

    /// Notes which commands print what a builtin, a command of its own, reads into variables: those before it in a pipe, or
    /// itself if it reads a file.
    pub(super) fn reads_output_into(&mut self, at: usize, names: &[Token]) {
        let Some(input) = self.inputs.get(long(self.input())).copied() else { return };
        let redirects = self.commands.get(at).map_or((0, 0), |seen| seen.redirects);
        let mut files = within(&self.targets, redirects).iter();
        let range = match input.from {
            (from, to) if from < to && to <= short(self.commands.len()) => (from, to),
            _ if files.any(|target| target.fd == 0 && target.op == "<") => (short(at), short(at + 1)),
            _ => return,
        };
        self.origins.push(range);
        let origin = Mark { at: 0, len: 0, kind: Special::Origin(short(self.origins.len() - 1)) };
        for name in names {
            let Some(text) = self.arena.literal(*name).map(str::to_owned) else { continue };
            let symbol = self.arena.symbol(&text);
            if self.state.get(symbol).is_some_and(|value| matches!(value, Value::Unknown)) {
                let raw = format!("${text}");
                let unknown = Mark { at: 0, len: short(raw.len()), kind: Special::Unknown };
                let value = self.arena.push(&raw, &[origin, unknown], true);
                self.state.set(symbol, Value::Text(value));
            }
        }
    }
}
