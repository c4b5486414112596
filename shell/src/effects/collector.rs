//! Adds commands and effects to the actions of an event.

use super::actions::{Actions, EffectFacts};
use super::keys::StoredKeys;
use super::place::Draft;
use super::text::{Gap, Stored, Text};
use super::{Kind, Scheme, UnknownCause, hosts};
use crate::token::short;
use crate::{HoleKind, Word, limits};

/// Adds to the actions of an event.
pub(super) struct Collector<'a> {
    pub(super) actions: &'a mut Actions,
    /// Memory for the text that is being built.
    pub(super) draft: Draft,
    /// What comes next is assumed from the name of an input.
    pub(super) is_assumed: bool,
}

/// Marks of an effect, and what causes it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Marks {
    pub(super) is_tree: bool,
    pub(super) is_implied: bool,
    /// The command, from 1 on.
    pub(super) command: u32,
}

impl Marks {
    pub(super) fn for_command(command: usize) -> Self {
        Self { command: short(command + 1), ..Self::default() }
    }

    pub(super) const fn tree(self, is_tree: bool) -> Self {
        Self { is_tree, ..self }
    }

    pub(super) const fn implied(self) -> Self {
        Self { is_implied: true, ..self }
    }
}

/// The object of [`Scheme::Pipe`], about which nothing is known.
const PIPE: Text<'static> = Text { text: "-", holes: &[Gap { from: 0, to: 1, kind: HoleKind::Text }] };

impl<'a> Collector<'a> {
    pub(super) fn new(actions: &'a mut Actions) -> Self {
        Self { actions, draft: Draft::default(), is_assumed: false }
    }

    /// Notes that part of what the event does is unknown.
    pub(super) fn unknown(&mut self, cause: UnknownCause) {
        self.actions.unknown.get_or_insert(cause);
    }

    /// Notes an input that is no text. That of a tool which nobody declares says nothing: its name can mean anything.
    pub(super) fn no_text(&mut self, cause: UnknownCause) {
        if !self.is_assumed {
            self.unknown(cause);
        }
    }

    /// Adds an effect.
    pub(super) fn effect(&mut self, kind: Kind, scheme: Scheme, object: Stored, marks: Marks) {
        if self.actions.effects.len() >= limits::EFFECTS {
            return self.unknown(UnknownCause::Limit);
        }
        let Marks { is_tree, is_implied, command } = marks;
        let is_assumed = self.is_assumed;
        let Actions { store, keys, kinds, effects, .. } = &mut *self.actions;
        let host = if scheme == Scheme::Host { store.get(object).as_literal() } else { None };
        let object = host.and_then(hosts::canonical).map_or(object, |host| store.literal(&host));
        let keys = StoredKeys::for_object(scheme, store.get(object), is_tree, keys);
        kinds.get_mut(kind as usize).into_iter().for_each(|mask| *mask |= keys.mask());
        effects.push(EffectFacts { kind, scheme, object, is_tree, is_implied, is_assumed, command, keys });
    }

    /// Adds an effect on the text that was built.
    pub(super) fn drafted(&mut self, kind: Kind, scheme: Scheme, marks: Marks) {
        let object = self.actions.store.push(self.draft.text());
        self.effect(kind, scheme, object, marks);
    }

    /// Adds an effect on a text.
    pub(super) fn named(&mut self, kind: Kind, scheme: Scheme, object: &str, marks: Marks) {
        let object = self.actions.store.literal(object);
        self.effect(kind, scheme, object, marks);
    }

    /// Adds an effect on the file that was built, unless it holds nothing: `/dev/null`.
    pub(super) fn file(&mut self, kinds: &[Kind], marks: Marks) {
        if self.draft.text().as_literal().is_some_and(is_no_file) {
            return;
        }
        let object = self.actions.store.push(self.draft.text());
        kinds.iter().for_each(|kind| self.effect(*kind, Scheme::File, object, marks));
    }

    /// Sends what a pipe has.
    pub(super) fn pipe(&mut self, marks: Marks) {
        let object = self.actions.store.push(PIPE);
        self.effect(Kind::Send, Scheme::Pipe, object, marks);
    }

    /// Builds where a path leads from a directory of the store.
    pub(super) fn resolve(&mut self, directory: Option<Stored>, path: Stored) {
        let directory = directory.map(|directory| self.actions.store.get(directory));
        self.draft.resolve(directory, self.actions.store.get(path));
    }

    /// Builds where a path leads from a directory of the store.
    pub(super) fn resolve_str(&mut self, directory: Option<Stored>, path: &str) {
        let directory = directory.map(|directory| self.actions.store.get(directory));
        self.draft.resolve(directory, Text::literal(path));
    }

    pub(super) fn word(&mut self, word: Word<'_>) -> Stored {
        self.actions.store.word(word)
    }
}

/// Files that hold nothing, or are descriptors.
fn is_no_file(path: &str) -> bool {
    crate::typed::is_sink(path) || path == "/dev/stdin"
}
