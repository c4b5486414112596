//! Which words are in values that the walk does not know: `read X <<< "$Y"`.

use super::super::token::{Mark, Range, Special, Symbol, Token, long, short, within};
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

    /// Notes where the values of variables come from that a builtin, a command of its own, reads from a descriptor: the
    /// commands before it in a pipe, those of a substitution, or itself if it reads a file.
    pub(super) fn reads_output_into(&mut self, at: usize, fd: Option<u32>, names: &[String]) {
        let Some(fd) = fd else { return };
        let origins = self.origins_of_descriptor(at, fd);
        if origins.is_empty() {
            return;
        }
        for name in names {
            let symbol = self.arena.symbol(name);
            if self.state.get(symbol).is_some_and(|value| matches!(value, Value::Unknown)) {
                let raw = format!("${name}");
                let unknown = Mark { at: 0, len: short(raw.len()), kind: Special::Unknown };
                let marks: Vec<Mark> = origins.iter().copied().chain([unknown]).collect();
                let value = self.arena.push(&raw, &marks, true);
                self.state.set(symbol, Value::Text(value));
            }
        }
    }

    fn origins_of_descriptor(&mut self, at: usize, fd: u32) -> Vec<Mark> {
        let (number, target) = self.read_from(fd);
        let Some(input) = self.inputs.get(long(number)).copied() else { return Vec::new() };
        let mut ranges: Vec<Range> = input.text.map(|text| self.origins_of(text)).unwrap_or_default();
        if input.from.0 < input.from.1 && input.from.1 <= short(self.commands.len()) {
            ranges.push(input.from);
        }
        if let (Some(_), Some(target)) = (input.file, target) {
            let redirects = self.commands.get(at).map_or((0, 0), |seen| seen.redirects);
            if !(redirects.0..redirects.1).contains(&target) {
                self.taken.push((short(at), target));
            }
            ranges.push((short(at), short(at + 1)));
        }
        let first = short(self.origins.len());
        self.origins.extend(ranges);
        let new = first..short(self.origins.len());
        new.map(|number| Mark { at: 0, len: 0, kind: Special::Origin(number) }).collect()
    }
}
