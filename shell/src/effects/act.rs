//! Commands of an event.

use std::fmt;

use super::Text;
use super::actions::{Actions, CommandFacts};
use super::keys::Keys;
use super::text::Stored;
use crate::programs::Row;
use crate::token::{long, within};

/// A command of an event, with everything that patterns of commands and `only` ask of it.
#[derive(Clone, Copy)]
pub struct Act<'a> {
    pub(super) actions: &'a Actions,
    pub(super) facts: &'a CommandFacts,
    pub(super) number: usize,
}

/// A flag of a command, under one of its names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActFlag<'a> {
    /// The name, without dashes.
    pub name: &'a str,
    /// The value, if it takes one.
    pub value: Option<Text<'a>>,
    /// Which word of the command it is in; the program is 0.
    pub at: usize,
    /// Whether it is in front of the subcommand.
    pub is_global: bool,
    /// Whether this is another name of the flag than the written one.
    pub is_alias: bool,
    /// Whether the row has it.
    pub is_listed: bool,
    /// Whether it has a role for code.
    pub is_code: bool,
}

/// An operand of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActOperand<'a> {
    /// The word.
    pub word: Text<'a>,
    /// The word as a path from the likely directory of the command.
    pub path: Text<'a>,
    /// Which word of the command it is.
    pub at: usize,
}

impl<'a> Act<'a> {
    /// Its number among the commands of the event.
    #[must_use]
    pub const fn number(self) -> usize {
        self.number
    }

