//! Aliases of the shell.
//!
//! A shell expands them when it reads a command, not when it runs it: a line, a function or a group keeps the aliases
//! from before it, whatever it defines or removes. So each text that an alias has had on the line is followed.

use super::super::Opaque;
use super::super::token::{Symbol, Token, Words};
use super::command::Start;
use super::state::State;
use super::{Done, Flow, Walk};

impl Walk {
    /// Adds the text of an alias; `None` if it is unknown.
    pub(super) fn define_alias(&mut self, name: Symbol, text: Option<Token>) {
        let known = &self.state.names().aliases;
        self.steps += known.len() / 16;
        let is_same =
            |(alias, other): &(Symbol, Option<Token>)| *alias == name && self.is_same_alias(*other, text);
        if !known.iter().any(is_same) {
            self.state.names_mut().aliases.make_mut().push((name, text));
        }
    }

    pub(super) fn is_same_alias(&self, text: Option<Token>, other: Option<Token>) -> bool {
        text.map(|text| self.arena.text(text)) == other.map(|other| self.arena.text(other))
    }

    /// The aliases that a word can be.
    pub(super) fn aliases_of(&mut self, word: Token) -> Vec<(Symbol, Option<Token>)> {
        let Some(symbol) = self.arena.known_symbol(self.arena.text(word)) else { return Vec::new() };
        let known = &self.state.names().aliases;
        self.steps += known.len() / 16;
        known.iter().filter(|(alias, _)| *alias == symbol).copied().collect()
    }

    /// Runs what the first word is as an alias, and what it is without.
    pub(super) fn run_aliases(
        &mut self,
        aliases: &[(Symbol, Option<Token>)],
        words: Words,
        start: Start,
    ) -> Done<Flow> {
        let Some(first) = self.arena.word(words, 0) else { return Ok(Flow::Same) };
        let before = self.state.clone();
        let mut ends = Vec::new();
        for (name, text) in aliases {
            self.aliased(*name, *text, words)?;
            ends.push(std::mem::replace(&mut self.state, before.clone()));
        }
        let flow = self.run_named(first, words, start, true)?;
        self.settle(flow);
        let is_changed = !self.state.is_same(&before);
        let mut ends = ends.into_iter();
        if !is_changed {
            self.state = ends.next().unwrap_or(before);
        }
        for end in ends {
            self.merge(&end);
        }
        Ok(Flow::Same)
    }

    /// Follows an alias. Its text can begin with another alias, but not with its own name.
    fn aliased(&mut self, name: Symbol, alias: Option<Token>, words: Words) -> Done<()> {
        let Some(alias) = alias else {
            self.opaque(Opaque::Name);
            return Ok(());
        };
        let mut text = self.arena.text(alias).to_owned();
        for word in self.arena.words(words.skip(1)).to_vec() {
            // After whitespace at the end of an alias, the next word can be one too.
            let next = if text.ends_with([' ', '\t']) { self.aliases_of(word) } else { Vec::new() };
            text.push(' ');
            match next.as_slice() {
                [(_, Some(next))] => text.push_str(self.arena.text(*next)),
                [] => text.push_str(&self.quoted(word)),
                _ => {
                    self.opaque(Opaque::Name);
                    text.push_str(&self.quoted(word));
                }
            }
        }
        let outer = self.state.names().aliases.clone();
        let aliases = self.state.names_mut().aliases.make_mut();
        aliases.retain(|(recorded, _)| *recorded != name);
        let count = aliases.len();
        let code = self.text(&text);
        self.code(None, code, "alias", None)?;
        let new = self.state.names().aliases.get(count..).unwrap_or_default().to_vec();
        self.state.names_mut().aliases = outer;
        new.into_iter().for_each(|(name, text)| self.define_alias(name, text));
        Ok(())
    }
}

impl State {
    /// Whether the shell remembers what it remembers in another state.
    fn is_same(&self, other: &Self) -> bool {
        self.has_names_of(other)
            && self.args.is_same(other.args)
            && (self.place, self.exec) == (other.place, other.exec)
    }
}
