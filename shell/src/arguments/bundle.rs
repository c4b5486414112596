//! Options without a dash in the first word: `tar xf FILE`.

use super::{FlagReading, Reading};
use crate::Word;

impl<'w> Reading<'w> {
    /// The operands after the letters of the first word, whose values are the words after it.
    pub(super) fn after_bundle(&mut self) -> Vec<(usize, Word<'w>)> {
        let operands = self.command.placed_operands().skip(self.names);
        let mut operands = self.script.into_iter().chain(operands).peekable();
        let first = operands.peek().copied();
        let Some((1, letters)) = first.filter(|_| self.is("bundle_first")) else { return operands.collect() };
        operands.next();
        let text = letters.text();
        for (at, letter) in text.char_indices() {
            let Some(name) = text.get(at..at + letter.len_utf8()) else { continue };
            let option = self.option(name, false);
            let takes = option.and_then(|option| option.roles.first().copied().flatten());
            let value = if takes.is_some() { operands.next() } else { None };
            let is_code = takes.is_some_and(|role| role.starts());
            self.has_unlisted |= option.is_none();
            let names = option.iter().flat_map(|option| option.names()).collect::<Vec<_>>();
            let names = names.into_iter();
            let names = names.map(|name| name.trim_start_matches('-')).filter(|other| *other != name);
            for (name, is_alias) in [(name, false)].into_iter().chain(names.map(|name| (name, true))) {
                let at = value.map_or(1, |(at, _)| at - 1);
                let value = value.map(|(_, word)| word);
                let flag = FlagReading::implied(name, at);
                self.flags.push(FlagReading {
                    value,
                    is_alias,
                    is_listed: option.is_some(),
                    is_code,
                    ..flag
                });
            }
        }
        operands.collect()
    }
}