    /// The keys of the patterns that it can match.
    pub(super) fn keys(self) -> Keys<'a> {
        self.facts.keys.get(&self.actions.keys)
    }

    /// The last name of its program; none if that is unknown, or if there are only redirections.
    #[must_use]
    pub fn name(self) -> Option<&'a str> {
        self.facts.name.map(|name| self.actions.text(name).text)
    }

    /// The program and its arguments; empty if there are only redirections.
    pub fn words(self) -> impl ExactSizeIterator<Item = Text<'a>> + Clone + use<'a> {
        let actions = self.actions;
        within(&actions.words, self.facts.words).iter().map(move |word| actions.text(*word))
    }

    /// Whether its program is unknown.
    #[must_use]
    pub fn is_hole(self) -> bool {
        self.facts.name.is_none() && self.words().len() > 0
    }

    /// The path of its program, if it is written with a `/`, resolved.
    #[must_use]
    pub fn path(self) -> Option<Text<'a>> {
        self.facts.path.map(|path| self.actions.text(path))
    }

    /// The script that its program runs, resolved: `/p/x.sh` of `bash x.sh`.
    #[must_use]
    pub fn script(self) -> Option<Text<'a>> {
        self.facts.script.map(|path| self.actions.text(path))
    }

    /// The canonical name of its subcommand with its groups, which a space separates: `push`, `pr create`. That of
    /// `docker container run` is `run`. `None` if it has no subcommand, or if that is unknown.
    #[must_use]
    pub fn verb(self) -> Option<&'a str> {
        self.facts.verb.map(|verb| self.actions.text(verb).text)
    }

    /// The canonical words of its subcommand.
    pub(super) fn canonical(self) -> &'a [Stored] {
        within(&self.actions.words, self.facts.canonical)
    }

    /// The words of its subcommand as they are written, with their groups.
    pub(super) fn written(self) -> &'a [Stored] {
        within(&self.actions.words, self.facts.written)
    }

    /// The word in the place of a subcommand, also if it is unknown: `git $X`.
    #[must_use]
    pub fn sub(self) -> Option<Text<'a>> {
        self.facts.sub.map(|word| self.actions.text(word))
    }

    /// All flags under all names that the rows have for them.
    pub fn flags(self) -> impl ExactSizeIterator<Item = ActFlag<'a>> + Clone + use<'a> {
        let actions = self.actions;
        within(&actions.flags, self.facts.flags).iter().map(move |flag| ActFlag {
            name: actions.text(flag.name).text,
            value: flag.value.map(|value| actions.text(value)),
            at: long(flag.at),
            is_global: flag.is_global,
            is_alias: flag.is_alias,
            is_listed: flag.is_listed,
            is_code: flag.is_code,
        })
    }

    /// The words after the program and its subcommand that are neither flags nor their values.
    pub fn operands(self) -> impl ExactSizeIterator<Item = ActOperand<'a>> + Clone + use<'a> {
        let actions = self.actions;
        within(&actions.operands, self.facts.operands).iter().map(move |operand| ActOperand {
            word: actions.text(operand.word),
            path: actions.text(operand.path),
            at: long(operand.at),
        })
    }

    /// The assignments in front of it, in order.
    pub fn env(self) -> impl ExactSizeIterator<Item = (&'a str, Text<'a>)> + Clone + use<'a> {
        let actions = self.actions;
        let settings = within(&actions.settings, self.facts.env).iter();
        settings.map(move |(name, value)| (actions.text(*name).text, actions.text(*value)))
    }

    /// The variables of its environment that the line sets: in front of it, or by an earlier command that exports them.
    pub fn environment(self) -> impl Iterator<Item = (&'a str, Text<'a>)> + Clone + use<'a> {
        let actions = self.actions;
        let exports = within(&actions.settings, self.facts.exports).iter();
        let exports = exports.map(move |(name, value)| (actions.text(*name).text, actions.text(*value)));
        self.env().chain(exports.filter(move |(name, _)| self.env().all(|(near, _)| near != *name)))
    }

    /// Every directory that it can run in, the likely one first. None is an unknown one; a path that is neither
    /// absolute nor below `~` is below the unknown directory of the event.
    pub fn directories(self) -> impl ExactSizeIterator<Item = Option<&'a str>> + Clone + use<'a> {
        let actions = self.actions;
        let directories = within(&actions.directories, self.facts.directories).iter();
        directories.map(move |path| path.map(|path| actions.text(path).text))
    }

    /// Whether the second directory is as likely as the first.
    #[must_use]
    pub const fn is_either(self) -> bool {
        self.facts.is_either
    }

    /// The row of its subcommand; without one, that of its program.
    #[must_use]
    pub const fn row(self) -> Option<&'static Row> {
        self.facts.row
    }

    /// Whether its words tell all that it does.
    #[must_use]
    pub const fn is_plain(self) -> bool {
        self.facts.is_plain
    }

    /// Whether it has an option that its row does not have.
    #[must_use]
    pub const fn has_unlisted(self) -> bool {
        self.facts.has_unlisted
    }

    /// Whether arguments follow its words that are unknown: those that `xargs` adds.
    #[must_use]
    pub const fn has_more(self) -> bool {
        self.facts.has_more
    }

    /// Whether it executes what it reads from its input.
    #[must_use]
    pub const fn executes(self) -> bool {
        self.facts.executes
    }

    /// Whether a substitution takes its output.
    #[must_use]
    pub const fn is_captured(self) -> bool {
        self.facts.is_captured
    }

    /// Whether the success of the line implies its success.
    #[must_use]
    pub fn is_required(self) -> bool {
        self.actions.is_required(self.number)
    }

    /// The commands whose output it reads as code, each once.
    pub fn runs(self) -> impl Iterator<Item = usize> + Clone + use<'a> {
        self.actions.numbers(self.facts.runs)
    }

    /// The commands after it in its pipeline, and in the pipelines around that.
    pub fn pipes_to(self) -> impl Iterator<Item = usize> + Clone + use<'a> {
        self.actions.numbers(self.facts.pipes_to)
    }

    /// The commands whose output it gets as words, by a substitution or a here-string, each once.
    pub fn inputs(self) -> impl Iterator<Item = usize> + Clone + use<'a> {
        self.actions.numbers(self.facts.inputs)
    }

    /// The commands before it that write a file which it reads or uses, each once.
    pub fn files(self) -> impl Iterator<Item = usize> + Clone + use<'a> {
        self.actions.numbers(self.facts.files)
    }

    /// The command that starts it: `sudo` of `sudo x`, `find` of `find -exec x`.
    #[must_use]
    pub fn starter(self) -> Option<usize> {
        self.facts.starter.map(long)
    }
}

impl PartialEq for Act<'_> {
    /// Whether they are the same command of the same event.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.facts, other.facts)
    }
}

impl fmt::Debug for Act<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = self.words().map(|word| word.text).collect::<Vec<_>>();
        f.debug_struct("Act").field("number", &self.number).field("words", &words).finish()
    }
}
