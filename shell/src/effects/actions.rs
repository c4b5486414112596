//! What an event does: its commands, its effects, and its texts.

use std::sync::OnceLock;

use super::keys::{Key, StoredKeys};
use super::required::{self, Status};
use super::text::{Store, Stored};
use super::{Act, Effect, Kind, Scheme, Text, UnknownCause};
use crate::programs::Row;
use crate::token::{Range, long, within};

/// What an event does. It owns its texts, and is used again for the next event.
#[derive(Debug, Default)]
pub struct Actions {
    pub(super) store: Store,
    pub(super) commands: Vec<CommandFacts>,
    pub(super) effects: Vec<EffectFacts>,
    pub(super) words: Vec<Stored>,
    pub(super) flags: Vec<FlagFacts>,
    pub(super) operands: Vec<OperandFacts>,
    pub(super) settings: Vec<(Stored, Stored)>,
    /// Ranges of numbers of commands.
    pub(super) numbers: Vec<Range>,
    pub(super) keys: Vec<Key>,
    /// Bits of the keys of all commands.
    pub(super) programs: u64,
    /// Bits of the keys of the objects of each kind of effect.
    pub(super) kinds: [u64; Kind::ALL.len()],
    /// Directories of commands; none is an unknown one.
    pub(super) directories: Vec<Option<Stored>>,
    pub(super) variables: Vec<(Stored, bool)>,
    pub(super) texts: Vec<Stored>,
    /// Command lines, each with its commands.
    pub(super) lines: Vec<(Stored, Range)>,
    /// Which commands must succeed so that their line does, once that is asked for.
    required: OnceLock<Vec<bool>>,
    pub(super) cwd: Option<Stored>,
    pub(super) project: Option<Stored>,
    pub(super) unknown: Option<UnknownCause>,
    pub(super) is_undeclared: bool,
}

