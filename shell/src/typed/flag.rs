//! Flags of commands.

use std::fmt;

use super::super::arena::Arena;
use super::super::eval;
use super::super::token::long;
use super::Word;

/// A flag of a command: an option as it is written, with its value.
#[derive(Clone, Copy)]
pub struct Flag<'w> {
    pub(super) arena: &'w Arena,
    pub(super) flag: &'w eval::Flag,
}

impl<'w> Flag<'w> {
    /// Its name without dashes: a letter of `-rf`, or a whole name. An abbreviation is completed.
    #[must_use]
    pub fn name(self) -> &'w str {
        self.flag.name.text(self.arena)
    }

    /// Its value, if it takes one.
    #[must_use]
    pub fn value(self) -> Option<Word<'w>> {
        self.flag.value.map(|token| Word { arena: self.arena, token })
    }

    /// Which word of the command it is in; the program is 0.
    #[must_use]
    pub fn at(self) -> usize {
        long(self.flag.at)
    }
}

impl fmt::Debug for Flag<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Flag").field("name", &self.name()).field("value", &self.value()).finish()
    }
}