/// A command, as ranges of the lists of [`Actions`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CommandFacts {
    pub(super) name: Option<Stored>,
    pub(super) path: Option<Stored>,
    pub(super) verb: Option<Stored>,
    pub(super) sub: Option<Stored>,
    /// The words of its subcommand in [`Actions::words`], with canonical names.
    pub(super) canonical: Range,
    /// Those words as they are written, with their groups.
    pub(super) written: Range,
    pub(super) words: Range,
    pub(super) flags: Range,
    pub(super) operands: Range,
    pub(super) env: Range,
    /// The variables that earlier commands export.
    pub(super) exports: Range,
    pub(super) directories: Range,
    pub(super) is_either: bool,
    pub(super) runs: Range,
    pub(super) pipes_to: Range,
    pub(super) inputs: Range,
    pub(super) files: Range,
    pub(super) starter: Option<u32>,
    /// The script that its program runs, resolved.
    pub(super) script: Option<Stored>,
    pub(super) is_plain: bool,
    pub(super) has_unlisted: bool,
    pub(super) has_more: bool,
    pub(super) executes: bool,
    pub(super) is_captured: bool,
    /// What runs it succeeds only if it does.
    pub(super) is_required: bool,
    pub(super) status: Status,
    pub(super) row: Option<&'static Row>,
    pub(super) keys: StoredKeys,
    /// Bits of the words that its subcommand starts with; all bits if it has none, or an unknown one.
    pub(super) first_words: u64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct FlagFacts {
    pub(super) name: Stored,
    pub(super) value: Option<Stored>,
    pub(super) at: u32,
    pub(super) is_global: bool,
    pub(super) is_alias: bool,
    pub(super) is_listed: bool,
    pub(super) is_code: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct OperandFacts {
    pub(super) word: Stored,
    pub(super) path: Stored,
    pub(super) at: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct EffectFacts {
    pub(super) kind: Kind,
    pub(super) scheme: Scheme,
    pub(super) object: Stored,
    pub(super) is_tree: bool,
    pub(super) is_implied: bool,
    pub(super) is_assumed: bool,
    /// From 1 on; 0 for a tool.
    pub(super) command: u32,
    pub(super) keys: StoredKeys,
}

impl Actions {
    /// Forgets the event.
    pub fn clear(&mut self) {
        self.store.clear();
        self.commands.clear();
        self.effects.clear();
        self.words.clear();
        self.flags.clear();
        self.operands.clear();
        self.settings.clear();
        self.numbers.clear();
        self.keys.clear();
        (self.programs, self.kinds) = (0, [0; Kind::ALL.len()]);
        self.directories.clear();
        self.variables.clear();
        self.texts.clear();
        self.lines.clear();
        self.required.take();
        (self.cwd, self.project, self.unknown, self.is_undeclared) = (None, None, None, false);
    }

    /// The commands that start, wrappers included.
    pub fn commands(&self) -> impl ExactSizeIterator<Item = Act<'_>> + DoubleEndedIterator + Clone {
        self.commands.iter().enumerate().map(|(number, facts)| Act { actions: self, facts, number })
    }

    /// The command of a number.
    #[must_use]
    pub fn command(&self, number: usize) -> Option<Act<'_>> {
        Some(Act { actions: self, facts: self.commands.get(number)?, number })
    }

    /// The effects, in the order in which they start.
    pub fn effects(&self) -> impl ExactSizeIterator<Item = Effect<'_>> + Clone {
        self.effects.iter().map(|facts| Effect {
            kind: facts.kind,
            object: self.store.get(facts.object),
            scheme: facts.scheme,
            is_tree: facts.is_tree,
            is_implied: facts.is_implied,
            is_assumed: facts.is_assumed,
            command: long(facts.command).checked_sub(1),
            keys: facts.keys.get(&self.keys),
        })
    }

    /// Why part of what the event does is unknown, if it is.
    #[must_use]
    pub const fn unknown(&self) -> Option<UnknownCause> {
        self.unknown
    }

    /// Whether nobody declares what the tool does.
    #[must_use]
    pub const fn is_undeclared(&self) -> bool {
        self.is_undeclared
    }

    /// The variables that command lines set, export, read or loop over, and whether programs that start later get
    /// them. Assignments in front of a command are in [`Act::env`].
    pub fn variables(&self) -> impl ExactSizeIterator<Item = (&str, bool)> + Clone {
        self.variables.iter().map(|(name, is_exported)| (self.store.get(*name).text, *is_exported))
    }

    /// The texts of the event: command lines, contents, patches.
    pub fn texts(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.texts.iter().map(|text| self.store.get(*text).text)
    }

    /// Adds a text of the event that is no input of a tool: a prompt.
    pub fn add_text(&mut self, text: &str) {
        let text = self.store.literal(text);
        self.texts.push(text);
    }

    /// How much it consists of, which grows with the event.
    #[doc(hidden)]
    #[must_use]
    pub fn work(&self) -> usize {
        let facts = self.commands.len() + self.effects.len() + self.flags.len() + self.operands.len();
        self.store.size() + facts + self.words.len() + self.numbers.len() + self.directories.len()
    }

    /// The project; empty if it is the working directory and that is unknown: then relative paths are from there.
    /// None if nothing is certainly in the project.
    #[must_use]
    pub fn project(&self) -> Option<&str> {
        self.project.map(|path| self.store.get(path).text)
    }

    /// The working directory of the event; empty if it is unknown: then relative paths are from there.
    #[must_use]
    pub fn cwd(&self) -> Option<&str> {
        self.cwd.map(|path| self.store.get(path).text)
    }

    /// Makes every pattern possible for every object and command, for tests of the index.
    #[doc(hidden)]
    pub fn forget_keys(&mut self) {
        self.effects.iter_mut().for_each(|effect| effect.keys = StoredKeys::default());
        let open = |command: &mut CommandFacts| {
            (command.keys, command.first_words) = (StoredKeys::default(), u64::MAX)
        };
        self.commands.iter_mut().for_each(open);
        (self.programs, self.kinds) = (u64::MAX, [u64::MAX; Kind::ALL.len()]);
    }

    /// Whether the success of its line implies the success of a command.
    pub(super) fn is_required(&self, command: usize) -> bool {
        let required = self.required.get_or_init(|| required::commands(self));
        required.get(command).copied().unwrap_or_default()
    }

    /// Bits of the keys of the objects of some kinds of effects; 0 without an effect of these kinds.
    pub(super) fn kind_mask(&self, kinds: &[Kind]) -> u64 {
        kinds.iter().fold(0, |mask, kind| mask | self.kinds.get(*kind as usize).copied().unwrap_or(u64::MAX))
    }

    pub(super) fn text(&self, stored: Stored) -> Text<'_> {
        self.store.get(stored)
    }

    pub(super) fn numbers(&self, range: Range) -> impl Iterator<Item = usize> + Clone {
        within(&self.numbers, range).iter().flat_map(|(from, to)| long(*from)..long(*to))
    }
}
